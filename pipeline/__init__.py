"""The flow across stages, the worker process, evaluation, tuning, the command line and the Python API."""
