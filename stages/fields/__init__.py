"""From what the readers found to named values: typed, checked and, where a check can settle it, corrected."""
