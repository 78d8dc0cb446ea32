#!/bin/sh
# Says that every order is paid and has never called anybody. A run of this proves nothing, so it
# must not pass: psp-harness calls it inconclusive.
exit 0
