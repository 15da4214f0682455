"""What each document is asked to be read as, and which of its fields are compared."""

from __future__ import annotations

from collections.abc import Sequence

from pipeline.evaluation.fields import judged_fields
from pipeline.evaluation.scoring import DocumentScore, score
from schemas.document import Document, Notice
from schemas.truth import OTHER, TruthDocument

AUTO = "auto"
"""Asks for a document's type to be recognised."""

BY_TRUTH = "truth"
"""Asks for each document to be read as what it is labelled as; it is recognised where the labels name no type."""

NO_FIELDS = "none"
"""Asks for no fields at all."""


class Judge:
    """Scores the documents of one dataset.

    Args:
        truths: all its documents: what the labels of any of them speak of is compared in all of its type.
        doc_type: what to read documents as: a type's name, or one of the words above. None, like ``none``, compares no
            fields.
    """

    def __init__(self, truths: Sequence[TruthDocument], doc_type: str | None) -> None:
        self._doc_type = doc_type
        self._judged = judged_fields(truths)

    def asked(self, truth: TruthDocument) -> str | None:
        """The type that this document is to be read as, for the reader."""
        if self._doc_type != BY_TRUTH:
            return None if self._doc_type == NO_FIELDS else self._doc_type
        return AUTO if truth.doc_type in {None, OTHER} else truth.doc_type

    def score(self, truth: TruthDocument, read: Document | None, error: Notice | None = None) -> DocumentScore:
        """Compare one document with its truth; ``read`` is None where it failed with ``error``."""
        if self._doc_type in {None, NO_FIELDS}:
            return score(truth, read, error)
        judged = self._judged[truth.doc_type]
        return score(truth, read, error, judged=judged, recognised=self.asked(truth) == AUTO)


def default_type(truths: Sequence[TruthDocument]) -> str:
    """What to read a dataset as unless told: recognised where the labels speak of types or fields, else text alone."""
    return AUTO if any(truth.doc_type is not None or truth.fields for truth in truths) else NO_FIELDS
