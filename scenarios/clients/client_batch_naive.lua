return client {
  batch     = { "python3", "batch_naive.py" },
  directory = ".",
}
