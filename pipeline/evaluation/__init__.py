"""Accuracy on documents whose text is known: matching, metrics, and the reports. See docs/evaluation.md."""
