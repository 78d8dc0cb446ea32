#!/bin/bash
# What proves nothing does not pass: nobody called, a fault could not strike, the scenario is broken,
# the client is not there.
set -eu
scratch=$(mktemp -d "${TMPDIR:-/tmp}/psp-test.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
export TMPDIR=$scratch
cd "$SOURCE_DIR"
careful=scenarios/clients/careful.sh

# expect STATUS TEXT ARGUMENT...: of `psp-harness run ARGUMENT...`; TEXT must be in its output.
expect() {
    local wanted=$1 text=$2 status=0
    shift 2
    "$PSP_HARNESS" run "$@" >"$scratch/out" 2>&1 || status=$?
    if [ "$status" -ne "$wanted" ] || ! grep -qF -- "$text" "$scratch/out"; then
        echo "run $*: exit status $status, expected $wanted and '$text'"
        cat "$scratch/out"
        exit 1
    fi
}

cat >"$scratch/cannot_strike.lua" <<'LUA'
return scenario {
  title  = "a fault that waits for what no client does",
  faults = { { on = "DELETE /v1/nothing", at = "received", act = drop() } },
}
LUA
cat >"$scratch/broken.lua" <<'LUA'
return scenario {
  title  = "an action that is none",
  faults = { { at = "received", act = dorp() } },
}
LUA
cat >"$scratch/breaks_later.lua" <<'LUA'
return scenario {
  title  = "a condition that is wrong about its request",
  faults = function(req)
    return req.nothing.at_all
  end,
}
LUA

expect 3 'inconclusive' scenarios/a00_everything_works.lua -- scenarios/clients/never_calls.sh
expect 3 'inconclusive' "$scratch/cannot_strike.lua" -- $careful
expect 2 'broken.lua:3' "$scratch/broken.lua" -- $careful
expect 2 'breaks_later.lua:4' "$scratch/breaks_later.lua" -- $careful
expect 3 'no_such_client' scenarios/a00_everything_works.lua -- "$scratch/no_such_client"
expect 2 'no_such_file.lua' "$scratch/no_such_file.lua" -- $careful
expect 2 '--' scenarios/a00_everything_works.lua
expect 0 'a00_everything_works' scenarios/a00_everything_works.lua -- $careful
