#include "schema.h"

/* Never change a step that was released: databases made with it exist. Add the next one. */
const char *const SCHEMA_STEPS[] = {
    "CREATE TABLE numbers (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;"

    "CREATE TABLE journal ("
    "  seq INTEGER PRIMARY KEY AUTOINCREMENT, at_ms INTEGER NOT NULL, account TEXT NOT NULL,"
    "  kind TEXT NOT NULL, request INTEGER NOT NULL, order_id TEXT, data TEXT NOT NULL);"
    "CREATE INDEX journal_request ON journal (request);"

    /* state: 'in_flight' until the effect and the answer are committed together as 'done'. */
    "CREATE TABLE idempotency_keys ("
    "  account TEXT NOT NULL, key TEXT NOT NULL, method TEXT NOT NULL, path TEXT NOT NULL,"
    "  fingerprint TEXT NOT NULL, request_id TEXT NOT NULL, state TEXT NOT NULL,"
    "  status INTEGER, body TEXT, created_ms INTEGER NOT NULL,"
    "  PRIMARY KEY (account, key)) WITHOUT ROWID;"

    "CREATE TABLE customers ("
    "  row INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, account TEXT NOT NULL,"
    "  created INTEGER NOT NULL, email TEXT, name TEXT, phone TEXT, description TEXT,"
    "  metadata TEXT NOT NULL);"

    "CREATE TABLE payment_intents ("
    "  row INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, account TEXT NOT NULL,"
    "  created INTEGER NOT NULL, amount INTEGER NOT NULL, currency TEXT NOT NULL,"
    "  status TEXT NOT NULL, customer TEXT, card TEXT, description TEXT,"
    "  metadata TEXT NOT NULL, latest_charge TEXT, decline_code TEXT);"
    "CREATE INDEX payment_intents_account ON payment_intents (account, customer);"

    "CREATE TABLE charges ("
    "  row INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, account TEXT NOT NULL,"
    "  created INTEGER NOT NULL, amount INTEGER NOT NULL, refunded INTEGER NOT NULL DEFAULT 0,"
    "  currency TEXT NOT NULL, payment_intent TEXT, customer TEXT, card TEXT NOT NULL,"
    "  description TEXT, metadata TEXT NOT NULL, decline_code TEXT, balance_transaction TEXT,"
    "  CHECK (refunded >= 0 AND refunded <= amount));"
    "CREATE INDEX charges_account ON charges (account, customer);"
    "CREATE INDEX charges_payment_intent ON charges (payment_intent);"

    "CREATE TABLE refunds ("
    "  row INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, account TEXT NOT NULL,"
    "  created INTEGER NOT NULL, amount INTEGER NOT NULL, currency TEXT NOT NULL,"
    "  charge TEXT NOT NULL, payment_intent TEXT, reason TEXT, metadata TEXT NOT NULL,"
    "  balance_transaction TEXT);"
    "CREATE INDEX refunds_charge ON refunds (charge);"

    /* Double entry: the amounts of one transaction add up to zero in each currency. */
    "CREATE TABLE postings ("
    "  row INTEGER PRIMARY KEY, transaction_id TEXT NOT NULL, account TEXT NOT NULL,"
    "  book TEXT NOT NULL, amount INTEGER NOT NULL, currency TEXT NOT NULL,"
    "  source TEXT NOT NULL, created INTEGER NOT NULL);"
    "CREATE INDEX postings_transaction ON postings (transaction_id);",

    "CREATE INDEX idempotency_keys_age ON idempotency_keys (state, created_ms);",

    /* Rows of AUTOINCREMENT are never used again: ids are made from them. An endpoint of account ''
     * listens to all. A delivery is committed with its event. */
    "CREATE TABLE events ("
    "  row INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, account TEXT NOT NULL,"
    "  created_ms INTEGER NOT NULL, type TEXT NOT NULL, object TEXT NOT NULL, request TEXT,"
    "  idempotency_key TEXT);"
    "CREATE INDEX events_account ON events (account, row);"
    "CREATE INDEX events_age ON events (created_ms);"

    "CREATE TABLE webhook_endpoints ("
    "  row INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, account TEXT NOT NULL,"
    "  created INTEGER NOT NULL, url TEXT NOT NULL, enabled_events TEXT NOT NULL,"
    "  description TEXT, metadata TEXT NOT NULL, status TEXT NOT NULL, api_version TEXT,"
    "  secret TEXT NOT NULL, old_secret TEXT, old_secret_until_ms INTEGER NOT NULL DEFAULT 0);"

    "CREATE TABLE deliveries ("
    "  row INTEGER PRIMARY KEY AUTOINCREMENT, event TEXT NOT NULL, endpoint TEXT NOT NULL,"
    "  account TEXT NOT NULL, state TEXT NOT NULL, attempts INTEGER NOT NULL DEFAULT 0,"
    "  first_ms INTEGER NOT NULL, next_ms INTEGER NOT NULL, last_ms INTEGER,"
    "  last_status INTEGER, last_error TEXT, UNIQUE (event, endpoint));"
    "CREATE INDEX deliveries_due ON deliveries (endpoint, state, next_ms);",

    /* The plain face: the names that a charge has there. Same id. */
    "CREATE TABLE plain_payments ("
    "  row INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, account TEXT NOT NULL,"
    "  created INTEGER NOT NULL, operation_id TEXT, reference TEXT);"
    "CREATE INDEX plain_payments_operation ON plain_payments (account, operation_id);"
    "CREATE INDEX plain_payments_reference ON plain_payments (account, reference);",
    /* The merchant's half of each transaction. */
    "CREATE VIEW balance_transactions AS"
    "  SELECT row, transaction_id AS id, account, created, amount, currency, source,"
    "    CASE substr(source, 1, 3) WHEN 're_' THEN iif(amount < 0, 'refund', 'refund_failure')"
    "      WHEN 'du_' THEN 'adjustment' ELSE 'charge' END AS type"
    "  FROM postings WHERE book = 'merchant';"
    "CREATE INDEX postings_account ON postings (account, book);",
    /* A charge may wait: for its capture, or for the bank. */
    "ALTER TABLE charges ADD COLUMN state TEXT NOT NULL DEFAULT 'captured';"
    "ALTER TABLE charges ADD COLUMN captured INTEGER NOT NULL DEFAULT 0;"
    "ALTER TABLE charges ADD COLUMN settle_ms INTEGER NOT NULL DEFAULT 0;"
    "ALTER TABLE charges ADD COLUMN receipt_email TEXT;"
    "ALTER TABLE charges ADD COLUMN order_id TEXT;"
    "UPDATE charges SET state = 'failed' WHERE decline_code IS NOT NULL;"
    "UPDATE charges SET captured = amount WHERE decline_code IS NULL;"
    "CREATE INDEX charges_waiting ON charges (settle_ms) WHERE state = 'pending';"
    "ALTER TABLE payment_intents ADD COLUMN capture_method TEXT NOT NULL DEFAULT 'automatic';"
    "ALTER TABLE payment_intents ADD COLUMN received INTEGER NOT NULL DEFAULT 0;"
    "ALTER TABLE payment_intents ADD COLUMN receipt_email TEXT;"
    "ALTER TABLE payment_intents ADD COLUMN cancellation_reason TEXT;"
    "ALTER TABLE payment_intents ADD COLUMN canceled_at INTEGER NOT NULL DEFAULT 0;"
    "UPDATE payment_intents SET received = amount WHERE status = 'succeeded';",

    "ALTER TABLE customers ADD COLUMN address TEXT;"
    "ALTER TABLE customers ADD COLUMN shipping TEXT;"
    "ALTER TABLE customers ADD COLUMN default_method TEXT;"
    "ALTER TABLE customers ADD COLUMN default_source TEXT;"
    "ALTER TABLE customers ADD COLUMN deleted INTEGER NOT NULL DEFAULT 0;"
    "CREATE INDEX customers_account ON customers (account, email);"

    "CREATE TABLE payment_methods ("
    "  row INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, account TEXT NOT NULL,"
    "  created INTEGER NOT NULL, card TEXT NOT NULL, customer TEXT,"
    "  detached INTEGER NOT NULL DEFAULT 0, billing TEXT, metadata TEXT NOT NULL);"
    "CREATE INDEX payment_methods_account ON payment_methods (account, customer);",

    "CREATE TABLE disputes ("
    "  row INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, account TEXT NOT NULL,"
    "  created INTEGER NOT NULL, amount INTEGER NOT NULL, currency TEXT NOT NULL,"
    "  charge TEXT NOT NULL, payment_intent TEXT, status TEXT NOT NULL, reason TEXT NOT NULL,"
    "  evidence TEXT NOT NULL, metadata TEXT NOT NULL, submitted INTEGER NOT NULL,"
    "  balance_transaction TEXT NOT NULL, reinstatement TEXT);"
    "CREATE INDEX disputes_charge ON disputes (charge);"
    "ALTER TABLE charges ADD COLUMN dispute TEXT;",

    /* Whose card it was: a payment method of the account, not a test card by its own name. */
    "ALTER TABLE charges ADD COLUMN payment_method TEXT;"
    "ALTER TABLE payment_intents ADD COLUMN payment_method TEXT;",

    /* Expired ones stay for a while, to be told from unknown ones. */
    "CREATE TABLE access_tokens ("
    "  token TEXT PRIMARY KEY, account TEXT NOT NULL, expires_ms INTEGER NOT NULL) WITHOUT ROWID;"
    "CREATE INDEX access_tokens_age ON access_tokens (expires_ms);",

    "CREATE TABLE setup_intents ("
    "  row INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, account TEXT NOT NULL,"
    "  created INTEGER NOT NULL, status TEXT NOT NULL, customer TEXT, card TEXT,"
    "  payment_method TEXT, usage TEXT NOT NULL, description TEXT, metadata TEXT NOT NULL,"
    "  decline_code TEXT, cancellation_reason TEXT);"
    "CREATE INDEX setup_intents_account ON setup_intents (account, customer);",

    "CREATE TABLE checkout_sessions ("
    "  row INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, account TEXT NOT NULL,"
    "  created INTEGER NOT NULL, expires INTEGER NOT NULL, status TEXT NOT NULL,"
    "  setup INTEGER NOT NULL, paid INTEGER NOT NULL, amount INTEGER NOT NULL, currency TEXT,"
    "  customer TEXT, customer_email TEXT, reference TEXT, success_url TEXT, cancel_url TEXT,"
    "  metadata TEXT NOT NULL, items TEXT NOT NULL, intent_words TEXT NOT NULL,"
    "  payment_intent TEXT, setup_intent TEXT);"
    "CREATE INDEX checkout_sessions_account ON checkout_sessions (account, customer);"
    "CREATE INDEX checkout_sessions_open ON checkout_sessions (expires) WHERE status = 'open';",

    /* A refund may take its time, and may come back. */
    "ALTER TABLE refunds ADD COLUMN state TEXT NOT NULL DEFAULT 'succeeded';"
    "ALTER TABLE refunds ADD COLUMN settle_ms INTEGER NOT NULL DEFAULT 0;"
    "ALTER TABLE refunds ADD COLUMN failure_reason TEXT;"
    "ALTER TABLE refunds ADD COLUMN failure_transaction TEXT;"
    "CREATE INDEX refunds_waiting ON refunds (settle_ms) WHERE settle_ms > 0;"
    "DROP INDEX charges_waiting;"
    "CREATE INDEX charges_waiting ON charges (settle_ms) WHERE settle_ms > 0;",

    "ALTER TABLE payment_methods RENAME COLUMN detached TO spent;"
    "ALTER TABLE payment_intents ADD COLUMN future_usage TEXT;",

    /* What foreign faces made: the names that a charge has there, or an order without a charge. */
    "CREATE TABLE foreign_objects ("
    "  row INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, account TEXT NOT NULL,"
    "  face TEXT NOT NULL, created INTEGER NOT NULL, amount INTEGER NOT NULL,"
    "  currency TEXT NOT NULL, reference TEXT, charge TEXT);",

    /* Spent by paying, it may still be saved once the money comes; detached, it may not. */
    "ALTER TABLE payment_methods ADD COLUMN detached INTEGER NOT NULL DEFAULT 0;",

    "CREATE INDEX checkout_sessions_intent ON checkout_sessions (payment_intent)"
    "  WHERE payment_intent IS NOT NULL;",

    "ALTER TABLE checkout_sessions ADD COLUMN method_types TEXT NOT NULL DEFAULT '[\"card\"]';",

    "ALTER TABLE events ADD COLUMN previous TEXT;",

    "ALTER TABLE payment_intents ADD COLUMN shown TEXT;",

    /* What faults do to the next attempt of a delivery, and (faults) have done so far. */
    "ALTER TABLE deliveries ADD COLUMN decided INTEGER NOT NULL DEFAULT 0;"
    "ALTER TABLE deliveries ADD COLUMN held_ms INTEGER NOT NULL DEFAULT 0;"
    "ALTER TABLE deliveries ADD COLUMN duplicated INTEGER NOT NULL DEFAULT 0;"
    "ALTER TABLE deliveries ADD COLUMN forged INTEGER NOT NULL DEFAULT 0;"
    "ALTER TABLE deliveries ADD COLUMN faults TEXT;"
    "CREATE INDEX deliveries_held ON deliveries (endpoint, row) WHERE held_ms > 0;"
    "ALTER TABLE events ADD COLUMN order_id TEXT;"
    "CREATE INDEX events_request ON events (request) WHERE request IS NOT NULL;",

    /* What reads do not see yet, by the end of its id. */
    "CREATE TABLE stale_objects ("
    "  part TEXT PRIMARY KEY, account TEXT NOT NULL, until_ms INTEGER NOT NULL) WITHOUT ROWID;",
};

int schema_version(void)
{
    return (int)(sizeof SCHEMA_STEPS / sizeof SCHEMA_STEPS[0]);
}
