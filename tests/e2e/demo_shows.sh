#!/bin/bash
# The demo does what the README says: the naive client is caught with its story, the careful one
# passes; a second run installs nothing; and what the README prints of it is what it prints.
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

# Times and the place of the box change from run to run; ids come from the seed and do not.
normal() {
    sed -E -e 's/\+[0-9.]+s /+TIME /' -e 's/\([0-9.]+ s\)$/(TIME)/' -e 's/^( *box: +).*/\1BOX/' \
        -e 's/ +/ /g'
}
# shellcheck disable=SC2016 # backquotes, not commands
printed=$(sed -n '/^## What the demo prints/,/^## Your own/p' "$SOURCE_DIR/README.md" |
    sed -n '/^```/,/^```/p' | grep -v '^```' | normal)
[ "$(wc -l <<<"$printed")" -gt 10 ] || {
    echo "the README prints no demo: has the chapter been renamed?"
    exit 1
}
shown=$(normal <<<"$text")
while read -r line; do
    grep -qxF -- " $line" <<<"$shown" || grep -qxF -- "$line" <<<"$shown" || {
        echo "the README prints what the demo does not: $line"
        exit 1
    }
done <<<"$printed"
