/* A provider without HTTP: a core with a store in memory and a manual clock, and requests that go
 * through the pipeline by a call. Faults are the test's own, or none. */
#ifndef IN_PROCESS_H
#define IN_PROCESS_H

#include "exchange.h"
#include "mem.h"
#include "pipeline.h"
#include "rate.h"

#include <criterion/criterion.h>
#include <string.h>

#define IN_PROCESS_START_MS INT64_C(1767225600000)

struct in_process {
    struct clock clock;
    struct core core;
};

/* FAULTS may be zeroed: there are none. */
static inline void in_process_open(struct in_process *psp, struct fault_source faults)
{
    struct err_text why = {0};
    clock_init_manual(&psp->clock, IN_PROCESS_START_MS);
    psp->core = (struct core){.clock = &psp->clock,
                              .loop = loop_new(),
                              .faults = faults.ops == NULL ? fault_source_none() : faults,
                              .live = live_faults_new(1, clock_as_source(&psp->clock)),
                              .seed = 1,
                              .dialect = *dialect_number(0)};
    cr_assert_eq(store_open(&psp->core.store, &(struct store_options){0}, &why), ERR_OK, "%s",
                 why.text);
    psp->core.journal = journal_new(psp->core.store, NULL, NULL);
}

/* Before the first request: LISTENER hears of every event that is committed. */
static inline void in_process_listen(struct in_process *psp, journal_listener *listener,
                                     void *context)
{
    journal_free(psp->core.journal);
    psp->core.journal = journal_new(psp->core.store, listener, context);
}

static inline void in_process_close(struct in_process *psp)
{
    cr_expect_null(psp->core.alive);
    rate_forget(&psp->core);
    live_faults_free(psp->core.live);
    journal_free(psp->core.journal);
    store_close(psp->core.store);
    loop_free(psp->core.loop);
}

/* One request of the account sk_test_1, and what came of it. */
struct in_call {
    struct exchange *x;
    bool decided;
};

static inline void in_call_decided(void *transport, struct exchange *x)
{
    (void)x;
    ((struct in_call *)transport)->decided = true;
}

/* BODY and KEY may be NULL. PATH may have a query. CALL has to stay where it is. */
static inline void in_call_start(struct in_process *psp, struct in_call *call, const char *method,
                                 const char *path, const char *body, const char *key)
{
    const char *query = strchr(path, '?');
    struct request request = {.method = mem_strdup(method),
                              .path = query == NULL ? mem_strdup(path)
                                                    : mem_strndup(path, (size_t)(query - path)),
                              .query = query == NULL ? NULL : mem_strdup(query + 1),
                              .connection = 1,
                              .on_connection = 1};
    if (body != NULL)
        buf_add_string(&request.body, body);
    request_add_header(&request, "Authorization", "Bearer sk_test_1");
    if (key != NULL)
        request_add_header(&request, "Idempotency-Key", key);
    *call = (struct in_call){0};
    call->x = exchange_new(&psp->core, &request, in_call_decided, call);
    pipeline_start(call->x);
}

static inline int in_call_status(const struct in_call *call)
{
    cr_assert(call->decided, "no answer yet");
    return call->x->reply.status;
}

/* The answer as JSON, owned by the caller. */
static inline struct json *in_call_json(const struct in_call *call)
{
    struct json *json = NULL;
    const char *body = call->x->reply.body;
    cr_assert(call->decided, "no answer yet");
    cr_assert_eq(json_parse(body, strlen(body), &json, NULL), ERR_OK, "%s", body);
    return json;
}

/* A header of the answer, or NULL. */
static inline const char *in_call_header(const struct in_call *call, const char *name)
{
    return json_get_string(call->x->reply.headers, name);
}

static inline void in_call_end(struct in_call *call)
{
    cr_assert(call->decided, "no answer yet");
    pipeline_finish(call->x, true);
}

#endif
