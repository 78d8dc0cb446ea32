#!/bin/sh
# Runs one end-to-end test (.sh or .py) so that no sanitizer report is lost: the programs under test
# run in the background, their stderr often goes into a file, and a killed one has no exit status to
# look at. Every report lands in a directory of its own, and any report fails the test.
set -u
script=$1
shift
reports=$(mktemp -d "${TMPDIR:-/tmp}/psp-sanitizer.XXXXXX") || exit 1
trap 'rm -rf "$reports"' EXIT
export ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}log_path=$reports/asan:detect_stack_use_after_return=1"
export UBSAN_OPTIONS="${UBSAN_OPTIONS:+$UBSAN_OPTIONS:}log_path=$reports/ubsan:print_stacktrace=1"
export TSAN_OPTIONS="${TSAN_OPTIONS:+$TSAN_OPTIONS:}log_path=$reports/tsan"

case $script in
*.py) /usr/bin/python3 "$script" "$@" ;;
*) bash "$script" "$@" ;;
esac
status=$?

for report in "$reports"/*; do
    [ -s "$report" ] || continue
    echo "--- a sanitizer reported:"
    cat "$report"
    status=1
done
exit $status
