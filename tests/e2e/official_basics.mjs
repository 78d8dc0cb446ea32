// The unmodified official Stripe library for Node, against the mockpsp at $PSP_URL. Prints TAP.
import assert from 'node:assert/strict';
import crypto from 'node:crypto';
import { check, control, finish, library, newApiKey, Stripe } from '../support/official_node.mjs';

const { errors } = Stripe;
const API_KEY = newApiKey();
const stripe = library(API_KEY);
const headers = (object) => object.lastResponse.headers;
const newKey = () => crypto.randomUUID();

const payment = (change = {}) => ({
  amount: 2000,
  currency: 'usd',
  payment_method: 'pm_card_visa',
  payment_method_types: ['card'],
  confirm: true,
  ...change,
});

const pay = (change, options) => stripe.paymentIntents.create(payment(change), options);

/* The error that PROMISE must be rejected with. */
async function refusal(promise, errorClass) {
  const error = await promise.then(
    (value) => assert.fail(`expected an ${errorClass.name}, got ${value.id}`),
    (reason) => reason,
  );
  assert.ok(error instanceof errorClass, `expected an ${errorClass.name}, got ${error.stack}`);
  return error;
}

// --- create, retrieve, list, refund --------------------------------------------------------------

await check('create a payment and confirm it', async () => {
  const made = await pay({ metadata: { order_id: '6735' }, description: 'pen' });
  assert.match(made.id, /^pi_/);
  assert.equal(made.object, 'payment_intent');
  assert.equal(made.status, 'succeeded');
  assert.equal(made.amount, 2000);
  assert.equal(made.amount_received, 2000);
  assert.equal(made.currency, 'usd');
  assert.equal(made.livemode, false);
  assert.deepEqual(made.metadata, { order_id: '6735' });
  assert.match(made.latest_charge, /^ch_/);
  assert.match(made.lastResponse.requestId, /^req_/);
});

await check('retrieve a payment', async () => {
  const made = await pay();
  const read = await stripe.paymentIntents.retrieve(made.id);
  assert.deepEqual(read, made);
});

await check('expand the charge of a payment', async () => {
  const made = await pay({ expand: ['latest_charge'] });
  assert.equal(made.latest_charge.object, 'charge');
  assert.equal(made.latest_charge.payment_intent, made.id);
  assert.equal(made.latest_charge.paid, true);
});

await check('create a payment without confirming it', async () => {
  const made = await pay({ confirm: false });
  assert.equal(made.status, 'requires_confirmation');
  assert.equal(made.latest_charge, null);
});

await check('list payments page by page, newest first', async () => {
  const account = library(`${API_KEY}pages`);
  const ids = [];
  for (let i = 0; i < 5; i++) ids.unshift((await account.paymentIntents.create(payment())).id);
  const first = await account.paymentIntents.list({ limit: 2 });
  assert.equal(first.object, 'list');
  assert.equal(first.has_more, true);
  assert.deepEqual(first.data.map((item) => item.id), ids.slice(0, 2));
  const all = [];
  for await (const item of account.paymentIntents.list({ limit: 2 })) all.push(item.id);
  assert.deepEqual(all, ids);
});

await check('create and retrieve a customer, and pay for it', async () => {
  const wanted = { email: 'jenny@example.com', metadata: { shop: 'pens' } };
  const customer = await stripe.customers.create(wanted);
  assert.match(customer.id, /^cus_/);
  const read = await stripe.customers.retrieve(customer.id);
  assert.equal(read.email, 'jenny@example.com');
  assert.deepEqual(read.metadata, { shop: 'pens' });
  const made = await pay({ customer: customer.id });
  assert.equal(made.customer, customer.id);
  const theirs = await stripe.paymentIntents.list({ customer: customer.id });
  assert.deepEqual(theirs.data.map((item) => item.id), [made.id]);
});

await check('create, retrieve and list charges', async () => {
  const charge = await stripe.charges.create({ amount: 700, currency: 'eur', source: 'tok_visa' });
  assert.match(charge.id, /^ch_/);
  assert.equal(charge.status, 'succeeded');
  assert.equal(charge.paid, true);
  assert.equal((await stripe.charges.retrieve(charge.id)).amount, 700);
  const made = await pay();
  const list = await stripe.charges.list({ payment_intent: made.id });
  assert.deepEqual(list.data.map((item) => item.id), [made.latest_charge]);
});

await check('refund a payment in two parts, and no more', async () => {
  const made = await pay();
  const part = await stripe.refunds.create({ payment_intent: made.id, amount: 500 });
  assert.match(part.id, /^re_/);
  assert.equal(part.status, 'succeeded');
  assert.equal(part.amount, 500);
  assert.equal(part.charge, made.latest_charge);
  assert.equal((await stripe.refunds.retrieve(part.id)).payment_intent, made.id);
  const rest = await stripe.refunds.create({ charge: made.latest_charge });
  assert.equal(rest.amount, 1500);
  const charge = await stripe.charges.retrieve(made.latest_charge);
  assert.equal(charge.amount_refunded, 2000);
  assert.equal(charge.refunded, true);
  const third = stripe.refunds.create({ charge: made.latest_charge });
  await refusal(third, errors.StripeInvalidRequestError);
});

// --- replays -------------------------------------------------------------------------------------

await check('the same key twice is one payment', async () => {
  const options = { idempotencyKey: newKey() };
  const first = await pay({}, options);
  const again = await pay({}, options);
  assert.deepEqual(again, first);
  assert.equal(headers(first)['idempotent-replayed'], undefined);
  assert.equal(headers(again)['idempotent-replayed'], 'true');
  assert.equal(again.lastResponse.idempotencyKey, options.idempotencyKey);
  assert.notEqual(again.lastResponse.requestId, first.lastResponse.requestId);
  assert.equal(headers(again)['original-request'], first.lastResponse.requestId);
});

await check('the same key twice is one refund', async () => {
  const made = await pay();
  const options = { idempotencyKey: newKey() };
  const first = await stripe.refunds.create({ payment_intent: made.id, amount: 100 }, options);
  const again = await stripe.refunds.create({ payment_intent: made.id, amount: 100 }, options);
  assert.equal(again.id, first.id);
  assert.equal((await stripe.charges.retrieve(made.latest_charge)).amount_refunded, 100);
});

await check('a decline is replayed as a decline', async () => {
  const options = { idempotencyKey: newKey() };
  const declined = { payment_method: 'pm_card_chargeDeclined' };
  const first = await refusal(pay(declined, options), errors.StripeCardError);
  const again = await refusal(pay(declined, options), errors.StripeCardError);
  assert.equal(again.payment_intent.id, first.payment_intent.id);
  assert.equal(again.headers['idempotent-replayed'], 'true');
});

await check('the library tries again by itself after a fault, and meets the replay', async () => {
  for (const act of [{ kind: 'drop' }, { kind: 'reset' }, { kind: 'respond', status: 500 }]) {
    const account = `${API_KEY}${act.kind}`;
    await control('PUT', 'faults', [{ on: 'POST *', nth: 1, at: 'after_commit', act }], account);
    const shop = library(account);
    const made = await shop.paymentIntents.create(payment());
    assert.equal(made.status, 'succeeded');
    assert.equal(headers(made)['idempotent-replayed'], 'true', act.kind);
    const all = await shop.paymentIntents.list();
    assert.deepEqual(all.data.map((item) => item.id), [made.id]);
  }
});

// --- the library's own error classes -------------------------------------------------------------

await check('a decline is a StripeCardError', async () => {
  const declines = {
    pm_card_chargeDeclined: 'generic_decline',
    pm_card_chargeDeclinedInsufficientFunds: 'insufficient_funds',
  };
  for (const [method, reason] of Object.entries(declines)) {
    const error = await refusal(pay({ payment_method: method }), errors.StripeCardError);
    assert.equal(error.statusCode, 402);
    assert.equal(error.rawType, 'card_error');
    assert.equal(error.code, 'card_declined');
    assert.equal(error.decline_code, reason);
    assert.match(error.charge, /^ch_/);
    assert.equal(error.payment_intent.status, 'requires_payment_method');
    assert.equal(error.payment_intent.last_payment_error.decline_code, reason);
  }
});

await check('a key with other parameters is a StripeIdempotencyError', async () => {
  const options = { idempotencyKey: newKey() };
  await pay({}, options);
  const error = await refusal(pay({ amount: 2001 }, options), errors.StripeIdempotencyError);
  assert.equal(error.statusCode, 400);
  assert.equal(error.rawType, 'idempotency_error');
});

await check('a key on another endpoint is a StripeIdempotencyError', async () => {
  const options = { idempotencyKey: newKey() };
  await stripe.customers.create({}, options);
  await refusal(pay({}, options), errors.StripeIdempotencyError);
});

await check('an unknown API key is a StripeAuthenticationError', async () => {
  const stranger = library('sk_nobody');
  const error = await refusal(stranger.paymentIntents.list(), errors.StripeAuthenticationError);
  assert.equal(error.statusCode, 401);
});

await check('what does not exist is a StripeInvalidRequestError', async () => {
  const call = stripe.paymentIntents.retrieve('pi_none');
  const error = await refusal(call, errors.StripeInvalidRequestError);
  assert.equal(error.statusCode, 404);
  assert.equal(error.code, 'resource_missing');
});

await check('wrong parameters are StripeInvalidRequestErrors that name them', async () => {
  const wrong = errors.StripeInvalidRequestError;
  const missing = await refusal(stripe.paymentIntents.create({ currency: 'usd' }), wrong);
  assert.deepEqual([missing.code, missing.param], ['parameter_missing', 'amount']);
  const unknown = await refusal(pay({ amuont: 1 }), wrong);
  assert.deepEqual([unknown.code, unknown.param], ['parameter_unknown', 'amuont']);
});

finish();
