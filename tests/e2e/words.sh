#!/bin/bash
# Each vocabulary exists once, in an X-macro list, and whoever reads the documents meets all of it:
# failpoints, actions and invariants in `psp-harness list` and in the README.
set -eu
status=0
list=$("$PSP_HARNESS" list "$SOURCE_DIR/scenarios")
readme=$(cat "$SOURCE_DIR/README.md")

# mentioned FILE LIST: every name of the X-macro LIST in the header FILE, which is the first quoted
# word of an entry that begins with a CONSTANT, else the entry's first word.
mentioned() {
    local entries word
    entries=$(sed -n "/^#define $2(X)/,/[^\\\\]\$/p" "$SOURCE_DIR/$1" |
        sed -n -e 's/.*X([A-Z_]*, "\([a-z_]*\)".*/\1/p' -e 's/.*X(\([a-z][a-z_]*\),.*/\1/p')
    [ "$(wc -w <<<"$entries")" -ge 3 ] || {
        echo "no $2 in $1: has it moved?"
        status=1
    }
    for word in $entries; do
        grep -qw -- "$word" <<<"$list" || {
            echo "psp-harness list does not mention $word of $2"
            status=1
        }
        grep -qw -- "$word" <<<"$readme" || {
            echo "README.md does not mention $word of $2"
            status=1
        }
    done
}

mentioned mockpsp/wire/failpoint.h FAILPOINT_LIST
mentioned mockpsp/wire/action_kind.h REQUEST_ACTION_LIST
mentioned mockpsp/wire/action_kind.h WEBHOOK_ACTION_LIST
mentioned mockpsp/wire/spread.h SPREAD_LIST
mentioned harness/invariants/invariant.h INVARIANT_LIST

# The fields of a fault are explained where scenarios are.
for field in when $(sed -n 's/^    X(\([a-z]*\), .*/\1/p' "$SOURCE_DIR/mockpsp/wire/fault_field.h"); do
    grep -qE "^\| .*\`$field\`.* \|" "$SOURCE_DIR/scenarios/README.md" ||
        grep -q "\`$field = true\`" "$SOURCE_DIR/scenarios/README.md" || {
        echo "scenarios/README.md does not explain the field $field of a fault"
        status=1
    }
done
exit $status
