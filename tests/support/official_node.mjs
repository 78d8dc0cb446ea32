// What the scripts of the official Node library share: accounts of their own at $PSP_URL, and TAP.
import assert from 'node:assert/strict';
import crypto from 'node:crypto';
import { createRequire } from 'node:module';
import process from 'node:process';

const require = createRequire(new URL('../../scenarios/clients/package.json', import.meta.url));
export const Stripe = require('stripe');

const url = new URL(process.env.PSP_URL);

/* A key of its own is an account of its own, so scripts can run side by side on one port. */
export function newApiKey() {
  return `sk_test_node${crypto.randomBytes(8).toString('hex')}`;
}

export function library(apiKey = newApiKey(), options = {}) {
  const where = { host: url.hostname, port: url.port, protocol: 'http', timeout: 5000 };
  return new Stripe(apiKey, { ...where, ...options });
}

/* A call of the control plane, of that account or (without API_KEY) of all. */
export async function control(method, path, fields, apiKey) {
  const headers = { 'Content-Type': 'application/json' };
  if (apiKey !== undefined) headers.Authorization = `Bearer ${apiKey}`;
  const body = JSON.stringify(fields);
  const answer = await fetch(new URL(`/_mock/${path}`, url), { method, headers, body });
  const text = await answer.text();
  assert.equal(answer.status, 200, text);
  return JSON.parse(text);
}

let count = 0;
let failures = 0;

export async function check(title, body) {
  count += 1;
  try {
    await body();
    console.log(`ok ${count} - ${title}`);
  } catch (error) {
    failures += 1;
    console.log(`not ok ${count} - ${title}`);
    console.log(String(error.stack ?? error).replace(/^/gm, '# '));
  }
}

/* After the last check. */
export function finish() {
  console.log(`1..${count}`);
  process.exit(failures === 0 ? 0 : 1);
}
