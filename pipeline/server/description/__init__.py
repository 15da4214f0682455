"""What the OpenAPI document says about each address, in modules like those that hold the handlers."""
