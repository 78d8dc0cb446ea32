#!/usr/bin/env node
// A job that pays one order once, with the official Stripe library, whatever happens to it.
//
// 1. Its key is on the disk before the first byte is sent, so every later run sends the same one.
// 2. No answer is an answer of its own: unknown. The same key is tried again, and after a few times
//    the job says 75, "run me again". Unknown is never "failed".
// 3. A run that finds an unfinished record asks the provider before it pays: a key lives for a day,
//    a record for ever.
import fs from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import Stripe from 'stripe';

// Node would exit 1, which says "failed and not paid": nobody knows that.
process.on('uncaughtException', (error) => {
  console.error(error);
  process.exit(75);
});

const TRIES = 4;
const env = process.env;
const url = new URL(env.PSP_URL);
const stripe = new Stripe(env.PSP_API_KEY, {
  host: url.hostname,
  port: url.port,
  protocol: 'http',
  timeout: 1000,
  maxNetworkRetries: 0, // the loop below retries: one policy, not two
});

// --- the record: what this job knows ------------------------------------------------------------

const file = path.join(env.STATE_DIR, `${env.ORDER_ID}.json`);
let record = fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, 'utf8')) : null;

/* All or nothing, and there after a power cut: a new file, flushed, renamed, its folder flushed. */
function keep(change) {
  const next = { ...record, ...change };
  const draft = fs.openSync(`${file}.new`, 'w');
  fs.writeSync(draft, JSON.stringify(next));
  fs.fsyncSync(draft);
  fs.closeSync(draft);
  fs.renameSync(`${file}.new`, file);
  const folder = fs.openSync(env.STATE_DIR, 'r');
  fs.fsyncSync(folder);
  fs.closeSync(folder);
  record = next;
}

// --- the two calls ------------------------------------------------------------------------------

function pay() {
  return stripe.paymentIntents.create(
    {
      amount: Number(env.ORDER_AMOUNT),
      currency: env.ORDER_CURRENCY,
      payment_method: 'pm_card_visa',
      confirm: true,
      metadata: { order_id: env.ORDER_ID }, // how the payment is found when its answer is lost
    },
    // Derived, not random: two runs of this job, even at once, cannot make two keys.
    { idempotencyKey: `${env.ORDER_ID}-attempt-${record.attempt}` },
  );
}

const MONEY_MOVES = ['succeeded', 'processing', 'requires_capture'];
const NEEDS_CUSTOMER = ['requires_payment_method', 'requires_action', 'canceled']; // not here

/* All pages; a big shop narrows them with `created` or `customer`. Not the search: that lags
 * behind, and would show nothing over a charge that stands. */
async function find() {
  for await (const payment of stripe.paymentIntents.list({ limit: 100 })) {
    const ours = payment.metadata.order_id === env.ORDER_ID;
    if (ours && MONEY_MOVES.includes(payment.status)) return payment;
  }
  return null;
}

// --- the job ------------------------------------------------------------------------------------

let doubt = record !== null; // something was sent before, and nobody knows what became of it
let askFirst = doubt;
let posts = 0; // even with no retries the library sends again by itself after a reset
stripe.on('request', (request) => (posts += request.method === 'POST'));
let keyIsSpent = false; // it answers with a stored 500, as long as it lives
let retryAfter = 0; // seconds
if (!record) keep({ attempt: 1, state: 'pending', payment: null });

function judge(payment) {
  if (payment.status === 'succeeded') keep({ state: 'paid', payment: payment.id });
  else if (NEEDS_CUSTOMER.includes(payment.status)) keep({ state: 'failed', payment: payment.id });
  else doubt = askFirst = true; // not final yet, or no word that this job knows
}

function judgeError(error) {
  console.error(`${error.type}: ${error.message}`);
  const { headers = {}, rawType, statusCode } = error;
  retryAfter = Number(headers['retry-after']) || 0;
  const refused = rawType === 'invalid_request_error' && [400, 401].includes(statusCode);
  if (error instanceof Stripe.errors.StripeCardError) {
    keep({ state: 'failed', payment: error.payment_intent?.id ?? null });
  } else if (refused && posts === 1 && !doubt) {
    keep({ state: 'failed' }); // on a retry it would say nothing of the first try
  } else {
    keyIsSpent = statusCode >= 500 && headers['idempotent-replayed'] === 'true';
    doubt = true;
    askFirst ||= keyIsSpent;
  }
}

for (let tries = 0; record.state === 'pending' && tries < TRIES; tries++) {
  const backoff = 100 * 2 ** tries * (0.5 + Math.random() / 2);
  if (tries > 0) await pause(Math.max(backoff, Math.min(retryAfter, 2) * 1000));
  try {
    const found = askFirst ? await find() : null;
    // The key has said its last word and there is no payment: now a new key is safe.
    if (keyIsSpent && !found) keep({ attempt: record.attempt + 1 });
    askFirst = keyIsSpent = false;
    judge(found ?? (await pay()));
  } catch (error) {
    judgeError(error);
  }
}

const [outcome, status] = {
  paid: ['succeeded', 0],
  pending: ['unknown', 75],
  failed: ['failed', 1],
}[record.state];
console.log(JSON.stringify({ order: env.ORDER_ID, outcome, payment: record.payment }));
process.exit(status);
