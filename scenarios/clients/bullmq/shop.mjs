// shop.mjs [careful]: POST /orders takes an order and leaves it to the queue, GET /orders/ID says
// what became of it.
import http from 'node:http';
import process from 'node:process';
import { Queue } from 'bullmq';
import { connect } from './redis.mjs';

const redis = connect();
const queue = new Queue('charges', {
  connection: connect(),
  defaultJobOptions: process.argv[2] === 'careful'
    // Unknown is not "failed": as long as it takes, at the pace that the worker says.
    ? { attempts: 1e6, backoff: { type: 'careful' } }
    : { attempts: 5, backoff: { type: 'exponential', delay: 200 } },
});

async function read(request) {
  let text = '';
  for await (const part of request) {
    text += part;
  }
  return JSON.parse(text);
}

http
  .createServer(async (request, response) => {
    let answer = {};
    if (request.method === 'POST') {
      const order = await read(request);
      await queue.add('charge', order);
    } else {
      const id = request.url.split('/').pop();
      answer = JSON.parse((await redis.hget(`order:${id}`, 'outcome')) ?? '{}');
    }
    response.setHeader('Content-Type', 'application/json');
    response.end(JSON.stringify(answer));
  })
  .listen(process.env.APP_PORT, '127.0.0.1');
