"""Training of the layout-NER: what needs the whole flow, such as reading the training pages with the engine."""
