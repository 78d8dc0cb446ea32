#!/bin/sh
# clang_tidy.sh FOLDER: clang-tidy on every C file that stands directly in FOLDER and is built.
# One file per run: version 14 sees uninitialized va_lists where there are none when given several.
set -u
. "$(dirname "$0")/tools.sh"
need_version clang-tidy "$CLANG_VERSION"
folder=$1
log=$(mktemp) || exit 1
trap 'rm -f "$log"' EXIT
status=0
for file in "$SOURCE_DIR/$folder"/*.c; do
    grep -q "\"file\": \"$file\"" "$BUILD_DIR/compile_commands.json" || continue
    if ! clang-tidy -quiet -p "$BUILD_DIR" "$file" >"$log" 2>&1; then
        cat "$log"
        status=1
    fi
done
exit $status
