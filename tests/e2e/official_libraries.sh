#!/bin/bash
# The unmodified official libraries against a mockpsp: official_node.mjs and official_python.py.
. "$SOURCE_DIR/tests/support/psp.sh"
psp_start --quiet
node "$SOURCE_DIR/tests/e2e/official_node.mjs" || fail "the Node library"
/usr/bin/python3 "$SOURCE_DIR/tests/e2e/official_python.py" || fail "the Python library"
psp_stop
