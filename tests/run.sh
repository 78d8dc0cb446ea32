#!/bin/sh
# ./tests/run.sh [PATTERN]: builds everything and runs every test, or those whose name matches the
# regular expression PATTERN. On a fresh Debian 12 or newer it installs first what is missing.
#
# Unit and end-to-end tests run under AddressSanitizer and UndefinedBehaviorSanitizer; those that are
# about verdicts over many worlds play a part of each kind so, and the rest with the programs of the
# preset dev. The programs have one thread each (a test holds them to it), so ThreadSanitizer has
# nothing to look at. PSP_SEEDS=20 lets every careful client meet that many seeds
# (tests/e2e/careful_seeds.py), PSP_SCENARIOS=scenarios every naive one all scenarios
# (client_verdict.sh), ROUNDS=200 repeats more often what has to be the same or clean each time.
# The last line says how many passed, failed and were skipped.
set -u
cd "$(dirname "$0")/.." || exit 1
pattern=${1:-.}

sh tests/support/setup.sh test || {
    echo "0 passed, 1 failed"
    exit 1
}

CMAKE_GENERATOR=${CMAKE_GENERATOR:-Ninja}
jobs=$(nproc)
export CMAKE_GENERATOR
# Warnings are errors with the compiler this is written for; a newer one may know more of them.
strict=OFF
case $(cc -dumpversion) in
12 | 12.*) strict=ON ;;
esac

log=$(mktemp) || exit 1
trap 'rm -f "$log"' EXIT

# build PRESET [TARGET...]: quiet unless it fails, and then it is a failure like any other.
build() {
    preset=$1
    shift
    echo "building $preset"
    if ! { cmake --preset "$preset" -D CMAKE_COMPILE_WARNING_AS_ERROR=$strict &&
        cmake --build --preset "$preset" -j "$jobs" ${1:+--target "$@"}; } >"$log" 2>&1; then
        cat "$log"
        echo "the $preset build failed"
        echo "0 passed, 1 failed"
        exit 1
    fi
}

build asan
build dev programs

results=build-asan/results.xml
rm -f "$results"
ctest --test-dir build-asan -j "$jobs" -R "$pattern" --output-on-failure --no-tests=error \
    --output-junit results.xml
status=$?

# count ATTRIBUTE: of the suite as a whole, which comes first in the file.
count() {
    number=$(sed -n "s/^[[:space:]]*$1=\"\([0-9]*\)\".*/\1/p" "$results" 2>/dev/null | head -n 1)
    echo "${number:-0}"
}
failed=$(count failures)
skipped=$(($(count skipped) + $(count disabled)))
passed=$(($(count tests) - failed - skipped))
if [ "$status" -ne 0 ] && [ "$failed" -eq 0 ]; then
    failed=1
fi
if [ "$skipped" -gt 0 ]; then
    echo "$passed passed, $failed failed, $skipped skipped"
else
    echo "$passed passed, $failed failed"
fi
[ "$failed" -eq 0 ]
