return client {
  batch     = { "python3", "batch_careful.py" },
  directory = ".",
}
