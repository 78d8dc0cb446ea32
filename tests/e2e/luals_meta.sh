#!/bin/bash
# What mockpsp writes for an editor is Lua, and defines every action and every field that there is:
# the names are those of `psp-harness list`, which is made from the same tables.
set -eu
meta=$("$MOCKPSP" --luals-meta)
[ "$(head -n 1 <<<"$meta")" = "---@meta" ]

luacheck - --only 011 --quiet <<<"$meta" || {
    echo "that is no Lua"
    exit 1
}

# The second column of a part of the list: names stand two spaces in.
names() {
    "$PSP_HARNESS" list "$SOURCE_DIR/scenarios" | sed -n "/^$1,/,/^\$/s/^  \([a-z_]*\) .*/\1/p"
}

# every PART FORMAT: what the list has in PART, the definitions have in FORMAT.
every() {
    local name found=0
    for name in $(names "$1"); do
        # shellcheck disable=SC2059 # the format is ours
        grep -qE -- "$(printf "$2" "$name")" <<<"$meta" || {
            echo "$name of $1 is not defined"
            exit 1
        }
        found=$((found + 1))
    done
    [ "$found" -ge 3 ] || {
        echo "the list has no $1: has it changed?"
        exit 1
    }
}

every actions '^function %s\('
every spreads '^function %s\('
every failpoints '^---\| "%s" #'
for class in Scenario Fault Request World Order Event Client; do
    every "$class" '^---@field %s\??'
done

status=0
"$MOCKPSP" --luals-meta >/dev/full 2>/dev/null || status=$?
[ "$status" -eq 4 ] || {
    echo "a full disk gives exit status $status"
    exit 1
}
