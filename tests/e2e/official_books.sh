#!/bin/bash
# The unmodified official libraries for Python and Node against what tells of money, and against a
# provider that is short of something: official_books.py and official_books.mjs.
. "$SOURCE_DIR/tests/support/psp.sh"
need_node_library
psp_start --quiet
/usr/bin/python3 "$SOURCE_DIR/tests/e2e/official_books.py"
node "$SOURCE_DIR/tests/e2e/official_books.mjs"
psp_stop
