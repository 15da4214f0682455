"""Template families, by the kind of page they make; importing a module registers its families."""
