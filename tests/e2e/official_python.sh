#!/bin/bash
# The unmodified official library for Python against a mockpsp: official_python.py.
. "$SOURCE_DIR/tests/support/psp.sh"
psp_start --quiet
/usr/bin/python3 "$SOURCE_DIR/tests/e2e/official_python.py"
psp_stop
