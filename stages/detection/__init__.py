"""Text detection: where the text lines of a page are."""
