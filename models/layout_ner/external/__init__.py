"""Token classifiers from outside: exported VI-LayoutXLM, LayoutXLM and ERNIE-Layout models beside the own network."""
