"""Where arrays live, and in what order work on them happens."""
