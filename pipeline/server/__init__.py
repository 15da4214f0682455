"""The HTTP service: an aiohttp front end for the worker. It never touches a model."""
