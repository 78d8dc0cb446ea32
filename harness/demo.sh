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
cmake --build build -j "$(nproc)" --target mockpsp psp-harness >"$log" 2>&1 || {
    cat "$log"
    exit 1
}

# say TITLE CLIENT EXPECTED: runs CLIENT through every scenario and compares the exit status.
say() {
    printf '\n== %s\n\n$ build/psp-harness run scenarios -- %s\n' "$1" "$2"
    build/psp-harness run scenarios -- "$2"
    got=$?
    [ "$got" -eq "$3" ] && return
    echo "demo: expected exit status $3, got $got"
    exit 1
}

say "a client that forgets its key: paid twice" scenarios/clients/naive.sh 1
say "a client that saves its key before the call: paid once" scenarios/clients/careful.sh 0
