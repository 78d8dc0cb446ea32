/* The one list of moves, the most dangerous first; move.h says what they are. */
#ifndef MOVE_LIST_H
#define MOVE_LIST_H

/* X(name, failpoint, for whom, simplicity, action as Lua, what it is)
 *
 * Simplicity: a smaller number is easier to explain; shrinking goes that way. */
#define MOVE_LIST(X) SYSTEMATIC_MOVE_LIST(X) RANDOM_MOVE_LIST(X)

#define SYSTEMATIC_MOVE_LIST(X)                                                                    \
    X(lost, AFTER_COMMIT, WRITE, 1, "drop()", "the answer is lost after the commit")               \
    X(lost_by_reset, AFTER_COMMIT, WRITE, 2, "reset()",                                            \
      "the connection is reset after the commit")                                                  \
    X(crash_after_commit, AFTER_COMMIT, WRITE, 3, "crash_client()",                                \
      "the client dies before the answer leaves")                                                  \
    X(crash_after_answer, RESPONDED, ANY, 4, "crash_client()", "the client dies with its answer")  \
    X(late, RECEIVED, PAYS, 9, "late(\"50ms\")", "executed after the client has given up")         \
    X(twice, RECEIVED, WRITE, 5, "duplicate()", "delivered twice")                                 \
    X(twice_second_answer, RECEIVED, WRITE, 6, "duplicate { answer = \"second\" }",                \
      "delivered twice, and the second answer is passed on")                                       \
    X(stored_500_charged, AFTER_COMMIT, PAYS, 5, "respond(500, { store = true })",                 \
      "a 500 over the effect, which the key repeats")                                              \
    X(stored_500, BEFORE_COMMIT, PAYS, 5, "respond(500, { store = true })",                        \
      "a 500 and no effect, which the key repeats")                                                \
    X(error_after_commit, AFTER_COMMIT, WRITE, 1, "respond(500)", "a 500 over the effect")         \
    X(bad_gateway_after_commit, AFTER_COMMIT, WRITE, 2, "proxy_error(502)",                        \
      "a proxy's 502 over the effect")                                                             \
    X(conflict_on_retry, RECEIVED, RETRY, 4, "respond(409)", "409 on a retry")                     \
    X(limit_on_retry, RECEIVED, RETRY, 4, "respond(429)", "429 on a retry")                        \
    X(unauthorized_on_retry, RECEIVED, RETRY, 4, "respond(401)", "401 on a retry")                 \
    X(truncated, RESPONDING, ANY, 3, "truncate(20)", "the answer breaks off")                      \
    X(broken_json, RESPONDING, ANY, 4, "broken_json()", "half the JSON, in a whole answer")        \
    X(expired_after_commit, AFTER_COMMIT, PAYS, 6, "crash_client()",                               \
      "the client dies before the answer, and its job comes again a day later")                    \
    X(expired_after_answer, RESPONDED, PAYS, 6, "crash_client()",                                  \
      "the client dies with its answer, and its job comes again a day later")                      \
    X(second_worker, AFTER_COMMIT, PAYS, 7, "{ advance(\"2m\"), delay(\"700ms\") }",               \
      "its lock expires while the worker waits for the answer: a second one begins")               \
    X(second_worker_first, RECEIVED, PAYS, 7, "{ advance(\"2m\"), delay(\"700ms\") }",             \
      "its lock expires before the request is executed: a second worker begins")                   \
    X(stale_crash, AFTER_COMMIT, PAYS, 7, "{ stale(\"2s\"), crash_client() }",                     \
      "the client dies before the answer, and the list does not show the payment yet")             \
    X(provider_killed_after_commit, AFTER_COMMIT, WRITE, 5, "crash_psp(\"50ms\")",                 \
      "the provider dies after the commit")                                                        \
    X(provider_killed_before_commit, BEFORE_COMMIT, WRITE, 5, "crash_psp(\"50ms\")",               \
      "the provider dies before the commit")                                                       \
    X(nobody_listens, AFTER_COMMIT, WRITE, 5, "refuse(\"200ms\")",                                 \
      "the answer is lost after the commit, and nothing listens for a while")                      \
    X(nobody_listens_first, RECEIVED, WRITE, 5, "refuse(\"200ms\")",                               \
      "the request is lost, and nothing listens for a while")                                      \
    X(told_to_stop, AFTER_COMMIT, WRITE, 4, "stop_client()",                                       \
      "the client is told to end while it waits for the answer")                                   \
    X(silence_after_commit, AFTER_COMMIT, WRITE, 8, "hang()", "no answer after the commit")        \
    X(pending, RECEIVED, ISSUER, 4, "processing(\"1m\")", "accepted, and paid a minute later")     \
    X(pending_last_try, RECEIVED, ISSUER, 6, "processing(\"1m\")",                                 \
      "accepted and paid a minute later, and it is the last try that the queue has")               \
    X(declined, RECEIVED, ISSUER, 2, "decline(\"card_declined\")", "the card is declined")         \
    X(request_lost, RECEIVED, ANY, 1, "drop()", "the request is lost")                             \
    X(crash_on_arrival, RECEIVED, ANY, 3, "crash_client()",                                        \
      "the client dies as its request comes")                                                      \
    X(error_before_commit, BEFORE_COMMIT, WRITE, 1, "respond(500)", "a 500 and no effect")         \
    X(unavailable, RECEIVED, ANY, 0, "respond(503)", "503 on arrival")                             \
    X(answer_lost, RESPONDING, READ, 1, "drop()", "the answer to a question is lost")              \
    X(silence, RECEIVED, ANY, 8, "hang()", "the request is lost, and no answer comes")             \
    X(slow, RESPONDING, ANY, 0, "delay(\"50ms\")", "the answer is slow")                           \
    X(hook_twice, WEBHOOK, HOOK, 2, "duplicate()", "the webhook comes twice at the same moment")   \
    X(hook_forged, WEBHOOK, HOOK, 3, "forge()", "a forged webhook comes before it")                \
    X(hook_last, WEBHOOK, HOOK, 3, "reorder(\"5s\")", "the webhook comes after a later one")       \
    X(hook_lost, WEBHOOK, HOOK, 1, "lose()", "the webhook never comes")                            \
    X(hook_first, AFTER_COMMIT, PAYS, 4, "early(\"500ms\")", "the webhooks come before the answer")

/* What depends on real time: for random exploration alone. Short and frequent delays find other
 * mistakes than long and rare ones. */
#define RANDOM_MOVE_LIST(X)                                                                        \
    X(short_delay, RECEIVED, ANY, 0, "delay(\"5ms\")", "a short delay on arrival")                 \
    X(short_delay_after_commit, AFTER_COMMIT, WRITE, 0, "delay(\"5ms\")",                          \
      "a short delay after the commit")                                                            \
    X(long_delay, RECEIVED, ANY, 1, "delay(\"1s\")", "a long delay on arrival")                    \
    X(long_delay_after_commit, AFTER_COMMIT, WRITE, 1, "delay(\"1s\")",                            \
      "a long delay after the commit")                                                             \
    X(trickle, RESPONDING, ANY, 1, "dribble(20, \"5ms\")", "the answer trickles")                  \
    X(short_pause, AFTER_COMMIT, ANY, 2, "pause_client(\"20ms\")", "the client stands still")      \
    X(long_pause, AFTER_COMMIT, ANY, 3, "pause_client(\"700ms\")",                                 \
      "the client stands still for long")                                                          \
    X(garbage, RESPONDING, ANY, 4, "garbage()", "bytes that are no HTTP")                          \
    X(headers_break_off, RESPONDING, ANY, 4, "cut_header(10)", "the answer's headers break off")   \
    X(chunks_break_off, RESPONDING, ANY, 5, "broken_chunk(10)", "a broken chunk")                  \
    X(long_outage, RECEIVED, ANY, 5, "refuse(\"500ms\")", "nothing listens for long")              \
    X(late_copy, RECEIVED, WRITE, 6, "duplicate { after = \"100ms\" }", "delivered again, later")

#endif
