"""From recognised lines to a page: reading order, word boxes, polygons inside the page."""
