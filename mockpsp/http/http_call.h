/* Shared by server.c and ending.c alone: a request on its way through libmicrohttpd. */
#ifndef HTTP_CALL_H
#define HTTP_CALL_H

#include "acceptor.h"
#include "exchange.h"
#include "server.h"

#include <microhttpd.h>
#include <stdbool.h>
#include <stdint.h>

/* One request on its way through libmicrohttpd. */
struct call {
    struct server *server;
    struct MHD_Connection *connection;
    char *target; /* path and query as sent */
    struct request request;
    struct exchange *x; /* NULL before the request is complete, and for /_mock/ */
    bool headers_seen;
    bool too_large;
    bool decided; /* the exchange has come to its end */
    bool suspended;
    bool closing;             /* the server stops */
    bool piece_due;           /* of an answer in pieces: the next one may leave */
    bool flushed;             /* of an answer that ends in a reset: its part has left */
    size_t raw_sent;          /* of x->raw */
    struct loop_timer *timer; /* until then */
    struct call *next;
    struct call *previous;
};

/* One connection. */
struct line {
    uint64_t number;
    uint64_t requests;
    int fd;
    struct loop_watch *watch; /* waits for the client to go; NULL: it has gone */
    struct call *current;     /* the call whose exchange is under way, or NULL */
    struct call *hanging;     /* the call that waits for that, or NULL */
};

struct server {
    struct core *core;
    struct control *control;
    struct server_options options;
    struct MHD_Daemon *daemon;
    struct acceptor acceptor;
    struct loop_watch *watch;
    struct loop_timer *timer;
    uint64_t connections;
    struct call *calls;
};

/* The connection that CALL came on. */
struct line *http_call_line(struct call *call);

/* Lets CALL wait, and go on again in the next turn of the loop. Waking one that does not wait does
 * nothing. */
void http_call_suspend(struct call *call);
void http_call_wake(struct call *call);

/* --- ending.c: how an exchange ends on the wire --- */

enum MHD_Result ending_send_reply(struct call *call, const struct reply *reply);

/* Carries out what was decided. MHD_NO makes the library close the connection. */
enum MHD_Result ending_carry_out(struct call *call);

/* Nobody hears what has not left yet: CALL, if it waits to send a piece, ends at once. */
void ending_client_gone(struct call *call);

/* --- raw_answer.c: x->raw from the reply, for ENDING_CUT and ENDING_CHUNK --- */

void raw_answer_cut_header(struct exchange *x);
void raw_answer_broken_chunk(struct exchange *x);

#endif
