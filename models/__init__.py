"""The catalogue of models, how they are found, and the backends that run them."""
