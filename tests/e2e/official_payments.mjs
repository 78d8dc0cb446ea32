// PaymentIntents, charges and refunds in all their ways by the unmodified official library for Node,
// against the mockpsp (its clock is moved by hand) at $PSP_URL. Prints TAP.
import assert from 'node:assert/strict';
import { check, control, finish, library, newApiKey } from '../support/official_node.mjs';

const API_KEY = newApiKey();
const stripe = library(API_KEY);

const invalid = { type: 'StripeInvalidRequestError' };
const wanted = { amount: 2000, currency: 'usd', payment_method: 'pm_card_visa', confirm: true };
const pay = (fields) => stripe.paymentIntents.create({ ...wanted, ...fields });
/* What the customer, the bank or time does. */
const happens = (path, fields) => control('POST', path, fields, API_KEY);

await check('an intent is authorized, captured in part, and refunded', async () => {
  const intent = await pay({ capture_method: 'manual' });
  assert.deepEqual([intent.status, intent.amount_capturable], ['requires_capture', 2000]);
  const done = await stripe.paymentIntents.capture(intent.id, { amount_to_capture: 1500 });
  assert.deepEqual([done.status, done.amount_received], ['succeeded', 1500]);
  await assert.rejects(stripe.paymentIntents.capture(intent.id), {
    ...invalid, code: 'payment_intent_unexpected_state',
  });
  const refund = await stripe.refunds.create({ payment_intent: intent.id });
  assert.deepEqual([refund.amount, refund.status], [1500, 'succeeded']);
  const charge = await stripe.charges.retrieve(done.latest_charge);
  assert.deepEqual([charge.amount_captured, charge.refunded], [1500, true]);
});

await check('an intent is canceled', async () => {
  const intent = await pay({ capture_method: 'manual' });
  const gone = await stripe.paymentIntents.cancel(intent.id, { cancellation_reason: 'abandoned' });
  assert.deepEqual([gone.status, gone.cancellation_reason], ['canceled', 'abandoned']);
});

await check('an intent is changed before it is confirmed, its metadata after that too', async () => {
  const intent = await stripe.paymentIntents.create({
    amount: 2000, currency: 'usd', metadata: { a: '1', b: '2' },
  });
  await stripe.paymentIntents.update(intent.id, {
    amount: 2500, description: 'd', metadata: { a: '' },
  });
  const paid = await stripe.paymentIntents.confirm(intent.id, { payment_method: 'pm_card_visa' });
  assert.deepEqual([paid.amount_received, paid.description], [2500, 'd']);
  const changed = await stripe.paymentIntents.update(intent.id, { metadata: { c: '3' } });
  assert.deepEqual(changed.metadata, { b: '2', c: '3' });
  await assert.rejects(stripe.paymentIntents.update(intent.id, { amount: 1 }), invalid);
});

await check('intents and charges are searched, page by page', async () => {
  const made = [];
  for (let i = 0; i < 5; i += 1) made.unshift((await pay({ metadata: { batch: '7' } })).id);
  const query = "metadata['batch']:'7' AND status:'succeeded'";
  const found = [];
  for await (const one of stripe.paymentIntents.search({ query, limit: 2 })) found.push(one.id);
  assert.deepEqual(found, made);
  const charges = await stripe.charges.search({ query: "metadata['batch']:'7'" });
  assert.equal(charges.data.length, 5);
});

await check('a bank account pays in its own time, or does not', async () => {
  const good = await pay({ payment_method: 'pm_usBankAccount_success' });
  const bad = await pay({ payment_method: 'pm_usBankAccount_accountClosed' });
  assert.deepEqual([good.status, bad.status], ['processing', 'processing']);
  await happens('clock', { advance: '1m' });
  assert.equal((await stripe.paymentIntents.retrieve(good.id)).status, 'succeeded');
  const failed = await stripe.paymentIntents.retrieve(bad.id, { expand: ['latest_charge'] });
  assert.deepEqual([failed.status, failed.latest_charge.failure_code],
    ['requires_payment_method', 'account_closed']);
});

await check('a customer authenticates', async () => {
  const card = { payment_method: 'pm_card_authenticationRequired' };
  const intent = await pay(card);
  assert.equal(intent.status, 'requires_action');
  const done = await happens(`payment_intents/${intent.id}/complete`, { outcome: 'succeeded' });
  assert.equal(done.status, 'succeeded');
  await assert.rejects(pay({ ...card, off_session: true }), {
    type: 'StripeCardError', decline_code: 'authentication_required',
  });
});

await check('a charge is authorized, captured, changed', async () => {
  const charge = await stripe.charges.create({
    amount: 2000, currency: 'usd', source: 'tok_visa', capture: false,
  });
  assert.deepEqual([charge.paid, charge.captured], [true, false]);
  assert.equal((await stripe.charges.capture(charge.id)).captured, true);
  const changed = await stripe.charges.update(charge.id, { metadata: { a: '1' } });
  assert.equal(changed.metadata.a, '1');
});

await check('a refund is pending, changed, canceled', async () => {
  const intent = await pay({ payment_method: 'pm_card_pendingRefund' });
  const refund = await stripe.refunds.create({ payment_intent: intent.id, amount: 700 });
  assert.equal(refund.status, 'pending');
  const changed = await stripe.refunds.update(refund.id, { metadata: { a: '1' } });
  assert.equal(changed.metadata.a, '1');
  assert.equal((await stripe.refunds.cancel(refund.id)).status, 'canceled');
  const listed = await stripe.refunds.list({ payment_intent: intent.id });
  assert.deepEqual(listed.data.map((one) => [one.id, one.status]), [[refund.id, 'canceled']]);
});

finish();
