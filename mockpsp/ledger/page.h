/* One page of a list, newest first: the cursor rules that all lists share. */
#ifndef PAGE_H
#define PAGE_H

#include <stdbool.h>

#define PAGE_DEFAULT 10
#define PAGE_LARGEST 100

struct page {
    int limit;                  /* 1 .. PAGE_LARGEST */
    const char *starting_after; /* id: only what is older, or NULL */
    const char *ending_before;  /* id: only what is newer, or NULL */
    bool has_more;              /* out: there is more in the direction of travel */
};

/* Both cursors as conditions on `row` of TABLE, with ?2 and ?3 as their parameters, then the order
 * (ending_before walks upwards) and ?4 rows. Bind page_sql_limit for ?4. */
#define PAGE_SQL(table)                                                                            \
    " AND (?2 IS NULL OR row < (SELECT row FROM " table " WHERE id = ?2))"                         \
    " AND (?3 IS NULL OR row > (SELECT row FROM " table " WHERE id = ?3))"                         \
    " ORDER BY CASE WHEN ?3 IS NULL THEN -row ELSE row END LIMIT ?4"

/* One more than asked for, to see whether there is more. */
int page_sql_limit(const struct page *page);

/* COUNT rows came back: sets has_more, and returns how many belong to the page. */
int page_close(struct page *page, int count);

#endif
