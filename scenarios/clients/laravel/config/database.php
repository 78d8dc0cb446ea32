<?php
return [
    'default' => 'sqlite',
    'migrations' => 'migrations',
    'connections' => [
        'sqlite' => [
            'driver' => 'sqlite',
            'database' => storage_path('shop.sqlite'),
            'prefix' => '',
        ],
    ],
];
