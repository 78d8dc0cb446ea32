// Charges and writes that down, with a new key for each try.
import { randomUUID } from 'node:crypto';
import { Worker } from 'bullmq';
import { charge } from './psp.mjs';
import { connect } from './redis.mjs';

const redis = connect();

async function processor(job) {
  const order = job.data;
  if (await redis.hexists(`order:${order.id}`, 'outcome')) {
    return;
  }
  const { status, body } = await charge(order, randomUUID());
  if (status !== 200) {
    throw new Error(`${status}: ${JSON.stringify(body)}`); // the queue tries again
  }
  const outcome = { status: 'paid', payment: body.id };
  await redis.hset(`order:${order.id}`, 'outcome', JSON.stringify(outcome));
}

new Worker('charges', processor, {
  connection: connect(),
  lockDuration: 2000, // milliseconds; both are 30 s where nobody says anything
  stalledInterval: 500,
}).on('error', (error) => console.error(error.message));
