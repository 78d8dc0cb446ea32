<?php
namespace App;

use Illuminate\Foundation\Support\Providers\RouteServiceProvider;
use Illuminate\Http\Request;
use Illuminate\Support\Facades\DB;
use Illuminate\Support\Facades\Route;

/** POST /orders takes an order and leaves it to the job that the environment names (JOB). */
class Routes extends RouteServiceProvider
{
    public function map()
    {
        Route::post('/orders', function (Request $request) {
            $job = 'App\\Jobs\\' . getenv('JOB');
            $order = $request->only(['id', 'amount', 'currency']);
            DB::table('orders')->insertOrIgnore($order);
            $job::dispatch($order['id']);
            return ['order' => $order['id']];
        });
    }
}
