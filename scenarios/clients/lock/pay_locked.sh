#!/bin/bash
# pay_locked.sh random|order: a job of which there is one at a time for each order: it takes a lock.
# So that a worker that died does not hold it for ever, a lock expires, here after a second. The key
# is made for each run, or of the order.
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
answer=$(curl -sS --max-time 3 -u "$PSP_API_KEY:" -H "Idempotency-Key: $key" \
    "$PSP_URL/v1/payment_intents" \
    -d amount="$ORDER_AMOUNT" -d currency="$ORDER_CURRENCY" -d "metadata[order_id]=$ORDER_ID" \
    -d payment_method=pm_card_visa -d confirm=true)
outcome=$(jq -r '.status // .error.type' 2>/dev/null <<<"$answer")
if [ "$outcome" = succeeded ]; then touch "$paid"; fi
rmdir "$lock" 2>/dev/null
case $outcome in
    succeeded) exit 0 ;;
    card_error) exit 1 ;; # declined, and that is final
    *) exit 75 ;;
esac
