/* Answers that the HTTP library would never write, byte by byte. */
#include "http_call.h"

#include <string.h>

static void add_status_line(struct buf *out, int status)
{
    buf_addf(out, "HTTP/1.1 %d %s\r\n", status, MHD_get_reason_phrase_for((unsigned)status));
}

static void add_headers(struct buf *out, const struct reply *reply)
{
    for (const struct json *header = json_first(reply->headers); header != NULL;
         header = json_next(header))
        buf_addf(out, "%s: %s\r\n", json_name(header), json_as_string(header));
}

/* The length comes first, so that a cut in the middle of its line is the rule; the last line is
 * never whole, so that the head never ends. */
void raw_answer_cut_header(struct exchange *x)
{
    struct buf headers = {0};
    buf_addf(&headers, "Content-Length: %zu\r\n", strlen(x->reply.body));
    add_headers(&headers, &x->reply);
    size_t most = headers.len - strlen("?\r\n");
    add_status_line(&x->raw, x->reply.status);
    buf_add(&x->raw, buf_string(&headers), (size_t)x->cut < most ? (size_t)x->cut : most);
    buf_release(&headers);
}

/* The whole body behind a size that ends inside it: where the next size line should begin, there is
 * something else. An empty body is announced as one byte. */
void raw_answer_broken_chunk(struct exchange *x)
{
    size_t length = strlen(x->reply.body), size = (size_t)x->cut;
    if (size >= length)
        size = length > 1 ? length - 1 : 1;
    add_status_line(&x->raw, x->reply.status);
    add_headers(&x->raw, &x->reply);
    buf_addf(&x->raw, "Transfer-Encoding: chunked\r\n\r\n%zx\r\n%s\r\n0\r\n\r\n", size,
             x->reply.body);
}
