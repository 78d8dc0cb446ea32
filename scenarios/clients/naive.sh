#!/bin/bash
# A job that pays one order with curl and no key, written the way most are.
#
# curl tries again on what looks like trouble with the network. Every one of its retries, and every
# later run of the job, is a new payment: nothing on the wire says that it is the same one.
paid_file=$STATE_DIR/$ORDER_ID.paid
[ -e "$paid_file" ] && exit 0

status=$(curl -sS --max-time 1 --retry 2 -o /dev/null -w '%{http_code}' \
    -u "$PSP_API_KEY:" "$PSP_URL/v1/payment_intents" \
    -d amount="$ORDER_AMOUNT" -d currency="$ORDER_CURRENCY" \
    -d payment_method=pm_card_visa -d confirm=true) || exit 75

case $status in
    # The mistake: whoever dies before the file is written has paid and does not know.
    200) touch "$paid_file" ;;
    402) exit 1 ;;
    # The other mistake: "an error, so run the job again", although nobody knows what it did.
    *) exit 75 ;;
esac
