// Customers, payment methods, setup intents and checkout sessions by the unmodified official library
// for Node, against the mockpsp at $PSP_URL. Prints TAP.
import assert from 'node:assert/strict';
import { check, control, finish, library, newApiKey } from '../support/official_node.mjs';

const API_KEY = newApiKey();
const stripe = library(API_KEY);

const ids = (list) => list.data.map((one) => one.id);
const invalid = { type: 'StripeInvalidRequestError' };
/* What the customer, the bank or time does. */
const happens = (path, fields) => control('POST', path, fields, API_KEY);

await check('a customer is changed, found, and deleted', async () => {
  const made = await stripe.customers.create({
    email: 'a@x.org', metadata: { a: '1', b: '2' }, address: { city: 'Bern' },
  });
  const changed = await stripe.customers.update(made.id, {
    name: 'A', metadata: { b: '', c: '3' }, shipping: { name: 'A', address: { line1: 'x' } },
  });
  assert.deepEqual([changed.name, changed.metadata], ['A', { a: '1', c: '3' }]);
  assert.deepEqual([changed.address.city, changed.shipping.address.line1], ['Bern', 'x']);
  assert.deepEqual(ids(await stripe.customers.list({ email: 'a@x.org' })), [made.id]);
  const found = await stripe.customers.search({ query: "metadata['c']:'3'" });
  assert.deepEqual(ids(found), [made.id]);
  assert.equal((await stripe.customers.del(made.id)).deleted, true);
  assert.equal((await stripe.customers.retrieve(made.id)).deleted, true);
});

await check('customers are listed to the end, and by time', async () => {
  const made = [];
  for (let i = 0; i < 5; i += 1) made.unshift((await stripe.customers.create()).id);
  const listed = [];
  for await (const one of stripe.customers.list({ limit: 2 })) listed.push(one.id);
  assert.deepEqual(listed, made);
  assert.deepEqual(ids(await stripe.customers.list({ created: { lt: 1000 } })), []);
});

await check('a card is saved, pays, and is taken away', async () => {
  const customer = (await stripe.customers.create()).id;
  const method = await stripe.paymentMethods.create({
    type: 'card', card: { token: 'tok_mastercard' }, billing_details: { name: 'A' },
  });
  await stripe.paymentMethods.attach(method.id, { customer });
  await stripe.customers.update(customer, {
    invoice_settings: { default_payment_method: method.id },
  });
  const paid = await stripe.paymentIntents.create({
    amount: 500, currency: 'usd', confirm: true, customer, payment_method: method.id,
    expand: ['payment_method.customer'],
  });
  assert.equal(paid.payment_method.customer.invoice_settings.default_payment_method, method.id);
  assert.deepEqual(ids(await stripe.customers.listPaymentMethods(customer)), [method.id]);
  const shown = await stripe.customers.retrievePaymentMethod(customer, method.id);
  assert.deepEqual([shown.id, shown.customer], [method.id, customer]);
  assert.deepEqual(ids(await stripe.paymentMethods.list({ customer, type: 'card' })), [method.id]);
  assert.equal((await stripe.paymentMethods.detach(method.id)).customer, null);
  await assert.rejects(stripe.paymentMethods.attach(method.id, { customer }), invalid);
});

await check('a setup intent saves a card that pays later', async () => {
  const customer = (await stripe.customers.create()).id;
  const setup = await stripe.setupIntents.create({
    customer, confirm: true, payment_method: 'pm_card_authenticationRequired',
  });
  assert.equal(setup.status, 'requires_action');
  await happens(`setup_intents/${setup.id}/complete`, { outcome: 'succeeded' });
  const done = await stripe.setupIntents.retrieve(setup.id, { expand: ['payment_method'] });
  assert.deepEqual([done.status, done.payment_method.customer], ['succeeded', customer]);
  const declined = await stripe.setupIntents.create({
    confirm: true, payment_method: 'pm_card_chargeDeclined',
  }).catch((error) => error);
  assert.equal(declined.type, 'StripeCardError');
  assert.equal(declined.setup_intent.status, 'requires_payment_method');
  assert.equal((await stripe.setupIntents.cancel(declined.setup_intent.id)).status, 'canceled');
});

await check('a checkout session is paid on its page, or expires', async () => {
  const wanted = {
    mode: 'payment',
    line_items: [{
      quantity: 2,
      price_data: { currency: 'usd', unit_amount: 1500, product_data: { name: 'a pen' } },
    }],
    success_url: 'https://x.org/good',
    metadata: { order_id: '6735' },
  };
  const made = await stripe.checkout.sessions.create(wanted);
  assert.deepEqual([made.status, made.amount_total], ['open', 3000]);
  const items = await stripe.checkout.sessions.listLineItems(made.id);
  assert.deepEqual(items.data.map((one) => one.description), ['a pen']);
  await happens(`checkout/sessions/${made.id}/complete`, { outcome: 'paid' });
  const done = await stripe.checkout.sessions.retrieve(made.id, {
    expand: ['payment_intent.latest_charge', 'line_items'],
  });
  assert.deepEqual([done.status, done.payment_status, done.payment_intent.latest_charge.amount],
    ['complete', 'paid', 3000]);
  assert.equal(done.line_items.data.length, 1);
  const other = await stripe.checkout.sessions.create(wanted);
  assert.equal((await stripe.checkout.sessions.expire(other.id)).status, 'expired');
  await assert.rejects(stripe.checkout.sessions.expire(other.id), invalid);
});

finish();
