#!/bin/sh
# Is every C file as clang-format would write it? And does this test see when one is not?
set -u
. "$(dirname "$0")/tools.sh"
need_version clang-format "$CLANG_VERSION"
cd "$SOURCE_DIR" || exit 1
if printf 'int  f(void) {return 1;}\n' | clang-format --dry-run -Werror 2>/dev/null; then
    echo "clang-format does not object to what it should: is .clang-format read?"
    exit 1
fi
# shellcheck disable=SC2046 # names without spaces, as tidy.cmake would have it
wrong=$(clang-format --dry-run -Werror $(find mockpsp harness scenarios tests \
    -name node_modules -prune -o -name '*.[ch]' -print) 2>&1 |
    sed -n 's/^\([a-z_/]*\.[ch]\):.*/\1/p' | sort -u)
[ -z "$wrong" ] && exit 0
echo "write these as clang-format does: clang-format -i $(echo "$wrong" | tr "\n" " ")"
exit 1
