#include "request.h"

#include "mem.h"
#include "utf8.h"

#include <stdlib.h>
#include <strings.h>

void request_add_header(struct request *request, const char *name, const char *value)
{
    request->headers =
        mem_resize(request->headers, request->header_count + 1, sizeof *request->headers);
    request->headers[request->header_count++] = (struct request_header){
        .name = mem_strdup(name), .value = mem_strdup(value == NULL ? "" : value)};
}

struct request request_copy(const struct request *request)
{
    struct request copy = {.method = mem_strdup(request->method),
                           .path = mem_strdup(request->path),
                           .query = mem_strdup(request->query),
                           .connection = request->connection,
                           .on_connection = request->on_connection};
    for (size_t i = 0; i < request->header_count; i++)
        request_add_header(&copy, request->headers[i].name, request->headers[i].value);
    if (request->body.len > 0)
        buf_add(&copy.body, request->body.data, request->body.len);
    return copy;
}

const char *request_header(const struct request *request, const char *name)
{
    for (size_t i = 0; i < request->header_count; i++)
        if (strcasecmp(request->headers[i].name, name) == 0)
            return request->headers[i].value;
    return NULL;
}

bool request_is_text(const struct request *request)
{
    static const char *const kept[] = {"Idempotency-Key", "Stripe-Account"};
    for (size_t i = 0; i < sizeof kept / sizeof kept[0]; i++) {
        const char *value = request_header(request, kept[i]);
        if (value != NULL && !utf8_valid(value))
            return false;
    }
    return utf8_valid(request->method) && utf8_valid(request->path);
}

void request_release(struct request *request)
{
    for (size_t i = 0; i < request->header_count; i++) {
        free(request->headers[i].name);
        free(request->headers[i].value);
    }
    free(request->method);
    free(request->path);
    free(request->query);
    free(request->headers);
    buf_release(&request->body);
    *request = (struct request){0};
}
