#include "transfer.h"

#include "check.h"
#include "mem.h"

#include <stdlib.h>

struct transfers {
    struct loop *loop;
    CURLM *multi;
    struct loop_timer *timer; /* libcurl's own */
};

/* A socket of libcurl's that is watched. */
struct wire {
    struct transfers *transfers;
    curl_socket_t fd;
    struct loop_watch *watch;
};

static void tell_of_ends(struct transfers *transfers)
{
    CURLMsg *message;
    int left;
    while ((message = curl_multi_info_read(transfers->multi, &left)) != NULL) {
        struct transfer *transfer = NULL;
        CURLcode result = message->data.result;
        curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &transfer);
        transfer->over(transfer->context, result);
    }
}

static void act(struct transfers *transfers, curl_socket_t fd, int events)
{
    int running;
    CHECK(curl_multi_socket_action(transfers->multi, fd, events, &running) == CURLM_OK);
    tell_of_ends(transfers);
}

static void wire_ready(void *context, int events)
{
    struct wire *wire = context;
    int curl_events = 0;
    if (events & LOOP_READABLE)
        curl_events |= CURL_CSELECT_IN;
    if (events & LOOP_WRITABLE)
        curl_events |= CURL_CSELECT_OUT;
    act(wire->transfers, wire->fd, curl_events); /* may end the wire */
}

static int watch_socket(CURL *easy, curl_socket_t fd, int what, void *context, void *socket_context)
{
    struct transfers *transfers = context;
    struct wire *wire = socket_context;
    (void)easy;
    if (wire == NULL) {
        wire = mem_alloc(sizeof *wire);
        wire->transfers = transfers;
        wire->fd = fd;
        CHECK(curl_multi_assign(transfers->multi, fd, wire) == CURLM_OK);
    }
    loop_watch_stop(wire->watch);
    wire->watch = NULL;
    if (what == CURL_POLL_REMOVE) {
        free(wire);
        return 0;
    }
    int events =
        (what & CURL_POLL_IN ? LOOP_READABLE : 0) | (what & CURL_POLL_OUT ? LOOP_WRITABLE : 0);
    wire->watch = loop_watch(transfers->loop, fd, events, wire_ready, wire);
    return 0;
}

static void timer_due(void *context)
{
    struct transfers *transfers = context;
    transfers->timer = NULL;
    act(transfers, CURL_SOCKET_TIMEOUT, 0);
}

/* The callback's type is the library's. NOLINTNEXTLINE(google-runtime-int) */
static int set_timer(CURLM *multi, long ms, void *context)
{
    struct transfers *transfers = context;
    (void)multi;
    loop_timer_stop(transfers->timer);
    transfers->timer = ms < 0 ? NULL : loop_after(transfers->loop, ms, timer_due, transfers);
    return 0;
}

struct transfers *transfers_new(struct loop *loop)
{
    struct transfers *transfers = mem_alloc(sizeof *transfers);
    transfers->loop = loop;
    CHECK(curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK);
    transfers->multi = curl_multi_init();
    CHECK(transfers->multi != NULL);
    curl_multi_setopt(transfers->multi, CURLMOPT_SOCKETFUNCTION, watch_socket);
    curl_multi_setopt(transfers->multi, CURLMOPT_SOCKETDATA, transfers);
    curl_multi_setopt(transfers->multi, CURLMOPT_TIMERFUNCTION, set_timer);
    curl_multi_setopt(transfers->multi, CURLMOPT_TIMERDATA, transfers);
    return transfers;
}

void transfers_free(struct transfers *transfers)
{
    if (transfers == NULL)
        return;
    curl_multi_cleanup(transfers->multi);
    loop_timer_stop(transfers->timer);
    curl_global_cleanup();
    free(transfers);
}

void transfer_start(struct transfers *transfers, struct transfer *transfer)
{
    curl_easy_setopt(transfer->easy, CURLOPT_PRIVATE, transfer);
    CHECK(curl_multi_add_handle(transfers->multi, transfer->easy) == CURLM_OK);
}

void transfer_stop(struct transfers *transfers, struct transfer *transfer)
{
    curl_multi_remove_handle(transfers->multi, transfer->easy);
}
