// A row per resource, the same checks for each, by the unmodified official library for Node against
// the mockpsp at $PSP_URL: create, retrieve, update, list by pages both ways, expand, and the error
// class of what is not there. Prints TAP.
import assert from 'node:assert/strict';
import { check, finish, library, newApiKey } from '../support/official_node.mjs';

const API_KEY = newApiKey();
const stripe = library(API_KEY);

const invalid = { type: 'StripeInvalidRequestError' };
const ids = (list) => list.data.map((one) => one.id);

function pay(more) {
  return stripe.paymentIntents.create({
    amount: 2000, currency: 'usd', payment_method: 'pm_card_visa', confirm: true, ...more,
  });
}

async function method(customer) {
  const owner = customer ?? (await stripe.customers.create()).id;
  return stripe.paymentMethods.attach('pm_card_visa', { customer: owner });
}

async function customerWithCard() {
  const made = await stripe.customers.create();
  const card = await method(made.id);
  return stripe.customers.update(made.id, {
    invoice_settings: { default_payment_method: card.id },
  });
}

function session() {
  return stripe.checkout.sessions.create({
    mode: 'payment',
    line_items: [{
      quantity: 2,
      price_data: { currency: 'usd', unit_amount: 1500, product_data: { name: 'a pen' } },
    }],
    success_url: 'https://x.org/good',
  });
}

async function event() {
  const made = await stripe.customers.create({ name: 'A' });
  const events = await stripe.events.list({ type: 'customer.created' });
  return events.data.find((one) => one.data.object.id === made.id);
}

async function moved() {
  const paid = await pay({ expand: ['latest_charge'] });
  return stripe.balanceTransactions.retrieve(paid.latest_charge.balance_transaction);
}

async function disputed() {
  const paid = await pay({
    payment_method: 'pm_card_createDispute', expand: ['latest_charge.dispute'],
  });
  return paid.latest_charge.dispute;
}

// The resource, how one is made, what can be expanded, where that is found, and of which kind it is.
const ROWS = [
  ['paymentIntents', pay, 'latest_charge', (one) => one.latest_charge, 'charge'],
  ['charges', () => stripe.charges.create({ amount: 700, currency: 'usd', source: 'tok_visa' }),
    'balance_transaction', (one) => one.balance_transaction, 'balance_transaction'],
  ['refunds', async () => stripe.refunds.create({ payment_intent: (await pay()).id, amount: 1 }),
    'charge.payment_intent', (one) => one.charge.payment_intent, 'payment_intent'],
  ['customers', customerWithCard, 'invoice_settings.default_payment_method',
    (one) => one.invoice_settings.default_payment_method, 'payment_method'],
  ['paymentMethods', method, 'customer', (one) => one.customer, 'customer'],
  ['setupIntents', () => stripe.setupIntents.create({
    confirm: true, payment_method: 'pm_card_visa',
  }), 'payment_method', (one) => one.payment_method, 'payment_method'],
  ['checkout.sessions', session, 'line_items', (one) => one.line_items, 'list'],
  ['disputes', disputed, 'charge', (one) => one.charge, 'charge'],
  ['balanceTransactions', moved, 'source', (one) => one.source, 'charge'],
  ['events', event],
  ['webhookEndpoints', () => stripe.webhookEndpoints.create({
    url: 'http://127.0.0.1:9/', enabled_events: ['*'],
  })],
].map(([name, make, path, inner, kind]) => ({
  name, make, path, inner, kind, api: name.split('.').reduce((at, part) => at[part], stripe),
}));

/* An endpoint tells its secret when it is made, and never again. */
const withoutSecret = ({ secret, ...rest }) => rest;

for (const { name, api, make, path, inner, kind } of ROWS) {
  await check(`${name}: made, read, changed, expanded, missed`, async () => {
    const made = await make();
    assert.deepEqual(withoutSecret(await api.retrieve(made.id)), withoutSecret(made));
    if (api.update) {
      const changed = await api.update(made.id, { metadata: { a: '1' } });
      assert.deepEqual(changed.metadata, { a: '1' });
      assert.deepEqual((await api.retrieve(made.id)).metadata, { a: '1' });
    }
    if (path) {
      assert.equal(inner(await api.retrieve(made.id, { expand: [path] })).object, kind);
      await assert.rejects(api.retrieve(made.id, { expand: ['nothing'] }), invalid);
    }
    await assert.rejects(api.retrieve('none_1'), {
      ...invalid, statusCode: 404, code: 'resource_missing',
    });
  });

  await check(`${name}: listed to the end, both ways`, async () => {
    const first = await make();
    const filters = {
      paymentMethods: { customer: first.customer }, events: { type: first.type },
    }[name] ?? {};
    await make(filters.customer);
    await make(filters.customer);
    const forward = [];
    for await (const one of api.list({ limit: 1, ...filters })) forward.push(one.id);
    assert.ok(forward.length >= 3);
    assert.equal(new Set(forward).size, forward.length);
    assert.deepEqual(ids(await api.list({ limit: 100, ...filters })), forward);
    const back = [];
    const pages = api.list({ limit: 1, ending_before: forward.at(-1), ...filters });
    for await (const one of pages) back.push(one.id);
    assert.deepEqual(back, forward.slice(0, -1).reverse());
    await assert.rejects(api.list({ starting_after: 'none_1', ...filters }), {
      ...invalid, code: 'resource_missing', param: 'starting_after',
    });
    await assert.rejects(api.list({ limit: 0, ...filters }), invalid);
  });
}

await check('the balance is one object', async () => {
  assert.equal((await stripe.balance.retrieve()).object, 'balance');
});

await check('a setup intent is changed, confirmed and canceled', async () => {
  const setup = await stripe.setupIntents.create();
  const changed = await stripe.setupIntents.update(setup.id, { description: 'd' });
  assert.equal(changed.description, 'd');
  const done = await stripe.setupIntents.confirm(setup.id, { payment_method: 'pm_card_visa' });
  assert.equal(done.status, 'succeeded');
  const other = await stripe.setupIntents.create();
  assert.equal((await stripe.setupIntents.cancel(other.id)).status, 'canceled');
});

finish();
