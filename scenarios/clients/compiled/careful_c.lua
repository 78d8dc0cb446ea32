-- A job in C that has its key on the disk before the first byte is sent, and asks first when it
-- is run again.
--
-- Teaches: all it takes is a file, fsync, rename, and a list that is read to its end.
-- Safe: yes.
-- Needs: gcc libcurl4-openssl-dev libcjson-dev.
-- Run: build/psp-harness run scenarios/{a00,b10,c20,c40,d20,f10,f20,f30,g10,g40}_*.lua
--   --client scenarios/clients/compiled/careful_c.lua
return client {
  prepare = { "sh", "-c", 'cc -o "$STATE_DIR/pay" ../careful.c ../psp_call.c -lcurl -lcjson' },
  command = { "{state}/pay" },
  directory = ".",
}
