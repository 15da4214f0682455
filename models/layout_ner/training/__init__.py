"""Training the layout-NER network: what it learns from, how, and the export of what it has learnt."""
