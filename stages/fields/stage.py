"""The fields stage: once all pages of a document are read, which type it is and what its fields say."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from models.layout_ner.candidate import Candidate
from schemas.doctypes import DocType
from schemas.document import Notice, Page
from schemas.fields import Field
from stages.fields.build import missing_fields
from stages.fields.doc_type import Decision, by_network, settle
from stages.fields.readers import FieldsPage, Reader
from stages.fields.titles import recognise
from stages.stage import LaneContext, Stage

log = logging.getLogger(__name__)

Fields = dict[str, Field | list[Field]]
Builder = Callable[[DocType, list[Candidate], list[Page]], Fields]
"""Turns candidates into typed and checked fields."""

AUTO = "auto"
FAILED = "fields_failed"
"""The code of the warning that fields could not be read; the text is delivered all the same."""


@dataclass(slots=True)
class FieldsItem:
    """A document's pages in order, and the type that is asked for: a name, or ``auto``."""

    doc_type: str
    pages: list[FieldsPage]


@dataclass(slots=True)
class FieldsResult:
    """What becomes part of the document; see :class:`schemas.document.Document`."""

    doc_type: str | None = None
    confidence: float | None = None
    fields: Fields = field(default_factory=dict)
    warnings: list[Notice] = field(default_factory=list)


class FieldsStage(Stage[FieldsItem, FieldsResult]):
    """Reads the fields of whole documents, on the CPU and without a network.

    Args:
        doctypes: the known types by name.
        readers: who finds candidates, by the name that a type gives as its reader.
        build: makes fields of what the readers find.
        types: the network's document types in the order of its output; empty where there is no network.
    """

    name = "fields"

    def __init__(
        self,
        doctypes: Mapping[str, DocType],
        readers: Mapping[str, Reader],
        build: Builder,
        types: Sequence[str] = (),
    ) -> None:
        self._doctypes, self._readers, self._build = doctypes, readers, build
        self._types = tuple(types)

    def prepare(self, item: FieldsItem, lane: LaneContext) -> FieldsResult:
        """Read one document. Whatever goes wrong becomes a warning: its text is worth delivering without fields."""
        result = FieldsResult()
        try:
            decision = self._decide(item)
            result.doc_type, result.confidence = decision.doc_type, decision.confidence
            if decision.doc_type is not None:
                doctype = self._doctypes[decision.doc_type]
                result.fields = self._read(doctype, item.pages)
                if item.doc_type != AUTO:
                    result.warnings += missing_fields(doctype, result.fields)
        except Exception as error:  # noqa: BLE001 - whatever it is, the text is there
            log.warning("the fields of a document could not be read", exc_info=True)
            result.warnings.append(Notice(FAILED, f"the fields could not be read: {type(error).__name__}: {error}"))
        return result

    def split(self, outputs: Any, items: Sequence[FieldsItem], lane: LaneContext) -> list[FieldsResult]:
        """The results, one per document."""
        return list(outputs)

    def _decide(self, item: FieldsItem) -> Decision:
        if item.doc_type != AUTO:
            return Decision(item.doc_type, 1.0)
        said = by_network([entry.tags.types for entry in item.pages if entry.tags is not None], self._types)
        if said.doc_type is not None and said.doc_type not in self._doctypes:
            said = Decision(None, 0.0)
        return settle(said, recognise(self._doctypes.values(), [entry.page for entry in item.pages]))

    def _read(self, doctype: DocType, pages: Sequence[FieldsPage]) -> Fields:
        candidates = self._readers[doctype.reader](doctype, pages)
        return self._build(doctype, candidates, [entry.page for entry in pages])
