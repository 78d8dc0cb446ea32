#!/bin/bash
# The unmodified official libraries for Python and Node against the resources about people:
# official_people.py and official_people.mjs.
. "$SOURCE_DIR/tests/support/psp.sh"
need_node_library
psp_start --quiet
/usr/bin/python3 "$SOURCE_DIR/tests/e2e/official_people.py"
node "$SOURCE_DIR/tests/e2e/official_people.mjs"
psp_stop
