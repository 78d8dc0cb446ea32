// Pays an order once, whatever becomes of the job: run twice at once, stalled, killed, unanswered.
//
// 1. That something is sent is in Redis (appendfsync always) before the first byte leaves. The key
//    is made of the order and the number of the payment attempt: two workers cannot make two keys.
// 2. No answer, half an answer, 5xx, 409, 429: unknown. The queue runs the job again, which asks
//    for the payment first: a key lives for a day, the record for ever.
// 3. A stalled job is no failed one (maxStalledCount), and unknown is never "failed" (attempts).
import { Worker } from 'bullmq';
import { call, charge } from './psp.mjs';
import { renderReceipt } from './receipt.mjs';
import { connect } from './redis.mjs';

const MONEY_MOVES = ['succeeded', 'processing', 'requires_capture'];
const NEEDS_CUSTOMER = ['requires_payment_method', 'requires_action', 'canceled'];
const redis = connect();

/* Not known yet: run the job again, after so many seconds at least. */
class Unknown extends Error {
  constructor(why, seconds = 0) {
    super(why);
    this.seconds = seconds;
  }
}

async function find(id) {
  // All pages; a big shop narrows them with `created` or `customer`.
  let path = '/v1/payment_intents?limit=100';
  while (path) {
    const { status, body } = await call(path);
    if (status !== 200) {
      throw new Unknown(`the list is not to be had: ${status}`);
    }
    const found = body.data.find((payment) =>
      payment.metadata.order_id === id && MONEY_MOVES.includes(payment.status));
    if (found) {
      return found;
    }
    path = body.has_more && `/v1/payment_intents?limit=100&starting_after=${body.data.at(-1).id}`;
  }
  return null;
}

async function settle(order, status, payment) {
  await redis.hsetnx(`order:${order.id}`, 'outcome', JSON.stringify({ status, payment }));
  renderReceipt(500); // what can wait comes last: a lock that expires now does no harm
}

async function judge(order, payment) {
  if (payment.status === 'succeeded') {
    await settle(order, 'paid', payment.id);
  } else if (NEEDS_CUSTOMER.includes(payment.status)) {
    await settle(order, 'failed', payment.id);
  } else {
    throw new Unknown(`the payment is ${payment.status}`);
  }
}

async function processor(job) {
  const order = job.data;
  const record = `order:${order.id}`;
  const { outcome, sent, ask, attempt = 1 } = await redis.hgetall(record);
  if (outcome) {
    return;
  }
  const found = ask === 'yes' ? await find(order.id) : null;
  if (found) {
    await judge(order, found);
    return;
  }
  await redis.hset(record, { sent: 'yes', ask: 'yes' });
  const { status, headers, body } = await charge(order, `${order.id}-attempt-${attempt}`);
  if (status === 200) {
    await judge(order, body);
  } else if (status === 402 || ([400, 401].includes(status) && !sent)) {
    await settle(order, 'failed', body.error.payment_intent?.id); // 401 to a retry says nothing
  } else {
    if (status === 429) {
      await redis.hset(record, { ask: 'no' }); // nobody has looked at it: what was asked is true
    }
    if (status >= 500 && headers.get('idempotent-replayed') === 'true' && !(await find(order.id))) {
      // The key has said its last word and there is no payment: now a new key is safe.
      await redis.hset(record, { attempt: Number(attempt) + 1 });
    }
    throw new Unknown(`the answer is ${status}`, Number(headers.get('retry-after')) || 0);
  }
}

function backoff(tries, type, error) {
  const grows = Math.min(100 * 2 ** tries, 2000);
  return Math.max(1000 * (error.seconds ?? 0), grows * (0.5 + Math.random() / 2));
}

new Worker('charges', processor, {
  connection: connect(),
  lockDuration: 2000, // milliseconds; both are 30 s where nobody says anything
  stalledInterval: 500,
  maxStalledCount: 1e6,
  settings: { backoffStrategy: backoff },
}).on('error', (error) => console.error(error.message));
