/* An HTTP request as it came over the wire, before anybody has made sense of it. */
#ifndef REQUEST_H
#define REQUEST_H

#include "buf.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct request_header {
    char *name;
    char *value;
};

/* A zeroed struct request is an empty one. Everything in it is owned. */
struct request {
    char *method;
    char *path;  /* without the query, percent-encoding undone by nobody */
    char *query; /* after the '?', or NULL */
    struct request_header *headers;
    size_t header_count;
    struct buf body;
    uint64_t connection;    /* from 1 */
    uint64_t on_connection; /* 1: first request on its connection */
    int peer_port;          /* of the client's end; 0: it has none */
};

/* Copies both. */
void request_add_header(struct request *request, const char *name, const char *value);

/* All of it once more, owned by the caller. */
struct request request_copy(const struct request *request);

/* The first header of that name in any spelling of case; NULL when there is none. */
const char *request_header(const struct request *request, const char *name);

/* Whether what is kept of it is UTF-8: method, path, and the headers that are written down. */
bool request_is_text(const struct request *request);

void request_release(struct request *request);

#endif
