#!/usr/bin/env node
// A job that pays one order with the official Stripe library, written the way most are.
//
// The library makes a key for every call and retries with it by itself. That saves this job from a
// lost answer, and from nothing else: the key lives in this process. When the process dies, or the
// library gives up, the next run of the job makes a new key, and that is a new payment.
import fs from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import Stripe from 'stripe';

const env = process.env;
const url = new URL(env.PSP_URL);
const stripe = new Stripe(env.PSP_API_KEY, {
  host: url.hostname,
  port: url.port,
  protocol: 'http',
  timeout: 1000,
});

const paidFile = path.join(env.STATE_DIR, `${env.ORDER_ID}.paid`);
if (fs.existsSync(paidFile)) process.exit(0);

try {
  const payment = await stripe.paymentIntents.create({
    amount: Number(env.ORDER_AMOUNT),
    currency: env.ORDER_CURRENCY,
    payment_method: 'pm_card_visa',
    confirm: true,
  });
  // The mistake: whoever dies between the line above and the line below has paid and does not know.
  fs.writeFileSync(paidFile, payment.id);
  process.exit(0);
} catch (error) {
  console.error(error.message);
  // The other mistake: "an error, so run the job again", although nobody knows what the call did.
  process.exit(error instanceof Stripe.errors.StripeCardError ? 1 : 75);
}
