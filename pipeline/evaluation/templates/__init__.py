"""The HTML report's template, as package data."""
