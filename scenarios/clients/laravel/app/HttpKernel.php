<?php
namespace App;

class HttpKernel extends \Illuminate\Foundation\Http\Kernel
{
}
