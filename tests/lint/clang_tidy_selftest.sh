#!/bin/sh
# Does our .clang-tidy catch what it is there for? One bad function per check.
set -u
. "$(dirname "$0")/tools.sh"
need_version clang-tidy "$CLANG_VERSION"
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
cp "$SOURCE_DIR/.clang-tidy" "$scratch"
status=0

# must_catch CHECK: the C on stdin must be refused by CHECK.
must_catch() {
    cat >"$scratch/bad.c"
    if ! clang-tidy -quiet "$scratch/bad.c" -- -std=c17 -D_GNU_SOURCE -Wall -Wextra \
        >"$scratch/log" 2>&1 && grep -q "\[.*$1" "$scratch/log"; then
        return
    fi
    echo "$1 does not see:"
    cat "$scratch/bad.c" "$scratch/log"
    status=1
}

must_catch readability-function-size <<'C'
int many(int a, int b, int c, int d, int e, int f, int g);
int many(int a, int b, int c, int d, int e, int f, int g)
{
    return a + b + c + d + e + f + g;
}
C
must_catch readability-function-size <<'C'
int deep(int a);
int deep(int a)
{
    if (a > 1) {
        for (;;) {
            while (a) {
                if (a > 2) {
                    if (a > 3) {
                        a++;
                    }
                }
            }
        }
    }
    return a;
}
C
{
    printf 'int lengthy(int a);\nint lengthy(int a)\n{\n'
    i=0
    while [ $i -lt 71 ]; do
        echo '    a += a;'
        i=$((i + 1))
    done
    printf '    return a;\n}\n'
} | must_catch readability-function-size
must_catch clang-analyzer-unix.Malloc <<'C'
#include <stdlib.h>
int leak(void);
int leak(void)
{
    char *text = malloc(1);
    return text == NULL;
}
C
must_catch clang-analyzer-core.NullDereference <<'C'
int null(const int *p);
int null(const int *p)
{
    return p == 0 ? *p : 1;
}
C
must_catch clang-diagnostic-unused-result <<'C'
__attribute__((warn_unused_result)) int must_check(void);
void careless(void);
void careless(void)
{
    must_check();
}
C
must_catch bugprone-suspicious-string-compare <<'C'
#include <string.h>
int same(const char *a, const char *b);
int same(const char *a, const char *b)
{
    return strcmp(a, b) == 1;
}
C
must_catch bugprone-narrowing-conversions <<'C'
int cents(long long amount);
int cents(long long amount)
{
    int total = 0;
    total += amount;
    return total;
}
C
must_catch readability-inconsistent-declaration-parameter-name <<'C'
int pay(int amount);
int pay(int refund)
{
    return refund;
}
C
must_catch misc-redundant-expression <<'C'
int same(int a);
int same(int a)
{
    return a == 1 || a == 1;
}
C
exit $status
