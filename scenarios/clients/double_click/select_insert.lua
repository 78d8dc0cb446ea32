-- SELECT, then INSERT: a double click, a job that is delivered twice.
--
-- Teaches: two that look at the same moment both find nothing; looking is no lock.
-- Safe: no.
-- Needs: python3.
-- Run: build/psp-harness run scenarios/d20_*.lua
--   --client scenarios/clients/double_click/select_insert.lua
return client {
  command   = { "python3", "select_insert.py" },
  processes = 2,
  directory = ".",
}
