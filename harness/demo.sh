#!/bin/sh
# ./harness/demo.sh: a client that charges twice is caught, and one that does not passes.
#
# On a fresh Debian 12 or newer it installs first what is missing, then builds. It exits 0 when both
# came out as they should.
set -u
cd "$(dirname "$0")/.." || exit 1
sh tests/support/setup.sh build || exit 1

log=$(mktemp) || exit 1
trap 'rm -f "$log"' EXIT
if [ ! -f build/CMakeCache.txt ]; then
    CMAKE_GENERATOR=${CMAKE_GENERATOR:-Ninja} cmake --preset dev -D MOCKPSP_TESTS=OFF >"$log" 2>&1 || {
        cat "$log"
        exit 1
    }
fi
cmake --build build -j "$(nproc)" --target mockpsp psp-harness client-naive-c client-careful-c >"$log" 2>&1 || {
    cat "$log"
    exit 1
}

# show TITLE EXPECTED CLIENT SCENARIO...: runs CLIENT and compares the exit status.
show() {
    title=$1 expected=$2 client=$3
    shift 3
    printf '\n== %s ==\n\n$ build/psp-harness run %s -- %s\n' "$title" "$*" "$client"
    build/psp-harness run "$@" -- "$client"
    got=$?
    [ "$got" -eq "$expected" ] && return
    echo "demo: exit status $got, expected $expected"
    exit 1
}

show "a naive client: the job runs again, and the order is paid twice" 1 scenarios/clients/naive.sh \
    scenarios/a00_*.lua scenarios/f20_*.lua
show "a careful client: its key is saved before the call, whatever happens it pays once" 0 \
    scenarios/clients/careful.sh -j 4 scenarios # which wait most of their time
