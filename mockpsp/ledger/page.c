#include "page.h"

int page_sql_limit(const struct page *page)
{
    return page->limit + 1;
}

int page_close(struct page *page, int count)
{
    page->has_more = count > page->limit;
    return page->has_more ? page->limit : count;
}
