<?php
namespace App\Jobs;

/** The key is that of the job: the same for each of its tries and deliveries, and another one for a
 * second job for the same order, which only the lock keeps away. */
class ChargeWithKeyOfJob extends ChargeUnderLock
{
    protected function key()
    {
        return $this->job->uuid();
    }
}
