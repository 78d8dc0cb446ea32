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
status=0
# shellcheck disable=SC2044 # names without spaces, as tidy.cmake would have it
for file in $(find mockpsp harness scenarios tests -name node_modules -prune -o -name '*.[ch]' -print); do
    if ! clang-format --dry-run -Werror "$file" >/dev/null 2>&1; then
        echo "$file: write it with: clang-format -i $file"
        status=1
    fi
done
exit $status
