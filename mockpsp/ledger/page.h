/* One page of a list, newest first: the cursor rules that all lists share. */
#ifndef PAGE_H
#define PAGE_H

#include <stdbool.h>
#include <stdint.h>

#define PAGE_DEFAULT 10
#define PAGE_LARGEST 100

struct page {
    int limit;                  /* 1 .. PAGE_LARGEST */
    const char *starting_after; /* id: only what is older, or NULL */
    const char *ending_before;  /* id: only what is newer, or NULL */
    int64_t created_from;       /* Unix time, s: only what was made then or later */
    int64_t created_before;     /* Unix time, s: only what was made before; 0: no end */
    int64_t seen_ms; /* provider's clock, ms: without what is stale then (stale.h); 0: all */
    bool has_more;   /* out: there is more in the direction of travel */
};

/* The end of a query of TABLE: the cursors and the time as conditions, the order (ending_before
 * walks upwards) and the limit. CREATED is the column of the time. The parameters are named, so
 * that they are numbered after all those in front of them: bind PAGE_TYPES and PAGE_VALUES last. */
#define PAGE_SQL(table, created)                                                                   \
    " AND (:after IS NULL OR row < (SELECT row FROM " table " WHERE id = :after))"                 \
    " AND (:before IS NULL OR row > (SELECT row FROM " table " WHERE id = :before))"               \
    " AND " created " >= :created_from AND " created " < :created_before"                          \
    " AND (:seen_ms = 0 OR NOT EXISTS (SELECT 1 FROM stale_objects"                                \
    "   WHERE part = substr(" table ".id, -24) AND until_ms > :seen_ms))"                          \
    " ORDER BY CASE WHEN :before IS NULL THEN -row ELSE row END LIMIT :limit"
#define PAGE_TYPES "ttiiii"
#define PAGE_VALUES(page)                                                                          \
    (page)->starting_after, (page)->ending_before, (page)->created_from, page_sql_before(page),    \
        (page)->seen_ms, page_sql_limit(page)

/* What PAGE_VALUES binds: where time ends, and one row more than asked for, to see whether there is
 * more. */
int64_t page_sql_before(const struct page *page);
int64_t page_sql_limit(const struct page *page);

/* COUNT rows came back: sets has_more, and returns how many belong to the page. */
int page_close(struct page *page, int count);

#endif
