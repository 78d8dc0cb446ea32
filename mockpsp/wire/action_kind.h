/* What a fault can do, and where: the one list of actions. */
#ifndef ACTION_KIND_H
#define ACTION_KIND_H

#include "failpoint.h"

#define AT_ALL          ((1U << FAILPOINT_COUNT) - 1)
#define AT_WEBHOOK      FAILPOINT_BIT(FAILPOINT_WEBHOOK)
#define AT_REQUEST      (AT_ALL & ~AT_WEBHOOK)
#define AT_UNSENT       (AT_REQUEST & ~FAILPOINT_BIT(FAILPOINT_RESPONDED))
#define AT_RECEIVED     FAILPOINT_BIT(FAILPOINT_RECEIVED)
#define AT_AFTER_COMMIT FAILPOINT_BIT(FAILPOINT_AFTER_COMMIT)
#define AT_ANSWER       FAILPOINT_BIT(FAILPOINT_RESPONDING)

/* What an action leaves to the next one of a list of actions. STEP: all of it, the request goes on.
 * SHAPE: the answer leaves in another shape, and PACE: at another pace; the other of both and how
 * its end is lost may follow. LOSS: the client gets no answer, or no more of it. END: nothing may
 * follow. */
enum action_role { ROLE_STEP, ROLE_SHAPE, ROLE_PACE, ROLE_LOSS, ROLE_END };

/* X(name, constant, role, failpoints where it makes sense, what it does).
 * The options are in action_option.c. What happens to a request is in api/strike.c, a function
 * strike_NAME, and what happens to a webhook in webhooks/fate.c. */
#define ACTION_LIST(X) REQUEST_ACTION_LIST(X) WEBHOOK_ACTION_LIST(X)

#define REQUEST_ACTION_LIST(X)                                                                     \
    X(pass, ACTION_PASS, ROLE_STEP, AT_ALL, "nothing: the request goes on")                        \
    X(delay, ACTION_DELAY, ROLE_STEP, AT_UNSENT | AT_WEBHOOK,                                      \
      "the request waits, then goes on, whether the client is still there or not; a webhook is "   \
      "sent later, on the provider's clock")                                                       \
    X(respond, ACTION_RESPOND, ROLE_END, AT_UNSENT, "this answer instead of the provider's own")   \
    X(drop, ACTION_DROP, ROLE_LOSS, AT_UNSENT,                                                     \
      "the connection is closed (FIN), not a byte is answered")                                    \
    X(reset, ACTION_RESET, ROLE_LOSS, AT_UNSENT,                                                   \
      "the connection is reset (RST), not a byte is answered")                                     \
    X(hang, ACTION_HANG, ROLE_LOSS, AT_UNSENT, "no answer until the client gives up")              \
    X(refuse, ACTION_REFUSE, ROLE_LOSS, AT_UNSENT,                                                 \
      "the connection is closed, and for so long nothing listens: who connects is refused")        \
    X(late, ACTION_LATE, ROLE_END, AT_RECEIVED,                                                    \
      "no answer, and executed all the same once the client has gone")                             \
    X(truncate, ACTION_TRUNCATE, ROLE_SHAPE, AT_ANSWER,                                            \
      "the body breaks off after so many bytes (FIN)")                                             \
    X(dribble, ACTION_DRIBBLE, ROLE_PACE, AT_ANSWER,                                               \
      "the body comes in small pieces, one now and then")                                          \
    X(bandwidth, ACTION_BANDWIDTH, ROLE_PACE, AT_ANSWER,                                           \
      "the body leaves at so many bytes a second")                                                 \
    X(cut_header, ACTION_CUT_HEADER, ROLE_END, AT_ANSWER,                                          \
      "the answer ends in the middle of a header line (FIN)")                                      \
    X(broken_chunk, ACTION_BROKEN_CHUNK, ROLE_END, AT_ANSWER,                                      \
      "a chunked body whose first size line says less than comes, then the end (FIN)")             \
    X(broken_json, ACTION_BROKEN_JSON, ROLE_END, AT_ANSWER,                                        \
      "a whole answer whose JSON stops half way")                                                  \
    X(proxy_error, ACTION_PROXY_ERROR, ROLE_END, AT_UNSENT,                                        \
      "a proxy's HTML page, 502, 503 or 504, instead of the answer")                               \
    X(garbage, ACTION_GARBAGE, ROLE_END, AT_UNSENT,                                                \
      "bytes that are no HTTP, then the connection closes")                                        \
    X(advance, ACTION_ADVANCE, ROLE_STEP, AT_REQUEST, "the provider's clock jumps")                \
    X(duplicate, ACTION_DUPLICATE, ROLE_STEP, AT_RECEIVED | AT_WEBHOOK,                            \
      "a proxy delivers the request twice, and passes on one answer; a webhook comes twice, at "   \
      "the same moment")                                                                           \
    X(early, ACTION_EARLY, ROLE_STEP, AT_AFTER_COMMIT,                                             \
      "the answer waits until the webhooks that the request caused have been sent")                \
    X(stale, ACTION_STALE, ROLE_STEP, AT_RECEIVED | AT_AFTER_COMMIT,                               \
      "a read does not see the latest; what a write made is not seen for a while")                 \
    X(decline, ACTION_DECLINE, ROLE_STEP, AT_RECEIVED, "the issuer declines the payment")          \
    X(processing, ACTION_PROCESSING, ROLE_STEP, AT_RECEIVED,                                       \
      "the payment is processing for so long, and is paid then")                                   \
    X(crash_psp, ACTION_CRASH_PSP, ROLE_END, AT_REQUEST,                                           \
      "the provider is killed and starts again on its database")                                   \
    X(crash_client, ACTION_CRASH_CLIENT, ROLE_END, AT_REQUEST,                                     \
      "the client is killed at that very moment, with every process it started")                   \
    X(pause_client, ACTION_PAUSE_CLIENT, ROLE_STEP, AT_REQUEST,                                    \
      "the client stands still, with every process it started, while the request goes on")         \
    X(stop_client, ACTION_STOP_CLIENT, ROLE_STEP, AT_REQUEST,                                      \
      "the client is told to end, as by a deployment, and killed when its grace is over; the "     \
      "request goes on")

#define WEBHOOK_ACTION_LIST(X)                                                                     \
    X(lose, ACTION_LOSE, ROLE_END, AT_WEBHOOK, "that endpoint is never told of that event")        \
    X(reorder, ACTION_REORDER, ROLE_STEP, AT_WEBHOOK,                                              \
      "the webhook is held back until a later one to that endpoint has arrived")                   \
    X(forge, ACTION_FORGE, ROLE_STEP, AT_WEBHOOK,                                                  \
      "before the webhook comes a forged one, which claims success and is not signed by us")

#define ACTION_ENUM(name, constant, role, where, does) constant,
enum action_kind { ACTION_LIST(ACTION_ENUM) ACTION_COUNT };
#undef ACTION_ENUM

#endif
