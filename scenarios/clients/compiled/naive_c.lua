-- A job in C that retries what looks like trouble with the network, without a key.
--
-- Teaches: each retry is a new payment.
-- Safe: no.
-- Needs: gcc libcurl4-openssl-dev libcjson-dev.
-- Run: build/psp-harness run scenarios/{a00,b10,c20,d20,f10,f20,g10}_*.lua
--   --client scenarios/clients/compiled/naive_c.lua
return client {
  prepare = { "sh", "-c", 'cc -o "$STATE_DIR/pay" ../naive.c ../psp_call.c -lcurl -lcjson' },
  command = { "{state}/pay" },
  directory = ".",
}
