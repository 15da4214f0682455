"""The worker process that owns the models, and the client that the rest of the program reads through."""
