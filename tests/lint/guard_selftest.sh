#!/bin/sh
# Does guarded.sh see a sanitizer's report that nobody else sees: of a program in the background,
# its stderr thrown away and its exit status ignored?
set -u
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
guarded=$SOURCE_DIR/tests/support/guarded.sh

cat >"$scratch/bad.c" <<'C'
#include <stdlib.h>
int main(void)
{
    char *text = malloc(1);
    free(text);
    return *text;
}
C
cc -g -fsanitize=address -o "$scratch/bad" "$scratch/bad.c" || exit 1
printf '"%s/bad" 2>/dev/null &\nwait $! || true\n' "$scratch" >"$scratch/careless.sh"
echo 'exit 0' >"$scratch/good.sh"
echo 'exit 77' >"$scratch/skip.sh"
echo 'import sys; sys.exit(3)' >"$scratch/fails.py"

# expect STATUS SCRIPT
expect() {
    "$guarded" "$scratch/$2" >"$scratch/out" 2>&1
    status=$?
    [ "$status" -eq "$1" ] && return
    echo "guarded.sh $2: exit status $status, expected $1"
    cat "$scratch/out"
    exit 1
}
expect 0 good.sh
expect 77 skip.sh
expect 3 fails.py
expect 1 careless.sh
grep -q heap-use-after-free "$scratch/out" || {
    echo "the report is not shown"
    exit 1
}
