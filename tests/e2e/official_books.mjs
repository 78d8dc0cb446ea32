// The balance, disputes and limits by the unmodified official library for Node, against the mockpsp
// at $PSP_URL. Prints TAP.
import assert from 'node:assert/strict';
import { check as checked, control, finish, library } from '../support/official_node.mjs';

/* Each with an account of its own. */
const check = (title, body) => checked(title, () => body(library()));

function payment(more) {
  return {
    amount: 2000, currency: 'usd', payment_method: 'pm_card_visa', confirm: true, ...more,
  };
}

async function available(stripe) {
  const balance = await stripe.balance.retrieve();
  return balance.available.map((one) => [one.currency, one.amount]);
}

await check('the balance is what moved', async (stripe) => {
  const paid = await stripe.paymentIntents.create(
    payment({ expand: ['latest_charge.balance_transaction'] }),
  );
  assert.equal(paid.latest_charge.balance_transaction.net, 2000);
  await stripe.refunds.create({ payment_intent: paid.id, amount: 1 });
  assert.deepEqual(await available(stripe), [['usd', 1999]]);
  const amounts = [];
  for await (const one of stripe.balanceTransactions.list({ limit: 1 })) amounts.push(one.amount);
  assert.deepEqual(amounts, [-1, 2000]);
});

await check('a dispute is argued and won', async (stripe) => {
  const paid = await stripe.paymentIntents.create(
    payment({ payment_method: 'pm_card_createDispute', expand: ['latest_charge'] }),
  );
  assert.deepEqual(await available(stripe), [['usd', 0]]);
  const won = await stripe.disputes.update(paid.latest_charge.dispute, {
    evidence: { uncategorized_text: 'winning_evidence' },
  });
  assert.equal(won.status, 'won');
  assert.deepEqual(await available(stripe), [['usd', 2000]]);
});

await check('a dispute is given up, or decided by the bank', async (stripe) => {
  for (let i = 0; i < 2; i += 1)
    await stripe.paymentIntents.create(payment({ payment_method: 'pm_card_createDispute' }));
  const [one, other] = (await stripe.disputes.list()).data;
  assert.equal((await stripe.disputes.close(one.id)).status, 'lost');
  await assert.rejects(stripe.disputes.close(one.id), { type: 'StripeInvalidRequestError' });
  const given = await stripe.disputes.update(other.id, { evidence: { receipt: 'file_1' } });
  assert.equal(given.status, 'under_review');
  await control('POST', `disputes/${other.id}/complete`, { outcome: 'won' });
  assert.equal((await stripe.disputes.retrieve(other.id)).status, 'won');
});

await check('who asks too often is told so', async (stripe) => {
  await control('PUT', 'limits', { rate: '1/1h' });
  try {
    await stripe.balance.retrieve();
    await assert.rejects(stripe.balance.retrieve(), {
      type: 'StripeRateLimitError', statusCode: 429, code: 'rate_limit',
    });
  } finally {
    await control('PUT', 'limits', { rate: 'off' });
  }
});

/* The library tries again by itself, as it is told to, until the first has committed. */
await check('two confirms at once are one payment', async (stripe) => {
  const { id } = await stripe.paymentIntents.create(payment({ confirm: false }));
  await control('PUT', 'faults', [{
    on: 'POST *', at: 'before_commit', nth: 1, act: { kind: 'delay', ms: 300 },
  }]);
  try {
    const both = await Promise.allSettled([
      stripe.paymentIntents.confirm(id), stripe.paymentIntents.confirm(id),
    ]);
    assert.equal(both.filter((one) => one.status === 'fulfilled').length, 1);
  } finally {
    await control('DELETE', 'faults');
  }
  assert.equal((await stripe.paymentIntents.retrieve(id)).status, 'succeeded');
  assert.equal((await stripe.charges.list()).data.length, 1);
});

finish();
