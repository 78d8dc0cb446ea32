<?php
return [
    'default' => 'database',
    'prefix' => '',
    'stores' => ['database' => ['driver' => 'database', 'table' => 'cache', 'connection' => null]],
];
