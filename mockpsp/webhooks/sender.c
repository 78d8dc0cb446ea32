/* Which deliveries to send, and when. What becomes of each is parcel.c's business. */
#include "sender.h"

#include "delivery.h"
#include "endpoint.h"
#include "log.h"
#include "mem.h"

#include <stdlib.h>
#include <string.h>

/* At once and to one endpoint: small servers have small queues, and one that hangs must not hold up
 * the others. All of them together: each takes a descriptor. */
#define MOST_PER_ENDPOINT 4
#define MOST_UNDER_WAY    400

#define ENDPOINTS_PER_LOOK 100

#define LONGEST_SLEEP_MS INT64_C(60000)
#define BROKEN_SLEEP_MS  INT64_C(1000)

struct sender {
    struct office office;
    void (*told)(void *context);
    void *told_context;
    struct loop_timer *timer;
    struct parcel **under_way;
    int under_way_count;
    char *served; /* the endpoint that the last look ended at for want of room; NULL: at none */
};

static void look(void *context);

static void look_after(struct sender *sender, int64_t ms)
{
    loop_timer_stop(sender->timer);
    sender->timer = loop_after(sender->office.loop, ms, look, sender);
}

static void say_broken(struct sender *sender)
{
    log_error("webhooks wait: the database failed: %s", store_message(sender->office.store));
    look_after(sender, BROKEN_SLEEP_MS);
}

/* --- one attempt ------------------------------------------------------------------------------ */

static void leave(struct sender *sender, struct parcel *parcel)
{
    int at = 0;
    while (sender->under_way[at] != parcel)
        at++;
    sender->under_way[at] = sender->under_way[--sender->under_way_count];
    parcel_free(parcel);
}

static void over(void *context, struct parcel *parcel, enum err err)
{
    struct sender *sender = context;
    leave(sender, parcel);
    if (err == ERR_OK)
        sender_poke(sender);
    else
        say_broken(sender);
    if (sender->told != NULL)
        sender->told(sender->told_context);
}

static void start(struct sender *sender, struct delivery *delivery)
{
    struct parcel *parcel = parcel_new(&sender->office, delivery, over, sender);
    sender->under_way =
        mem_resize(sender->under_way, (size_t)sender->under_way_count + 1, sizeof(struct parcel *));
    sender->under_way[sender->under_way_count++] = parcel;
    parcel_send(parcel);
}

/* --- which ------------------------------------------------------------------------------------ */

static bool is_under_way(const struct sender *sender, int64_t row)
{
    for (int i = 0; i < sender->under_way_count; i++)
        if (parcel_delivery(sender->under_way[i])->row == row)
            return true;
    return false;
}

static int count_under_way(const struct sender *sender, const char *endpoint)
{
    int count = 0;
    for (int i = 0; i < sender->under_way_count; i++)
        if (strcmp(parcel_delivery(sender->under_way[i])->endpoint, endpoint) == 0)
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
    enum err err =
        delivery_due(sender->office.store, endpoint->id, clock_now_ms(sender->office.clock),
                     2 * MOST_PER_ENDPOINT, list, &count);
    for (int i = 0; i < count; i++) {
        if (err == ERR_OK && room > 0 && !is_under_way(sender, list[i].row)) {
            start(sender, &list[i]);
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
        endpoint_with_due(sender->office.store, clock_now_ms(sender->office.clock),
                          *after == NULL ? "" : *after, ENDPOINTS_PER_LOOK, list, &count);
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

/* A clock that stands still makes nothing due: whoever moves it pokes. */
static enum err sleep_until_due(struct sender *sender)
{
    int64_t now_ms = clock_now_ms(sender->office.clock);
    int64_t next_ms = 0;
    if (sender->office.clock->manual)
        return ERR_OK;
    enum err err = delivery_next(sender->office.store, now_ms, &next_ms);
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
    if (err == ERR_OK && sender->timer == NULL) /* else something has asked for another look */
        err = sleep_until_due(sender);
    if (err != ERR_OK)
        say_broken(sender);
}

void sender_look(struct sender *sender)
{
    loop_timer_stop(sender->timer);
    look(sender);
}

void sender_poke(struct sender *sender)
{
    if (sender != NULL)
        look_after(sender, 0);
}

int sender_under_way(const struct sender *sender)
{
    return sender->under_way_count;
}

struct sender *sender_new(struct office office, void (*told)(void *context), void *context)
{
    struct sender *sender = mem_alloc(sizeof *sender);
    sender->office = office;
    sender->told = told;
    sender->told_context = context;
    sender_poke(sender); /* what an earlier process has left */
    return sender;
}

void sender_free(struct sender *sender)
{
    if (sender == NULL)
        return;
    for (int i = 0; i < sender->under_way_count; i++)
        parcel_free(sender->under_way[i]);
    loop_timer_stop(sender->timer);
    poster_free(sender->office.poster);
    free(sender->under_way);
    free(sender->served);
    free(sender);
}
