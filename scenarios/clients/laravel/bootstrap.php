<?php
// What `laravel new` puts into bootstrap/app.php, for Debian's php-laravel-framework: the classes
// are in /usr/share/php, and everything that is written goes into STATE_DIR.
error_reporting(E_ALL & ~E_DEPRECATED); // Laravel 8 is older than PHP 8.2
require 'Illuminate/autoload.php';
require 'GuzzleHttp/autoload.php';
spl_autoload_register(function ($class) {
    $file = __DIR__ . '/' . str_replace(['App\\', '\\'], ['app/', '/'], $class) . '.php';
    is_file($file) && require $file;
});

$state = getenv('STATE_DIR');
foreach (['PACKAGES', 'SERVICES', 'CONFIG', 'ROUTES', 'EVENTS'] as $cache) {
    putenv("APP_{$cache}_CACHE=$state/" . strtolower($cache) . '.php');
}
touch("$state/shop.sqlite"); // SQLite's connector makes no file: it has to exist before the boot

$app = new Illuminate\Foundation\Application(__DIR__);
$app->useStoragePath($state);
$app->useDatabasePath(__DIR__ . '/database');
$app->singleton(Illuminate\Contracts\Http\Kernel::class, App\HttpKernel::class);
$app->singleton(Illuminate\Contracts\Console\Kernel::class, App\ConsoleKernel::class);
$app->singleton(Illuminate\Contracts\Debug\ExceptionHandler::class,
                Illuminate\Foundation\Exceptions\Handler::class);
return $app;
