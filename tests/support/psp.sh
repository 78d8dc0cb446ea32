# Sourced by end-to-end tests in shell: starts and stops a mockpsp of their own, on a free port.
# shellcheck shell=bash
set -eu

scratch=$(mktemp -d "${TMPDIR:-/tmp}/psp-test.XXXXXX")
psp_pid=
trap psp_end EXIT

psp_end() {
    psp_stop || true
    rm -rf "$scratch"
}

fail() {
    echo "FAILED: $*" >&2
    exit 1
}

# Skips the test when the npm packages of the example clients are not there (no registry).
need_node_library() {
    [ -d "$SOURCE_DIR/scenarios/clients/node_modules/stripe" ] && return
    echo "skipped: no scenarios/clients/node_modules/stripe; (cd scenarios/clients && npm ci)"
    exit 77
}

# psp_start [OPTION...]: sets PSP_URL and psp_pid. Waits until it listens; fails when it ends first.
psp_start() {
    rm -f "$scratch/port"
    "$MOCKPSP" --port 0 --port-file "$scratch/port" "$@" >"$scratch/out" 2>"$scratch/err" &
    psp_pid=$!
    until [ -s "$scratch/port" ]; do
        kill -0 "$psp_pid" 2>/dev/null || fail "mockpsp did not start: $(cat "$scratch/err")"
        sleep 0.02
    done
    PSP_URL=http://127.0.0.1:$(cat "$scratch/port")
    export PSP_URL
}

# Ends it as a supervisor would, and expects a clean end.
psp_stop() {
    [ -n "$psp_pid" ] || return 0
    local pid=$psp_pid
    psp_pid=
    kill -TERM "$pid" 2>/dev/null || true
    wait "$pid" || fail "mockpsp ended with status $?: $(cat "$scratch/err")"
}

# psp_charge ORDER KEY: one payment; prints status and body.
psp_charge() {
    curl -sS -u sk_test_shell: -H "Idempotency-Key: $2" -d amount=1000 -d currency=usd \
        -d source=tok_visa -d "metadata[order_id]=$1" -w '\n%{http_code}\n' "$PSP_URL/v1/charges"
}
