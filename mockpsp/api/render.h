/* Objects as clients see them. Each result is owned by the caller. */
#ifndef RENDER_H
#define RENDER_H

#include "balance.h"
#include "charge.h"
#include "customer.h"
#include "intent.h"
#include "json.h"
#include "refund.h"

struct json *render_charge(const struct charge *charge);
struct json *render_intent(const struct intent *intent);
struct json *render_refund(const struct refund *refund);
struct json *render_customer(const struct customer *customer);
struct json *render_movement(const struct movement *movement);
struct json *render_card_details(const struct card *card);

/* What is left to show of an object that was deleted. */
struct json *render_deleted(const char *id, const char *object);

/* What a decline says to the person who pays. Static. */
const char *render_decline_message(const char *decline_code);

#endif
