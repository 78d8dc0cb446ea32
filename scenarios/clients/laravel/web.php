<?php
// The shop's one page: php -S 127.0.0.1:$APP_PORT web.php
$app = require __DIR__ . '/bootstrap.php';
$kernel = $app->make(Illuminate\Contracts\Http\Kernel::class);
$kernel->handle(Illuminate\Http\Request::capture())->send();
