"""The calls to the provider that the clients of the field have in common."""
import http.client
import json
import os
import urllib.parse

MONEY_MOVES = ("succeeded", "processing", "requires_capture")


class NoAnswer(Exception):
    """Nobody knows what the call did."""


def order():
    """The one that this process is for."""
    return {"id": os.environ["ORDER_ID"], "amount": os.environ["ORDER_AMOUNT"],
            "currency": os.environ["ORDER_CURRENCY"]}


def call(method, path, form=None, key=None, timeout=1):
    """(status, headers, JSON) of a whole answer; anything less is NoAnswer. TIMEOUT in seconds."""
    headers = {"Authorization": "Bearer " + os.environ["PSP_API_KEY"],
               "Content-Type": "application/x-www-form-urlencoded"}
    if key:
        headers["Idempotency-Key"] = key
    host = urllib.parse.urlsplit(os.environ["PSP_URL"]).netloc
    connection = http.client.HTTPConnection(host, timeout=timeout)
    try:
        connection.request(method, path, form and urllib.parse.urlencode(form), headers)
        answer = connection.getresponse()
        return answer.status, answer.headers, json.loads(answer.read())
    except (OSError, http.client.HTTPException, ValueError) as error:
        raise NoAnswer(f"{type(error).__name__}: {error}") from error
    finally:
        connection.close()


def pay(order, key=None, timeout=1):
    """What became of ORDER (id, amount, currency), and its payment: "paid", "failed" (declined) or
    "unknown"; "spent" is unknown as well, and the key will never say anything else."""
    try:
        status, headers, answer = call("POST", "/v1/payment_intents", {
            "amount": order["amount"], "currency": order["currency"], "confirm": "true",
            "payment_method": "pm_card_visa", "metadata[order_id]": order["id"]}, key, timeout)
    except NoAnswer:
        return "unknown", None
    if status == 200 and answer.get("status") == "succeeded":
        return "paid", answer["id"]
    if status == 402:
        return "failed", None
    if status >= 500 and headers.get("Idempotent-Replayed") == "true":
        return "spent", None
    return "unknown", None


def find(order_id):
    """The order's payment, as (outcome, id): "paid", or "unknown" when it is on its way; "none" when
    there is none. All pages; NoAnswer: nobody knows."""
    path = "/v1/payment_intents?limit=100"
    while path:
        status, _, page = call("GET", path)
        if status != 200:
            raise NoAnswer(f"{status} instead of a list")
        for payment in page["data"]:
            if payment["metadata"].get("order_id") == order_id and payment["status"] in MONEY_MOVES:
                return "paid" if payment["status"] == "succeeded" else "unknown", payment["id"]
        path = page["has_more"] and \
            "/v1/payment_intents?limit=100&starting_after=" + page["data"][-1]["id"]
    return "none", None


def claim(order_id, outcome):
    """Says what became of an order, in one piece, whoever else is writing."""
    word = {"paid": "succeeded", "failed": "failed"}.get(outcome, "unknown")
    os.write(1, (json.dumps({"order": order_id, "outcome": word}) + "\n").encode())
