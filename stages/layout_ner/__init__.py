"""Named characters: which of a page's characters belong to which field."""
