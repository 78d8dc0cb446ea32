#!/bin/bash
# What `cmake --install` puts into place runs from there.
set -eu
prefix=$(mktemp -d "${TMPDIR:-/tmp}/psp-install.XXXXXX")
trap 'rm -rf "$prefix"' EXIT
cmake --install "$BUILD_DIR" --prefix "$prefix" >/dev/null
for program in mockpsp psp-harness; do
    "$prefix/bin/$program" --version | grep -q "^$program [0-9]" || {
        echo "$program does not run from where it was installed"
        exit 1
    }
    "$prefix/bin/$program" --help >/dev/null
done
TMPDIR=$prefix "$prefix/bin/psp-harness" run "$prefix/share/mockpsp/scenarios/a30_records_expire.lua" \
    -- "$BUILD_DIR/client-careful-c" || {
    echo "the clock of a client does not move: is psp-clock.so where psp-harness looks?"
    exit 1
}
for file in share/mockpsp/scenarios/a00_everything_works.lua share/doc/mockpsp/LICENSE \
    share/doc/mockpsp/README.md share/doc/mockpsp/mockpsp/README.md; do
    [ -s "$prefix/$file" ] || {
        echo "$file was not installed"
        exit 1
    }
done
(cd / && "$prefix/bin/psp-harness" selftest client-naive-c)
if find "$prefix" -type f | grep -E '\.(a|h|o)$|node_modules'; then
    echo "these have no business in an installation"
    exit 1
fi
