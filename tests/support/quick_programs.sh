#!/bin/sh
# quick_programs.sh DIRECTORY GENERATOR: sees to it that the programs of the preset dev, whose directory
# that is, are built and up to date; says nothing unless that fails. tests/run.sh has built them, so
# that there is nothing to do then.
set -u
cd "$(dirname "$0")/../.." || exit 1
directory=$1
generator=$2
log=$(mktemp) || exit 1
trap 'rm -f "$log"' EXIT

configure() {
    if [ ! -f "$directory/CMakeCache.txt" ]; then
        cmake --preset dev -G "$generator"
    elif ! grep -qx 'MOCKPSP_TESTS:BOOL=ON' "$directory/CMakeCache.txt"; then
        cmake -D MOCKPSP_TESTS=ON "$directory" # harness/demo.sh made it, without tests
    fi
}

{ configure && cmake --build "$directory" -j "$(nproc)" --target programs; } >"$log" 2>&1 || {
    cat "$log"
    exit 1
}
