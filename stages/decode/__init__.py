"""From a file's bytes to upright pages in memory."""
