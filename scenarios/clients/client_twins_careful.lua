-- A double click, a job that is delivered twice: two processes at once for each order.
return client {
  command   = { "python3", "unique_insert.py" },
  processes = 2,
  directory = ".",
}
