#!/bin/sh
# setup.sh PROFILE: sees to it that this machine has what is needed, and says nothing when it has.
#
#   build   to build the programs and show the demo
#   test    that, and everything the tests use
#
# What is missing is installed with apt when this is Debian 12 or newer and we are root, or sudo asks
# for no password. Otherwise it is named, with the command that would install it, and the exit status
# is 1. Looking comes first and is quick: a second run does no set-up again.
set -u
profile=${1:-test}
clients=$(cd "$(dirname "$0")/../../scenarios/clients" && pwd) || exit 1

# PROFILE KIND THING PACKAGE, where KIND is how to look for it. What is for the profile "field" are
# clients of the field alone: a test skips what is missing of it, and says so.
needs() {
    cat <<'TABLE'
build command cc gcc
build file /usr/include/stdio.h libc6-dev
build command cmake cmake
build command ninja ninja-build
build command pkg-config pkg-config
build module libmicrohttpd libmicrohttpd-dev
build module sqlite3 libsqlite3-dev
build module libcjson libcjson-dev
build module expat libexpat1-dev
build module libuv libuv1-dev
build module nettle nettle-dev
build module libcurl libcurl4-openssl-dev
build lua lua liblua5.4-dev
build command curl curl
build command jq jq
test module criterion libcriterion-dev
test command clang-tidy clang-tidy
test command clang-format clang-format
test command shellcheck shellcheck
test command luacheck lua-check
test command /usr/bin/python3 python3
test python stripe python3-stripe
test python braintree python3-braintree
test python psycopg2 python3-psycopg2
test file /usr/lib/postgresql postgresql
test command openssl openssl
test command node nodejs
test command npm npm
test file /etc/ssl/certs/ca-certificates.crt ca-certificates
field package redis-server redis-server
field package php-cli php-cli
field package php-laravel-framework php-laravel-framework
field package php-guzzlehttp-guzzle php-guzzlehttp-guzzle
field package php-sqlite3 php-sqlite3
field package php-curl php-curl
field package php-mbstring php-mbstring
field package php-xml php-xml
TABLE
}

# have KIND THING
have() {
    case $1 in
    command) command -v "$2" >/dev/null ;;
    package) [ "$(dpkg-query -W -f '${db:Status-Status}' "$2" 2>/dev/null)" = installed ] ;;
    file) [ -e "$2" ] ;;
    module) pkg-config --exists "$2" 2>/dev/null ;;
    lua) pkg-config --exists lua5.4 2>/dev/null || pkg-config --exists lua-5.4 2>/dev/null ||
        pkg-config --exists lua54 2>/dev/null || pkg-config --exists 'lua >= 5.4' 2>/dev/null ;;
    python) /usr/bin/python3 -c 'import importlib.util, sys
sys.exit(importlib.util.find_spec(sys.argv[1]) is None)' "$2" 2>/dev/null ;;
    esac
}

# missing PROFILE...: the packages that are, on one line.
missing() {
    needs | while read -r for kind thing package; do
        case " $* " in
        *" $for "*) have "$kind" "$thing" || printf ' %s' "$package" ;;
        esac
    done
}

become_root() {
    if [ "$(id -u)" = 0 ]; then
        "$@"
    else
        sudo -n "$@"
    fi
}

can_install() {
    command -v apt-get >/dev/null &&
        { [ "$(id -u)" = 0 ] || sudo -n true 2>/dev/null; }
}

# install PACKAGE...: apt's own words are kept back unless it fails.
install() {
    log=$(mktemp) || exit 1
    apt='apt-get -q -y -o DPkg::Lock::Timeout=300'
    # An update may fail for a third-party list that has nothing to do with us: the install decides.
    # shellcheck disable=SC2086
    become_root env DEBIAN_FRONTEND=noninteractive $apt update >"$log" 2>&1
    # shellcheck disable=SC2086
    if ! become_root env DEBIAN_FRONTEND=noninteractive $apt install --no-install-recommends "$@" \
        >>"$log" 2>&1; then
        cat "$log"
        rm -f "$log"
        return 1
    fi
    rm -f "$log"
}

packages=$(missing build "${profile#build}")
if [ -n "$packages" ]; then
    if ! can_install; then
        echo "set-up: missing:$packages" >&2
        echo "set-up: install them first: sudo apt-get update &&" \
            "sudo apt-get install -y --no-install-recommends$packages" >&2
        exit 1
    fi
    echo "set-up: installing$packages (once)"
    # shellcheck disable=SC2086
    install $packages || exit 1
    packages=$(missing build "${profile#build}")
    if [ -n "$packages" ]; then
        echo "set-up: installed, and still not found:$packages" >&2
        exit 1
    fi
fi

# Of these, what this release of Debian has.
more=
for package in $([ "$profile" = build ] || missing field); do
    can_install && apt-cache show "$package" >/dev/null 2>&1 && more="$more $package"
done
if [ -n "$more" ]; then
    echo "set-up: installing$more (once)"
    # shellcheck disable=SC2086
    install $more
fi
more=$([ "$profile" = build ] || missing field)
[ -z "$more" ] || echo "set-up: clients that need one of these will be skipped:$more" >&2

# The official Node library and BullMQ, exactly as package-lock.json has them. They alone do not come
# from Debian: where the registry cannot be reached, the tests that need them are skipped, aloud.
if [ "$profile" = test ] &&
    ! cmp -s "$clients/package-lock.json" "$clients/node_modules/.installed-lock.json"; then
    echo "set-up: npm ci in scenarios/clients (once)"
    if (cd "$clients" && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error \
        --fetch-retries=1 --fetch-timeout=60000); then
        cp "$clients/package-lock.json" "$clients/node_modules/.installed-lock.json"
    else
        echo "set-up: the tests of the Node libraries will be skipped; to run them, repair this:" >&2
        echo "set-up: (cd scenarios/clients && npm ci)" >&2
    fi
fi
