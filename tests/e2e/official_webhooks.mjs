// Webhook endpoints and events by the unmodified official library for Node, its own verifier included,
// against the mockpsp at $PSP_URL. Prints TAP.
import assert from 'node:assert/strict';
import http from 'node:http';
import { check, finish, library, newApiKey, Stripe } from '../support/official_node.mjs';

const { errors } = Stripe;
const API_KEY = newApiKey();
const stripe = library(API_KEY);

const ids = (list) => list.data.map((one) => one.id);
const invalid = { type: 'StripeInvalidRequestError' };

/* What comes to an endpoint of this process while BODY runs, until there are WANTED of them. */
async function told(wanted, body) {
  const came = [];
  let enough;
  const done = new Promise((resolve) => { enough = resolve; });
  const server = http.createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    came.push([Buffer.concat(chunks), request.headers['stripe-signature']]);
    response.writeHead(204).end();
    if (came.length >= wanted) enough();
  });
  await new Promise((resolve) => { server.listen(0, '127.0.0.1', resolve); });
  try {
    await body(`http://127.0.0.1:${server.address().port}/`);
    await done;
  } finally {
    server.closeAllConnections();
    server.close();
  }
  return came;
}

await check('a webhook endpoint is made, read, changed, listed and deleted', async () => {
  const made = await stripe.webhookEndpoints.create({
    url: 'http://127.0.0.1:9/', enabled_events: ['charge.succeeded'], metadata: { a: '1' },
  });
  assert.match(made.secret, /^whsec_/);
  const read = await stripe.webhookEndpoints.retrieve(made.id);
  assert.deepEqual([read.url, read.status, read.enabled_events, read.metadata, read.secret],
    ['http://127.0.0.1:9/', 'enabled', ['charge.succeeded'], { a: '1' }, undefined]);
  const changed = await stripe.webhookEndpoints.update(made.id, {
    disabled: true, enabled_events: ['*'],
  });
  assert.deepEqual([changed.status, changed.enabled_events], ['disabled', ['*']]);
  const other = await stripe.webhookEndpoints.create({
    url: 'http://127.0.0.1:9/', enabled_events: ['*'],
  });
  assert.deepEqual(ids(await stripe.webhookEndpoints.list()), [other.id, made.id]);
  for (const { id } of [made, other]) {
    assert.equal((await stripe.webhookEndpoints.del(id)).deleted, true);
    await assert.rejects(stripe.webhookEndpoints.retrieve(id), { ...invalid, statusCode: 404 });
  }
});

await check('what makes no endpoint is refused', async () => {
  for (const [fields, param] of [
    [{ url: 'ftp://127.0.0.1/', enabled_events: ['*'] }, 'url'],
    [{ url: 'http://127.0.0.1:9/' }, 'enabled_events'],
    [{ url: 'http://127.0.0.1:9/', enabled_events: ['nonsense'] }, 'enabled_events'],
  ]) await assert.rejects(stripe.webhookEndpoints.create(fields), { ...invalid, param });
});

await check("a webhook passes the library's own verifier, a forged one does not", async () => {
  let endpoint;
  let intent;
  const came = await told(3, async (where) => {
    endpoint = await stripe.webhookEndpoints.create({ url: where, enabled_events: ['*'] });
    intent = await stripe.paymentIntents.create({
      amount: 2000, currency: 'usd', payment_method: 'pm_card_visa', confirm: true,
    });
  });
  await stripe.webhookEndpoints.del(endpoint.id);
  const events = came.map(([body, signature]) => stripe.webhooks.constructEvent(body, signature,
    endpoint.secret));
  assert.deepEqual(events.map((event) => event.type).sort(),
    ['charge.succeeded', 'payment_intent.created', 'payment_intent.succeeded']);
  const success = events.find((event) => event.type === 'payment_intent.succeeded');
  assert.equal(success.data.object.id, intent.id);
  assert.equal((await stripe.events.retrieve(success.id)).data.object.id, intent.id);
  const [body, signature] = came[0];
  for (const [text, secret, dated] of [
    [`${body} `, endpoint.secret, signature], [body, 'whsec_other', signature],
    [body, endpoint.secret, signature.replace('t=', 't=1')],
  ]) {
    assert.throws(() => stripe.webhooks.constructEvent(text, dated, secret),
      errors.StripeSignatureVerificationError);
  }
});

await check('events are listed to the end, by type', async () => {
  const made = [];
  for (let i = 0; i < 5; i += 1) made.unshift((await stripe.customers.create()).id);
  const listed = [];
  for await (const one of stripe.events.list({ type: 'customer.created', limit: 2 })) {
    listed.push(one.data.object.id);
  }
  assert.deepEqual(listed, made);
  await stripe.customers.update(made[0], { name: 'B' });
  await stripe.customers.del(made[0]);
  const some = await stripe.events.list({ types: ['customer.updated', 'customer.deleted'] });
  assert.deepEqual(some.data.map((one) => one.type), ['customer.deleted', 'customer.updated']);
});

finish();
