"""Synthetic documents: pages whose every value, line and polygon is known, for training, tests and samples."""
