-- A job that charges and then updates its row.
--
-- Teaches: whoever dies between the two, or gets no answer, has charged and does not know.
-- Safe: no.
-- Needs: python3.
-- Run: build/psp-harness run scenarios/{a00,b10,c20,d10,d20,e10,f10,f20,f30,g10}_*.lua
--   --client scenarios/clients/job/charge_then_update.lua
return client {
  command = { "python3", "charge_then_update.py" },
  directory = ".",
  environment = { PYTHONPATH = "../lib", PYTHONDONTWRITEBYTECODE = "1" },
}
