/* A fault source that asks somebody else: the harness, over a socket pair.
 *
 * Provider to harness, one JSON object per line, in the order in which things happen:
 *   {"type":"event","event":{…}}                           a journal entry, once it is committed
 *   {"type":"ask","at":"received","attempt":{…}}           the first question about a request
 *   {"type":"ask","at":"after_commit","number":7}          the later ones
 *   {"type":"end","number":7}                              the exchange is over
 *   {"type":"drained","processing":0,"webhooks":0}         the answer to drain: how many payments
 *                                                          still wait for their bank, and how many
 *                                                          webhooks are on their way
 *   {"type":"broken","why":"…"}                            its database failed
 *   {"type":"resting"}                                     the answer to rest, and the last word
 *                                                          until it serves again
 * Harness to provider:
 *   {"type":"act","number":7,"act":{"kind":"drop"}}        the answer to the open question about 7
 *   {"type":"advance","ms":90000000}                       the clock jumps (a clock event follows)
 *   {"type":"drain"}                                       handle whatever your sockets hold
 *   {"type":"heal"}                                        end what faults have left in force
 *   {"type":"rest"}                                        let go of everything
 *   {"type":"serve","db":"…","log":"…","port":41873}       begin anew, after a rest
 *
 * Before asking, everything that was committed has been sent as events. When the harness goes away
 * the provider has lost its reason to live: `gone` is called. */
#ifndef REMOTE_H
#define REMOTE_H

#include "event.h"
#include "fault_source.h"
#include "loop.h"

struct remote;

/* What goes on after a drain. */
struct remote_rest {
    int64_t processing; /* payments that wait for their bank */
    int64_t webhooks;   /* being decided about, or sent and not answered yet */
};

struct remote_handlers {
    void (*advance)(void *context, int64_t ms);
    /* Reads all that the sockets hold. "drained" is said when it returns. */
    struct remote_rest (*drain)(void *context);
    /* Ends what would outlive the faults: nobody is refused, nothing is hidden from reads, no
     * webhook waits. */
    void (*heal)(void *context);
    /* "resting" is said when it returns. */
    void (*rest)(void *context);
    /* MESSAGE as above, borrowed. */
    void (*serve)(void *context, const struct json *message);
    void (*gone)(void *context);
    void *context;
};

/* Takes over FD, one end of a connected stream socket. */
struct remote *remote_open(struct loop *loop, int fd, struct remote_handlers handlers);

/* Open questions are never answered any more. NULL is fine. */
void remote_close(struct remote *remote);

/* The seam; valid as long as REMOTE. */
struct fault_source remote_faults(struct remote *remote);

/* The database failed: what happens from here on proves nothing. */
void remote_broken(struct remote *remote, const char *why);

/* Reports one committed event; a harness that has gone is not told. */
void remote_report(struct remote *remote, const struct event *event);

#endif
