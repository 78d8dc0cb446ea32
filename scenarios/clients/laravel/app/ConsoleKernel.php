<?php
namespace App;

class ConsoleKernel extends \Illuminate\Foundation\Console\Kernel
{
}
