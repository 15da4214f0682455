"""What reads fields from lines that are given: the stages for fields, called directly, without the rest of the flow."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from models.backends import get_backend
from models.extras import require
from pipeline.build_fields import fields_stages
from pipeline.doc_types import load_types
from pipeline.evaluation.lines import ReadFields
from schemas.document import Document, Page
from schemas.settings import Settings
from stages.devices.cpu import CpuDevice
from stages.fields.readers import FieldsPage, text_lines
from stages.fields.stage import AUTO, FieldsItem, FieldsStage
from stages.layout_ner.stage import LayoutNerItem, LayoutNerStage, PageTags
from stages.stage import LaneContext


@contextmanager
def open_field_reader(settings: Settings) -> Iterator[ReadFields]:
    """Load the network and close it afterwards.

    Raises:
        InklaneError: no such model is installed, or the backend is missing.
    """
    require(settings.backend)
    stages = fields_stages(settings, load_types(settings))
    model = get_backend(settings.backend).load(stages.files, stages.load_options(1))
    try:
        device = CpuDevice(settings.core_count)
        lane = LaneContext(device, device.stream(), model.predictor(0), settings.core_count)
        yield field_reader(stages.layout_ner, stages.fields, lane)
    finally:
        model.close()


def field_reader(network: LayoutNerStage, fields: FieldsStage, lane: LaneContext) -> ReadFields:
    """Both stages as one function."""

    def read(document: Document, doc_type: str) -> None:
        tags = _tags(network, document.pages, None if doc_type == AUTO else doc_type, lane)
        item = FieldsItem(doc_type, [FieldsPage(page, tags.get(page.page)) for page in document.pages])
        [result] = fields.split(fields.collate([fields.prepare(item, lane)], lane), [item], lane)
        document.doc_type, document.doc_type_confidence = result.doc_type, result.confidence
        document.fields = result.fields
        document.warnings += result.warnings

    return read


def _tags(
    network: LayoutNerStage, pages: Sequence[Page], doc_type: str | None, lane: LaneContext
) -> dict[int, PageTags]:
    """What the network says about each page that has lines, by number."""
    found = {}
    for page in pages:
        lines = text_lines(page)
        if lines:
            item = LayoutNerItem(lines, doc_type)
            batch = network.collate([network.prepare(item, lane)], lane)
            [found[page.page]] = network.split(network.predict(batch, lane), [item], lane)
    return found
