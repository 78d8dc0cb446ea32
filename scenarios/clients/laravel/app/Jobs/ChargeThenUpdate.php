<?php
namespace App\Jobs;

use Illuminate\Bus\Queueable;
use Illuminate\Contracts\Queue\ShouldQueue;
use Illuminate\Foundation\Bus\Dispatchable;
use Illuminate\Queue\InteractsWithQueue;
use Illuminate\Support\Facades\DB;
use Illuminate\Support\Facades\Http;
use Illuminate\Support\Str;

/** The job as most people write it: look, charge, write down. Whatever comes between the charge and
 * the update (a timeout, a crash, a deployment) makes the queue run it again, with a new key. */
class ChargeThenUpdate implements ShouldQueue
{
    use Dispatchable, InteractsWithQueue, Queueable;

    public $tries = 5;
    public $backoff = 1; // seconds
    public $order;

    public function __construct(string $order)
    {
        $this->order = $order;
    }

    public function handle()
    {
        $order = DB::table('orders')->find($this->order);
        if ($order->status === 'paid') {
            return;
        }
        $payment = $this->http()
            ->withHeaders(['Idempotency-Key' => $this->key()])
            ->post(getenv('PSP_URL') . '/v1/payment_intents', [
                'amount' => $order->amount,
                'currency' => $order->currency,
                'payment_method' => 'pm_card_visa',
                'confirm' => 'true',
                'metadata[order_id]' => $order->id,
            ])
            ->throw()
            ->json();
        DB::table('orders')->where('id', $order->id)
            ->update(['status' => 'paid', 'payment' => $payment['id']]);
    }

    protected function http()
    {
        return Http::withToken(getenv('PSP_API_KEY'))->asForm()->timeout(2);
    }

    protected function key()
    {
        return (string) Str::uuid();
    }
}
