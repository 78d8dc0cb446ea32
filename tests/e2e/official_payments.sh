#!/bin/bash
# The unmodified official libraries for Python and Node against payments in all their ways:
# official_payments.py and official_payments.mjs.
. "$SOURCE_DIR/tests/support/psp.sh"
psp_start --quiet --clock manual
/usr/bin/python3 "$SOURCE_DIR/tests/e2e/official_payments.py"
need_node_library
node "$SOURCE_DIR/tests/e2e/official_payments.mjs"
psp_stop
