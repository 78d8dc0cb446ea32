#include "due.h"

#include "stmt.h"

#include <stdlib.h>

enum err due_next(struct store *store, struct due *due)
{
    struct stmt *stmt =
        stmt_query(store,
                   "SELECT id, account, card, settle_ms FROM charges WHERE settle_ms > 0"
                   " UNION ALL SELECT r.id, r.account, c.card, r.settle_ms"
                   " FROM refunds r JOIN charges c ON c.id = r.charge WHERE r.settle_ms > 0"
                   " ORDER BY settle_ms, id LIMIT 1",
                   "");
    *due = (struct due){0};
    enum err err = stmt_next(stmt);
    if (err == ERR_OK)
        *due = (struct due){.id = stmt_text_copy(stmt, 0),
                            .account = stmt_text_copy(stmt, 1),
                            .card = card_find(stmt_text(stmt, 2)),
                            .at_ms = stmt_int(stmt, 3)};
    stmt_end(stmt);
    return err == ERR_END ? ERR_NOT_FOUND : err;
}

void due_release(struct due *due)
{
    free(due->id);
    free(due->account);
    *due = (struct due){0};
}
