#!/bin/bash
# pay_locked.sh random|order: a job of which there is one at a time for each order: it takes a lock. So that a
# worker that died does not hold it for ever, a lock expires, here after a second.
key=$ORDER_ID
if [ "$1" = random ]; then key=$RANDOM$RANDOM$RANDOM; fi
lock=$STATE_DIR/$ORDER_ID.lock paid=$STATE_DIR/$ORDER_ID.paid

until mkdir "$lock" 2>/dev/null; do
    [ -e "$paid" ] && exit 0
    if [ -z "$(find "$lock" -maxdepth 0 -newermt '-1 second' 2>&1)" ]; then
        touch "$lock" # expired: now it is ours
        break
    fi
    sleep 0.1
done
[ -e "$paid" ] && exit 0

# It waits longer than the lock lives.
status=$(curl -sS --max-time 3 -o /dev/null -w '%{http_code}' -u "$PSP_API_KEY:" \
    -H "Idempotency-Key: $key" "$PSP_URL/v1/payment_intents" \
    -d amount="$ORDER_AMOUNT" -d currency="$ORDER_CURRENCY" -d "metadata[order_id]=$ORDER_ID" \
    -d payment_method=pm_card_visa -d confirm=true)
if [ "$status" = 200 ]; then touch "$paid"; fi
rmdir "$lock" 2>/dev/null
[ -e "$paid" ] || exit 75
