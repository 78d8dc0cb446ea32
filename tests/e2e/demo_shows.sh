#!/bin/bash
# The demo does what the README says: the naive client is caught with its story, the careful one
# passes; and a second run installs nothing.
set -eu
text=$("$SOURCE_DIR/harness/demo.sh") || {
    echo "the demo failed:"
    echo "$text"
    exit 1
}
expect() {
    grep -qE -- "$1" <<<"$text" || {
        echo "the demo does not show '$1':"
        echo "$text"
        exit 1
    }
}
expect 'charged_once'
expect 'naive\.sh'
expect 'careful\.sh'
if grep -q 'set-up' <<<"$text"; then
    echo "a demo on a machine that has everything says nothing of set-up:"
    echo "$text"
    exit 1
fi
