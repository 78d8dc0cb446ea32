#include "foreign_object.h"

#include "stmt.h"

#include <stdlib.h>

#define COLUMNS "id, face, created, amount, currency, reference, charge"

enum err foreign_object_insert(struct store *store, const char *account,
                               const struct foreign_object *object)
{
    return stmt_run(
        store, "INSERT INTO foreign_objects (account, " COLUMNS ") VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        "tttiittt", account, object->id, object->face, object->created, object->amount,
        object->currency, object->reference, object->charge);
}

enum err foreign_object_get(struct store *store, const char *account, const char *id,
                            struct foreign_object *object)
{
    struct stmt *stmt =
        stmt_query(store, "SELECT " COLUMNS " FROM foreign_objects WHERE id = ? AND account = ?",
                   "tt", id, account);
    *object = (struct foreign_object){0};
    enum err err = stmt_next(stmt);
    if (err == ERR_OK)
        *object = (struct foreign_object){.id = stmt_text_copy(stmt, 0),
                                          .face = stmt_text_copy(stmt, 1),
                                          .created = stmt_int(stmt, 2),
                                          .amount = stmt_int(stmt, 3),
                                          .currency = stmt_text_copy(stmt, 4),
                                          .reference = stmt_text_copy(stmt, 5),
                                          .charge = stmt_text_copy(stmt, 6)};
    stmt_end(stmt);
    return err == ERR_END ? ERR_NOT_FOUND : err;
}

void foreign_object_release(struct foreign_object *object)
{
    free(object->id);
    free(object->face);
    free(object->currency);
    free(object->reference);
    free(object->charge);
    *object = (struct foreign_object){0};
}
