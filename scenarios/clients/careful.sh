#!/bin/bash
# A job that pays one order once, with curl and jq, whatever happens to it.
#
# 1. Its key is on the disk before the first byte is sent, so every later run sends the same one.
# 2. No answer is an answer of its own: unknown. The same key is tried again, and after a few times
#    the job says 75, "run me again". Unknown is never "failed".
# 3. A run that finds an unfinished record asks the provider before it pays: a key lives for a day,
#    a record for ever.
set -Eu -o pipefail
trap 'exit 75' ERR # not the status of what broke: 1 would say "failed and not paid"

TRIES=4
record=$STATE_DIR/$ORDER_ID.json
answer=$(mktemp -d "$STATE_DIR/answer.XXXXXX")
trap 'rm -rf "$answer"' EXIT

# --- the record: what this job knows ------------------------------------------------------------

# keep ATTEMPT STATE PAYMENT: all or nothing, and there after a power cut: a new file, flushed,
# renamed, its folder flushed.
keep() {
    attempt=$1 state=$2 payment=$3
    jq -n --argjson attempt "$1" --arg state "$2" --arg payment "$3" \
        '{$attempt, $state, $payment}' >"$record.new"
    sync "$record.new"
    mv "$record.new" "$record"
    sync "$STATE_DIR"
}

# --- the two calls ------------------------------------------------------------------------------

# call PATH [CURL OPTION...]: leaves $status, and the answer in $answer. A status line alone is no
# answer, the connection may die or the body break off after it: that is status 0.
call() {
    local path=$1
    shift
    rm -f "$answer"/*
    status=$(curl -sS --max-time 1 -u "$PSP_API_KEY:" -D "$answer/headers" -o "$answer/body" \
        -w '%{http_code}' "$@" "$PSP_URL$path") || status=0
    body objects >/dev/null || status=0
}

body() { # JQ-FILTER: of the answer's body. False when that is null, false or nothing
    jq -ecr --arg order "$ORDER_ID" "$1" "$answer/body" 2>/dev/null
}

header() { # NAME
    [ ! -e "$answer/headers" ] || sed -n "s/^$1: *\([^[:space:]]*\).*/\1/Ip" "$answer/headers"
}

pay() {
    # The key is derived, not random: two runs of this job, even at once, cannot make two of them.
    # The metadata is how the payment is found when its answer is lost.
    call /v1/payment_intents -H "Idempotency-Key: $ORDER_ID-attempt-$attempt" \
        -d amount="$ORDER_AMOUNT" -d currency="$ORDER_CURRENCY" \
        -d payment_method=pm_card_visa -d confirm=true \
        --data-urlencode "metadata[order_id]=$ORDER_ID"
}

# Leaves $found, "" when there is none; false when nobody knows. All pages; a big shop narrows them
# with `created` or `customer`. Not the search: that lags behind, and would show nothing over a
# charge that stands.
find_payment() {
    local after=
    while :; do
        call "/v1/payment_intents?limit=100$after"
        if [ "$status" != 200 ] || ! body '.data | arrays' >/dev/null; then return 1; fi
        # shellcheck disable=SC2016 # $order is the variable of jq
        found=$(body '[.data[] | select(.metadata.order_id == $order) | select(.status |
            IN("succeeded", "processing", "requires_capture"))] | .[0] // ""')
        if [ -n "$found" ] || ! body '.has_more' >/dev/null; then return 0; fi
        after="&starting_after=$(body '.data[-1].id')"
    done
}

# --- the job ------------------------------------------------------------------------------------

judge() { # PAYMENT
    local id
    id=$(jq -r .id <<<"$1")
    case $(jq -r .status <<<"$1") in
        succeeded) keep "$attempt" paid "$id" ;;
        # It waits for the customer, and nobody is here.
        requires_payment_method | requires_action | canceled) keep "$attempt" failed "$id" ;;
        # Not final yet, or no word that this job knows.
        *) doubt=yes ask_first=yes ;;
    esac
}

judge_error() {
    retry_after=$(header Retry-After)
    case $status/$(body '.error.type' || true)/$doubt in
        402/card_error/*) keep "$attempt" failed "$(body '.error.payment_intent.id // ""')" ;;
        # Refused. On a retry it would say nothing of the first try.
        40[01]/invalid_request_error/) keep "$attempt" failed '' ;;
        *)
            doubt=yes key_is_spent=
            # A stored 500: the key answers with it as long as it lives.
            if [ "$status" -ge 500 ] && [ "$(header Idempotent-Replayed)" = true ]; then
                ask_first=yes key_is_spent=yes
            fi
            ;;
    esac
}

step() {
    found=
    if [ -n "$ask_first" ] && ! find_payment; then
        judge_error
    elif [ -n "$found" ]; then
        judge "$found"
    else
        # The key has said its last word and there is no payment: now a new key is safe.
        if [ -n "$key_is_spent" ]; then keep $((attempt + 1)) pending ''; fi
        ask_first='' key_is_spent=''
        pay
        if [ "$status" = 200 ]; then judge "$(body .)"; else judge_error; fi
    fi
}

backoff() { # TRIES
    local ms=$((100 * 2 ** $1 * (50 + RANDOM % 51) / 100))
    case $retry_after in
        '' | 0 | *[!0-9]*) ;;
        1) ms=1000 ;;
        *) ms=2000 ;;
    esac
    sleep "$((ms / 1000)).$(printf %03d $((ms % 1000)))"
}

doubt='' ask_first='' key_is_spent='' retry_after=''
if [ -e "$record" ]; then
    attempt=$(jq -e .attempt "$record") state=$(jq -er .state "$record")
    payment=$(jq -er .payment "$record")
    doubt=yes ask_first=yes # something was sent, and nobody knows what became of it
else
    keep 1 pending ''
fi

for ((tries = 0; tries < TRIES; tries++)); do
    if [ "$state" != pending ]; then break; fi
    if [ "$tries" -gt 0 ]; then backoff "$tries"; fi
    step
done

case $state in
    paid) outcome=succeeded code=0 ;;
    failed) outcome=failed code=1 ;;
    *) outcome=unknown code=75 ;;
esac
jq -nc --arg order "$ORDER_ID" --arg outcome "$outcome" --arg payment "$payment" \
    '{$order, $outcome} + if $payment == "" then {} else {$payment} end'
exit $code
