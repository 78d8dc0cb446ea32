#!/bin/sh
# Shell through shellcheck, Lua through luacheck; Python, JavaScript, PHP through their own parsers.
set -u
. "$(dirname "$0")/tools.sh"
need shellcheck
need luacheck
need node
cd "$SOURCE_DIR" || exit 1
status=0
files() {
    find mockpsp harness scenarios tests .ci -name node_modules -prune -o -type f -name "$1" -print
}
# shellcheck disable=SC2046 # names without spaces, as tidy.cmake would have it
{
    shellcheck -x -P SCRIPTDIR $(files '*.sh') .ci/run || status=1
    luacheck --no-color -q $(files '*.lua') || status=1
    for file in $(files '*.py'); do
        /usr/bin/python3 -c 'import ast, sys; ast.parse(open(sys.argv[1]).read(), sys.argv[1])' \
            "$file" || status=1
    done
    for file in $(files '*.js') $(files '*.mjs'); do
        node --check "$file" || status=1
    done
    # PHP is for clients of the field, which do without where it is not to be had.
    ! command -v php >/dev/null || for file in $(files '*.php') $(files artisan); do
        php -l "$file" >/dev/null || status=1
    done
}
exit $status
