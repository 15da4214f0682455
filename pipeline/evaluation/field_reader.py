"""What reads fields from lines that are given: the layout-NER network and the field rules, without the rest."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from pipeline.evaluation.lines import ReadFields
from schemas.errors import ModelError
from schemas.settings import Settings


@contextmanager
def open_field_reader(settings: Settings) -> Iterator[ReadFields]:
    """Load the network and close it afterwards.

    Raises:
        ModelError: no such model is installed.
    """
    raise ModelError("fields cannot be read yet: there is no layout-NER model")
    yield
