-- A client of GET /payments/operations/{operation_id} that makes the id anew.
--
-- Teaches: an id that is made for each call names nothing.
-- Safe: no.
-- Needs: python3.
-- Run: build/psp-harness run scenarios/{a00,b10,c20,d10,f10,f20,f30}_*.lua
--   --client scenarios/clients/bank/new_operation.lua
return client {
  command = { "python3", "../naive_plain.py" },
  directory = ".",
  environment = { PYTHONPATH = "../lib", PYTHONDONTWRITEBYTECODE = "1" },
}
