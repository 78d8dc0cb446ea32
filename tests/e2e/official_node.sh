#!/bin/bash
# The unmodified official library for Node against a mockpsp: official_node.mjs.
. "$SOURCE_DIR/tests/support/psp.sh"
need_node_library
psp_start --quiet
node "$SOURCE_DIR/tests/e2e/official_node.mjs"
psp_stop
