"""Text recognition: what the text lines of a page say."""
