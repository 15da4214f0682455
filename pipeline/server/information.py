"""What the service is doing, and what it knows: ``/v1/statistics`` and ``/v1/document-types``."""

from __future__ import annotations

import orjson
from aiohttp import web
from typing_extensions import TypedDict

from pipeline.server.keys import SERVICE, SETTINGS
from schemas.doctypes import DocType, FieldType, Names, load_doctypes
from schemas.errors import NotFound
from schemas.statistics import Histogram, StageFigures, WorkerStatistics


class MeanJson(TypedDict):
    """How many values there were, and their sum in seconds."""

    count: int
    sum: float


class StageStatisticsJson(TypedDict):
    """One stage. `batches` counts batches by size; `waiting`, `lanes` and `busy_lanes` are true now."""

    items: int
    batches: dict[str, int]
    batch_count: int
    mean_batch: float
    padding_share: float
    busy_s: float
    queue_s: MeanJson
    network_s: MeanJson
    dropped: dict[str, int]
    waiting: int
    lanes: int
    busy_lanes: int


class StatisticsJson(TypedDict):
    """All stages in the order of the flow. Counts only grow; `documents` and `pages` are by outcome."""

    stages: dict[str, StageStatisticsJson]
    documents: dict[str, int]
    pages: dict[str, int]
    documents_in_flight: int
    waiting_documents: int
    workers: int
    worker_restarts: int
    models: dict[str, str]


class NamesJson(TypedDict):
    """What people call it."""

    en: str
    zh: str | None


class FieldTypeJson(TypedDict):
    """A field of a kind of document. `parts` are the columns of a repeated row."""

    name: str
    type: str
    names: NamesJson
    required: bool
    repeated: bool
    parts: list[FieldTypeJson]


class DocumentTypeJson(TypedDict):
    """A kind of document."""

    names: NamesJson
    fields: list[FieldTypeJson]


class DocumentTypesJson(TypedDict):
    """All kinds of documents, by the name that `type` takes."""

    document_types: dict[str, DocumentTypeJson]


_TYPES = web.AppKey("document_types", bytes)


def add_routes(app: web.Application) -> None:
    """Both addresses."""
    types = load_doctypes(app[SETTINGS].fields.doctypes_dir)
    app[_TYPES] = orjson.dumps({"document_types": {name: _document_type(each) for name, each in types.items()}})
    app.router.add_get("/v1/statistics", _statistics)
    app.router.add_get("/v1/document-types", _document_types)


async def _document_types(request: web.Request) -> web.Response:
    return web.Response(body=request.app[_TYPES], content_type="application/json")


async def _statistics(request: web.Request) -> web.Response:
    ask = getattr(request.app[SERVICE].reader, "statistics", None)
    if ask is None:
        raise NotFound("this reader counts nothing")
    return web.Response(body=orjson.dumps(statistics_json(ask())), content_type="application/json")


def statistics_json(statistics: WorkerStatistics) -> StatisticsJson:
    """Statistics as JSON, with what follows from them."""
    return {
        "stages": {name: _stage(figures) for name, figures in statistics.stages.items()},
        "documents": dict(statistics.documents),
        "pages": dict(statistics.pages),
        "documents_in_flight": statistics.documents_in_flight,
        "waiting_documents": statistics.waiting_documents,
        "workers": statistics.workers,
        "worker_restarts": statistics.worker_restarts,
        "models": dict(statistics.models),
    }


def _stage(figures: StageFigures) -> StageStatisticsJson:
    return {
        "items": figures.items,
        "batches": {str(size): count for size, count in sorted(figures.batches.items())},
        "batch_count": figures.batch_count,
        "mean_batch": round(figures.mean_batch, 3),
        "padding_share": round(figures.padding_share, 4),
        "busy_s": round(figures.busy_s, 6),
        "queue_s": _mean(figures.queue_s),
        "network_s": _mean(figures.network_s),
        "dropped": dict(figures.dropped),
        "waiting": figures.waiting,
        "lanes": figures.lanes,
        "busy_lanes": figures.busy_lanes,
    }


def _mean(histogram: Histogram) -> MeanJson:
    return {"count": histogram.count, "sum": round(histogram.sum, 6)}


def _document_type(doc_type: DocType) -> DocumentTypeJson:
    return {
        "names": _names(doc_type.names, doc_type.name),
        "fields": [_field(each) for each in doc_type.fields],
    }


def _field(field: FieldType) -> FieldTypeJson:
    return {
        "name": field.name,
        "type": field.type,
        "names": _names(field.names, field.label),
        "required": field.required,
        "repeated": field.repeated,
        "parts": [_field(part) for part in field.parts],
    }


def _names(names: Names | None, label: str) -> NamesJson:
    return {"en": names.en, "zh": names.zh} if names is not None else {"en": label, "zh": None}
