-- INSERT of a row that is UNIQUE: a double click, a job that is delivered twice.
--
-- Teaches: the row that only one can insert holds the key, and whoever comes second pays with it.
-- Safe: yes.
-- Needs: python3.
-- Run: build/psp-harness run scenarios/{a00,b10,d40}_*.lua
--   --client scenarios/clients/double_click/unique_insert.lua
return client {
  command   = { "python3", "unique_insert.py" },
  processes = 2,
  directory = ".",
  environment = { PYTHONPATH = "../lib", PYTHONDONTWRITEBYTECODE = "1" },
}
