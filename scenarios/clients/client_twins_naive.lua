-- A double click, a job that is delivered twice: two processes at once for each order.
return client {
  command   = { "python3", "select_insert.py" },
  processes = 2,
  directory = ".",
}
