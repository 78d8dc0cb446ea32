#!/bin/bash
# client_verdict.sh KIND: the naive example client of that kind is caught charging twice, story and
# all, and the careful one passes the same scenarios: a few of each area. That it passes every one,
# with nothing that only warns, is for careful_seeds.py to show; PSP_SCENARIOS=scenarios plays all of
# them here as well.
set -eu
scratch=$(mktemp -d "${TMPDIR:-/tmp}/psp-test.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
export TMPDIR=$scratch
cd "$SOURCE_DIR"

# shellcheck disable=SC2206 # patterns
scenarios=(${PSP_SCENARIOS:-scenarios/[a-g][12]0_*.lua})

case $1 in
shell) client=(scenarios/clients/KIND.sh) ;;
c) client=("$BUILD_DIR/client-KIND-c") ;;
python) client=(/usr/bin/python3 scenarios/clients/KIND.py) ;;
plain) client=(/usr/bin/python3 scenarios/clients/KIND_plain.py) ;;
node)
    client=(node scenarios/clients/KIND.mjs)
    [ -d scenarios/clients/node_modules/stripe ] || {
        echo "skipped: no scenarios/clients/node_modules/stripe"
        exit 77
    }
    ;;
esac

# verdict KIND EXPECTED: the exit status must be EXPECTED, the output is kept in $scratch/out.
# Most of a run is waiting, so more of them go on at once than there are cores.
verdict() {
    local status=0
    "$PSP_HARNESS" run -j 4 "${scenarios[@]}" -- "${client[@]/KIND/$1}" >"$scratch/out" 2>&1 || status=$?
    [ "$status" -eq "$2" ] && return
    echo "the $1 client: exit status $status, expected $2"
    cat "$scratch/out"
    exit 1
}

verdict naive 1
grep -q charged_once "$scratch/out" || {
    echo "the naive client is not found to have charged twice:"
    cat "$scratch/out"
    exit 1
}

# Every failure prints the command that replays it, and that fails again.
replay=$(sed -n 's/^ *replay: //p' "$scratch/out" | head -n 1)
status=0
bash -c "$replay" >"$scratch/again" 2>&1 || status=$?
[ "$status" -eq 1 ] || {
    echo "the replay gives exit status $status: $replay"
    cat "$scratch/again"
    exit 1
}
grep -qF -- "$replay" "$scratch/again"

verdict careful 0
