# Sourced by the lint tests. What a linter finds depends on its version, and a newer one must not
# fail a tree that nobody has changed: with another version than ours the test is skipped, aloud.
# The version is the one of Debian 12.
# shellcheck shell=sh disable=SC2034
CLANG_VERSION=14

need() {
    command -v "$1" >/dev/null && return
    echo "skipped: $1 is not installed"
    exit 77
}

need_version() {
    need "$1"
    "$1" --version | grep -q "version $2\\." && return
    echo "skipped: $1 is not of version $2, and other versions find other things"
    exit 77
}
