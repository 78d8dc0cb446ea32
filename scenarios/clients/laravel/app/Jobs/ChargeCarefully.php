<?php
namespace App\Jobs;

use Illuminate\Bus\Queueable;
use Illuminate\Contracts\Queue\ShouldBeUnique;
use Illuminate\Contracts\Queue\ShouldQueue;
use Illuminate\Foundation\Bus\Dispatchable;
use Illuminate\Queue\InteractsWithQueue;
use Illuminate\Support\Facades\DB;
use Illuminate\Support\Facades\Http;
use RuntimeException;

/** Pays an order once, whatever becomes of it: delivered twice, killed, without an answer.
 *
 * 1. That something is sent is in the database before the first byte leaves. The key is made of the
 *    order and the number of the payment attempt: two runs, even at once, cannot make two keys.
 * 2. No answer, half an answer, 5xx, 409, 429: unknown. The job runs again, and asks for the
 *    payment first: a key lives for a day, the row for ever.
 * 3. One policy of retries, the queue's. Unknown is never "failed", so it has days, not five. */
class ChargeCarefully implements ShouldQueue, ShouldBeUnique
{
    use Dispatchable, InteractsWithQueue, Queueable;

    private const MONEY_MOVES = ['succeeded', 'processing', 'requires_capture'];
    private const NEEDS_CUSTOMER = ['requires_payment_method', 'requires_action', 'canceled'];
    public $order;
    public $uniqueFor = 72 * 3600; // seconds

    public function __construct(string $order)
    {
        $this->order = $order;
    }

    /** Spares the provider a second job for an order. Nothing depends on it. */
    public function uniqueId()
    {
        return $this->order;
    }

    public function retryUntil()
    {
        return now()->addHours(72);
    }

    /** Seconds before each new try after an exception; drawn for each job, so that those which
     * failed together do not come back together. */
    public function backoff()
    {
        return [random_int(1, 2), random_int(1, 3), random_int(2, 4)];
    }

    public function handle()
    {
        $order = DB::table('orders')->find($this->order);
        if ($order->status !== 'pending') {
            return;
        }
        $found = $order->ask ? $this->find() : null;
        if ($found) {
            $this->judge($found);
            return;
        }
        DB::table('orders')->where('id', $order->id)->update(['sent' => true, 'ask' => true]);
        $response = $this->http()
            ->withHeaders(['Idempotency-Key' => "{$order->id}-attempt-{$order->attempt}"])
            ->post('/v1/payment_intents', [
                'amount' => $order->amount,
                'currency' => $order->currency,
                'payment_method' => 'pm_card_visa',
                'confirm' => 'true',
                'metadata[order_id]' => $order->id, // how it is found when its answer is lost
            ]);
        $refused = in_array($response->status(), [400, 401]) && ! $order->sent;
        if ($response->ok()) {
            $this->judge($response->json());
        } elseif ($response->status() === 402 || $refused) {
            // To a retry a 401 would say nothing of what was sent first.
            $this->settle('failed', $response->json('error.payment_intent.id'));
        } else {
            $this->unknown($order, $response);
        }
    }

    private function judge($payment)
    {
        $status = $payment['status'] ?? null;
        if ($status === 'succeeded') {
            $this->settle('paid', $payment['id']);
        } elseif (in_array($status, self::NEEDS_CUSTOMER)) {
            $this->settle('failed', $payment['id']);
        } else {
            $this->release(random_int(1, 2)); // not final yet, or no word that this job knows
        }
    }

    private function unknown($order, $response)
    {
        $replayed = $response->header('Idempotent-Replayed') === 'true';
        if ($replayed && $response->serverError() && ! $this->find()) {
            // The key has said its last word and there is no payment: now a new key is safe.
            DB::table('orders')->where('id', $order->id)->where('attempt', $order->attempt)
                ->increment('attempt');
        }
        if ($response->status() === 429) {
            // Nobody has looked at it, so what was asked is still true.
            DB::table('orders')->where('id', $order->id)->update(['ask' => false]);
        }
        // One more than asked for: the queue counts in whole seconds.
        $this->release(random_int(1, 2) + min((int) $response->header('Retry-After'), 3600));
    }

    /** Where it is pending: whoever was there first is right. */
    private function settle($status, $payment)
    {
        DB::table('orders')->where('id', $this->order)->where('status', 'pending')
            ->update(['status' => $status, 'payment' => $payment]);
    }

    /** All pages; a big shop narrows them with `created` or `customer`. */
    private function find()
    {
        $after = [];
        do {
            $page = $this->http()->get('/v1/payment_intents', ['limit' => 100] + $after)
                ->throw()->json();
            if (! is_array($page['data'] ?? null)) {
                throw new RuntimeException('the list is not to be had');
            }
            foreach ($page['data'] as $payment) {
                $after = ['starting_after' => $payment['id']];
                if (($payment['metadata']['order_id'] ?? null) === $this->order
                    && in_array($payment['status'], self::MONEY_MOVES)) {
                    return $payment;
                }
            }
        } while ($page['has_more']);
        return null;
    }

    private function http()
    {
        return Http::baseUrl(getenv('PSP_URL'))->withToken(getenv('PSP_API_KEY'))->asForm()
            ->timeout(1);
    }
}
