// Charges, makes a receipt and writes down that it is paid. The receipt keeps the event loop for
// longer than the job's lock lives: the job counts as stalled, and the other worker runs it while
// this one still does.
import { randomUUID } from 'node:crypto';
import { Worker } from 'bullmq';
import { charge } from './psp.mjs';
import { renderReceipt } from './receipt.mjs';
import { connect } from './redis.mjs';

const redis = connect();

async function processor(job) {
  const order = job.data;
  if (await redis.hexists(`order:${order.id}`, 'outcome')) {
    return;
  }
  const { status, body } = await charge(order, randomUUID());
  if (status !== 200) {
    throw new Error(`${status}: ${JSON.stringify(body)}`);
  }
  renderReceipt(3000);
  const outcome = { status: 'paid', payment: body.id };
  await redis.hset(`order:${order.id}`, 'outcome', JSON.stringify(outcome));
}

new Worker('charges', processor, {
  connection: connect(),
  lockDuration: 500, // milliseconds
  stalledInterval: 250,
}).on('error', (error) => console.error(error.message));
