<?php
return [
    'default' => 'database',
    'connections' => [
        'database' => [
            'driver' => 'database',
            'table' => 'jobs',
            'queue' => 'default',
            // Seconds: whoever holds a job for longer is taken for dead, and another gets it.
            'retry_after' => (int) (getenv('RETRY_AFTER') ?: 3),
        ],
    ],
    'failed' => ['driver' => 'database-uuids', 'database' => 'sqlite', 'table' => 'failed_jobs'],
];
