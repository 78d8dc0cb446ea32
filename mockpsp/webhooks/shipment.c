#include "shipment.h"

#include "mem.h"

#include <stdlib.h>

#define MOST_POSTS 2

struct leg {
    struct shipment *shipment;
    struct post *post; /* NULL when it is over */
};

struct shipment {
    struct poster *poster;
    char *url;
    struct letter letter;
    bool twice;
    struct leg legs[MOST_POSTS];
    int open;
    bool answered; /* status and error are those of a leg */
    int status;
    char *error;
    post_over *over;
    void *context;
};

bool shipment_is_acknowledged(int status)
{
    return status >= 200 && status < 300;
}

static void letter_release(struct letter *letter)
{
    free(letter->body);
    free(letter->signature);
    *letter = (struct letter){0};
}

static void leg_over(void *context, int status, const char *error)
{
    struct leg *leg = context;
    struct shipment *shipment = leg->shipment;
    if (!shipment->answered || shipment_is_acknowledged(status)) {
        shipment->answered = true;
        shipment->status = status;
        mem_set_string(&shipment->error, error);
    }
    post_free(leg->post);
    leg->post = NULL;
    if (--shipment->open == 0)
        shipment->over(shipment->context, shipment->status, shipment->error);
}

/* The body is the post's. */
static void start_leg(struct shipment *shipment, struct leg *leg, char *body, const char *signature,
                      post_over *over)
{
    leg->shipment = shipment;
    leg->post = post_start(shipment->poster, shipment->url, signature, body, over, leg);
}

static void start_legs(struct shipment *shipment)
{
    shipment->open = shipment->twice ? 2 : 1;
    for (int i = 0; i < shipment->open; i++)
        start_leg(shipment, &shipment->legs[i], mem_strdup(shipment->letter.body),
                  shipment->letter.signature, leg_over);
}

/* What the receiver says of a forgery is of no interest. */
static void forged_over(void *context, int status, const char *error)
{
    struct leg *leg = context;
    (void)status;
    (void)error;
    post_free(leg->post);
    start_legs(leg->shipment);
}

struct shipment *shipment_start(struct poster *poster, const struct shipment_order *order,
                                post_over *over, void *context)
{
    struct shipment *shipment = mem_alloc(sizeof *shipment);
    struct letter forged = order->forged;
    *shipment = (struct shipment){.poster = poster,
                                  .url = mem_strdup(order->url),
                                  .letter = order->letter,
                                  .twice = order->twice,
                                  .over = over,
                                  .context = context};
    if (forged.body == NULL) {
        start_legs(shipment);
        return shipment;
    }
    start_leg(shipment, &shipment->legs[0], forged.body, forged.signature, forged_over);
    forged.body = NULL;
    letter_release(&forged);
    return shipment;
}

void shipment_free(struct shipment *shipment)
{
    if (shipment == NULL)
        return;
    for (int i = 0; i < MOST_POSTS; i++)
        post_free(shipment->legs[i].post);
    letter_release(&shipment->letter);
    free(shipment->url);
    free(shipment->error);
    free(shipment);
}
