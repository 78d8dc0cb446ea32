#include "page.h"

int64_t page_sql_before(const struct page *page)
{
    return page->created_before == 0 ? INT64_MAX : page->created_before;
}

int64_t page_sql_limit(const struct page *page)
{
    return page->limit + 1;
}

int page_close(struct page *page, int count)
{
    page->has_more = count > page->limit;
    return page->has_more ? page->limit : count;
}
