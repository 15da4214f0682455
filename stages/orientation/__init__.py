"""Which way up a page is, and turning it upright."""
