#include "posting.h"

#include "check.h"
#include "stmt.h"

static enum err write_half(struct store *store, const struct posting *posting, const char *book,
                           int64_t amount)
{
    return stmt_run(store,
                    "INSERT INTO postings"
                    " (transaction_id, account, book, amount, currency, source, created)"
                    " VALUES (?, ?, ?, ?, ?, ?, ?)",
                    "tttitti", posting->transaction, posting->account, book, amount,
                    posting->currency, posting->source, posting->created);
}

enum err posting_record(struct store *store, const struct posting *posting)
{
    CHECK(store_in_transaction(store) && posting->amount > 0);
    enum err err = write_half(store, posting, posting->from, -posting->amount);
    if (err == ERR_OK)
        err = write_half(store, posting, posting->to, posting->amount);
    return err;
}

static enum err one_number(struct stmt *stmt, int64_t *number)
{
    enum err err = stmt_next(stmt);
    if (err == ERR_OK)
        *number = stmt_int(stmt, 0);
    stmt_end(stmt);
    return err;
}

enum err posting_balance(struct store *store, const char *account, const char *book,
                         const char *currency, int64_t *amount)
{
    return one_number(stmt_query(store,
                                 "SELECT coalesce(sum(amount), 0) FROM postings"
                                 " WHERE account = ? AND book = ? AND currency = ?",
                                 "ttt", account, book, currency),
                      amount);
}

enum err posting_audit(struct store *store, int64_t *wrong)
{
    return one_number(
        stmt_query(store,
                   "SELECT (SELECT count(*) FROM (SELECT 1 FROM postings"
                   "          GROUP BY transaction_id, currency HAVING sum(amount) <> 0))"
                   " + (SELECT count(*) FROM charges c WHERE c.state = 'captured' AND"
                   "     c.captured <> (SELECT coalesce(sum(p.amount), 0) FROM postings p"
                   "       WHERE p.transaction_id = c.balance_transaction"
                   "         AND p.book = 'merchant'))"
                   " + (SELECT count(*) FROM charges c WHERE c.state <> 'captured' AND"
                   "     (c.captured <> 0 OR c.balance_transaction IS NOT NULL))"
                   " + (SELECT count(*) FROM postings p JOIN charges c ON c.id = p.source"
                   "     WHERE c.state <> 'captured')"
                   " + (SELECT count(*) FROM charges c WHERE c.captured > c.amount"
                   "     OR c.refunded > c.captured)"
                   " + (SELECT count(*) FROM refunds r JOIN charges c ON c.id = r.charge"
                   "     WHERE r.balance_transaction IS NULL AND c.state <> 'released')"
                   " + (SELECT count(*) FROM refunds r WHERE r.balance_transaction IS NOT NULL AND"
                   "     -r.amount <> (SELECT coalesce(sum(p.amount), 0) FROM postings p"
                   "       WHERE p.transaction_id = r.balance_transaction"
                   "         AND p.book = 'merchant'))"
                   " + (SELECT count(*) FROM refunds r WHERE"
                   "     (r.state IN ('failed', 'canceled')) * r.amount <>"
                   "     (SELECT coalesce(sum(p.amount), 0) FROM postings p"
                   "       WHERE p.transaction_id = r.failure_transaction AND p.book = 'merchant'))"
                   " + (SELECT count(*) FROM disputes d WHERE"
                   "     -d.amount <> (SELECT coalesce(sum(p.amount), 0) FROM postings p"
                   "       WHERE p.transaction_id = d.balance_transaction"
                   "         AND p.book = 'merchant'))"
                   " + (SELECT count(*) FROM disputes d WHERE (d.status = 'won') * d.amount <>"
                   "     (SELECT coalesce(sum(p.amount), 0) FROM postings p"
                   "       WHERE p.transaction_id = d.reinstatement AND p.book = 'merchant'))"
                   " + (SELECT count(*) FROM charges c WHERE c.refunded <>"
                   "     (SELECT coalesce(sum(r.amount), 0) FROM refunds r"
                   "       WHERE r.charge = c.id AND r.state IN ('pending', 'succeeded')"
                   "         AND r.balance_transaction IS NOT NULL))",
                   ""),
        wrong);
}
