-- A client of GET /payments/operations/{operation_id} that has one id for each order.
--
-- Teaches: ask what became of the operation, and pay again under the same id only if there is
--   none.
-- Safe: yes.
-- Needs: python3.
-- Run: build/psp-harness run scenarios/{a00,b10,c20,d10,f10,f20,f30}_*.lua
--   --client scenarios/clients/bank/same_operation.lua
return client {
  command = { "python3", "../careful_plain.py" },
  directory = ".",
  environment = { PYTHONPATH = "../lib", PYTHONDONTWRITEBYTECODE = "1" },
}
