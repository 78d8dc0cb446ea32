<?php
namespace App\Jobs;

use Illuminate\Contracts\Queue\ShouldBeUnique;

/** "It cannot run twice, it is unique." The lock keeps a second job for the order out of the queue,
 * but not a second delivery of the same job (retry_after), and it ends when uniqueFor does, whether
 * the job has or not. Here a call may take longer than both. */
class ChargeUnderLock extends ChargeThenUpdate implements ShouldBeUnique
{
    public $uniqueFor = 2; // seconds

    public function uniqueId()
    {
        return $this->order;
    }

    protected function http()
    {
        return parent::http()->timeout(20);
    }
}
