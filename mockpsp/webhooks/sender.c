/* Which deliveries to send, and what becomes of them. How bytes get there is post.c's business. */
#include "sender.h"

#include "delivery.h"
#include "endpoint.h"
#include "log.h"
#include "mem.h"
#include "notice.h"
#include "post.h"
#include "signature.h"

#include <stdlib.h>
#include <string.h>

/* At once and to one endpoint: small servers have small queues, and one that hangs must not hold up
 * the others. All of them together: each takes a descriptor. */
#define MOST_PER_ENDPOINT 4
#define MOST_UNDER_WAY    400

#define ENDPOINTS_PER_LOOK 100

#define LONGEST_SLEEP_MS INT64_C(60000)
#define BROKEN_SLEEP_MS  INT64_C(1000)

/* One attempt under way. */
struct shipment {
    struct sender *sender;
    struct delivery delivery;
    char *url;
    struct post *post;
    struct shipment *next;
};

struct sender {
    struct store *store;
    struct clock *clock;
    struct loop *loop;
    struct clock_source machine;
    struct poster *poster; /* NULL before the first one */
    struct loop_timer *timer;
    struct shipment *under_way;
    int under_way_count;
    char *served; /* the endpoint that the last look ended at for want of room; NULL: at none */
};

/* --- one attempt ------------------------------------------------------------------------------ */

static void shipment_free(struct shipment *shipment)
{
    post_free(shipment->post);
    free(shipment->url);
    delivery_release(&shipment->delivery);
    free(shipment);
}

static void leave(struct shipment *shipment)
{
    struct shipment **at = &shipment->sender->under_way;
    while (*at != shipment)
        at = &(*at)->next;
    *at = shipment->next;
    shipment->sender->under_way_count--;
    shipment_free(shipment);
}

/* Once for each: whoever gave the wrong port shall see it. */
static void say_failed(const struct shipment *shipment, int status, const char *error)
{
    bool acknowledged = status >= 200 && status < 300;
    if (acknowledged || shipment->delivery.attempts > 0)
        return;
    if (error != NULL)
        log_info("webhook to %s: %s", shipment->url, error);
    else
        log_info("webhook to %s: answered with %d", shipment->url, status);
}

/* Nobody is told of a failure to note it: it stays due, and is sent again. */
static void over(void *context, int status, const char *error)
{
    struct shipment *shipment = context;
    struct sender *sender = shipment->sender;
    struct delivery_outcome outcome = {
        .status = status, .error = error, .at_ms = clock_now_ms(sender->clock)};
    say_failed(shipment, status, error);
    enum err err = delivery_finish(sender->store, &shipment->delivery, &outcome);
    if (err != ERR_OK)
        log_error("the database failed: %s", store_message(sender->store));
    leave(shipment);
    sender_poke(sender);
}

static char *sign(const struct sender *sender, const struct endpoint *endpoint, const char *body)
{
    const char *secrets[] = {endpoint->secret, endpoint->old_secret};
    bool rolling =
        endpoint->old_secret != NULL && clock_now_ms(sender->clock) < endpoint->old_secret_until_ms;
    int64_t now_ms = sender->machine.now_ms(sender->machine.self);
    return signature_make(now_ms / 1000, body, secrets, rolling ? 2 : 1);
}

static void ship(struct sender *sender, const struct endpoint *endpoint, struct delivery *delivery,
                 char *body)
{
    struct shipment *shipment = mem_alloc(sizeof *shipment);
    char *signature = sign(sender, endpoint, body);
    shipment->sender = sender;
    shipment->url = mem_strdup(endpoint->url);
    shipment->delivery = *delivery;
    *delivery = (struct delivery){0};
    shipment->next = sender->under_way;
    sender->under_way = shipment;
    sender->under_way_count++;
    if (sender->poster == NULL)
        sender->poster = poster_new(sender->loop);
    shipment->post = post_start(sender->poster, endpoint->url, signature, body, over, shipment);
    free(signature);
}

static enum err start(struct sender *sender, const struct endpoint *endpoint,
                      struct delivery *delivery)
{
    struct notice notice;
    int64_t pending = 0;
    enum err err = notice_get(sender->store, NULL, delivery->event, &notice);
    if (err == ERR_OK)
        err = delivery_pending(sender->store, delivery->event, &pending);
    if (err == ERR_OK) {
        struct json *json = notice_render(&notice, pending);
        ship(sender, endpoint, delivery, json_print_pretty(json));
        json_free(json);
    }
    notice_release(&notice);
    return err;
}

/* --- which ------------------------------------------------------------------------------------ */

static bool is_under_way(const struct sender *sender, int64_t row)
{
    for (const struct shipment *s = sender->under_way; s != NULL; s = s->next)
        if (s->delivery.row == row)
            return true;
    return false;
}

static int count_under_way(const struct sender *sender, const char *endpoint)
{
    int count = 0;
    for (const struct shipment *s = sender->under_way; s != NULL; s = s->next)
        if (strcmp(s->delivery.endpoint, endpoint) == 0)
            count++;
    return count;
}

static int room_for(const struct sender *sender, const char *endpoint)
{
    int here = MOST_PER_ENDPOINT - count_under_way(sender, endpoint);
    int anywhere = MOST_UNDER_WAY - sender->under_way_count;
    return here < anywhere ? here : anywhere;
}

/* What is under way is due as well, as far as the database knows: so twice as many are read. */
static enum err serve(struct sender *sender, const struct endpoint *endpoint)
{
    struct delivery list[2 * MOST_PER_ENDPOINT];
    int count = 0;
    int room = room_for(sender, endpoint->id);
    if (room == 0)
        return ERR_OK;
    enum err err = delivery_due(sender->store, endpoint->id, clock_now_ms(sender->clock),
                                2 * MOST_PER_ENDPOINT, list, &count);
    for (int i = 0; i < count; i++) {
        if (err == ERR_OK && room > 0 && !is_under_way(sender, list[i].row)) {
            err = start(sender, endpoint, &list[i]);
            room--;
        }
        delivery_release(&list[i]);
    }
    return err;
}

static bool is_full(const struct sender *sender)
{
    return sender->under_way_count == MOST_UNDER_WAY;
}

/* Some of the endpoints that come after *AFTER, which becomes the last of them; NULL when there are
 * no more. */
static enum err serve_some(struct sender *sender, char **after)
{
    struct endpoint list[ENDPOINTS_PER_LOOK];
    int count = 0;
    enum err err =
        endpoint_with_due(sender->store, clock_now_ms(sender->clock), *after == NULL ? "" : *after,
                          ENDPOINTS_PER_LOOK, list, &count);
    mem_set_string(after, NULL);
    for (int i = 0; i < count; i++) {
        if (err == ERR_OK && !is_full(sender)) {
            err = serve(sender, &list[i]);
            mem_set_string(after, list[i].id);
        }
        endpoint_release(&list[i]);
    }
    return err;
}

/* Where there is not room for all, the next look goes on with those that had no turn: endpoints
 * that hang, of however many accounts, do not keep the others waiting for ever. */
static enum err serve_all(struct sender *sender)
{
    bool from_the_first = sender->served == NULL;
    enum err err = ERR_OK;
    while (err == ERR_OK && !is_full(sender)) {
        err = serve_some(sender, &sender->served);
        if (sender->served != NULL)
            continue;
        if (from_the_first)
            break;
        from_the_first = true;
    }
    return err;
}

/* --- when ------------------------------------------------------------------------------------- */

static void look(void *context);

static void look_after(struct sender *sender, int64_t ms)
{
    loop_timer_stop(sender->timer);
    sender->timer = loop_after(sender->loop, ms, look, sender);
}

/* A clock that stands still makes nothing due: whoever moves it pokes. */
static enum err sleep_until_due(struct sender *sender)
{
    int64_t now_ms = clock_now_ms(sender->clock);
    int64_t next_ms = 0;
    if (sender->clock->manual)
        return ERR_OK;
    enum err err = delivery_next(sender->store, now_ms, &next_ms);
    if (err == ERR_OK && next_ms != INT64_MAX)
        look_after(sender,
                   next_ms - now_ms < LONGEST_SLEEP_MS ? next_ms - now_ms + 1 : LONGEST_SLEEP_MS);
    return err;
}

static void look(void *context)
{
    struct sender *sender = context;
    sender->timer = NULL;
    enum err err = serve_all(sender);
    if (err == ERR_OK)
        err = sleep_until_due(sender);
    if (err == ERR_OK)
        return;
    log_error("webhooks wait: the database failed: %s", store_message(sender->store));
    look_after(sender, BROKEN_SLEEP_MS);
}

void sender_poke(struct sender *sender)
{
    if (sender != NULL)
        look_after(sender, 0);
}

struct sender *sender_new(struct store *store, struct clock *clock, struct loop *loop,
                          struct clock_source machine)
{
    struct sender *sender = mem_alloc(sizeof *sender);
    sender->store = store;
    sender->clock = clock;
    sender->loop = loop;
    sender->machine = machine;
    sender_poke(sender); /* what an earlier process has left */
    return sender;
}

void sender_free(struct sender *sender)
{
    if (sender == NULL)
        return;
    for (struct shipment *shipment = sender->under_way, *next; shipment != NULL; shipment = next) {
        next = shipment->next;
        shipment_free(shipment);
    }
    loop_timer_stop(sender->timer);
    poster_free(sender->poster);
    free(sender->served);
    free(sender);
}
