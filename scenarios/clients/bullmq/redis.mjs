// The Redis of this world, by a socket in STATE_DIR. Whoever is there before it tries again.
import process from 'node:process';
import { Redis } from 'ioredis';

process.chdir(process.env.STATE_DIR); // a whole path may be too long for a socket

export function connect() {
  const redis = new Redis({
    path: './redis.sock',
    maxRetriesPerRequest: null, // BullMQ asks for it
    retryStrategy: () => 20, // milliseconds
  });
  redis.on('error', () => {});
  return redis;
}
