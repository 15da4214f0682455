"""Which models read, as JSON."""

from __future__ import annotations

from typing import Any

from typing_extensions import TypedDict

from schemas.statistics import ShadowFigures, WorkerStatistics


class CandidateJson(TypedDict):
    """A model that reads a share of the documents, beside the one in use."""

    model: str
    share: float


class ShadowJson(TypedDict):
    """A model (or `unbatched`) that reads a share of the documents once more, and what that showed, item by item.

    Of the items compared, `equal` or `different` counts the results, and `faster` or `slower` the network's time;
    `own_s` and `shadow_s` add up both times. `skipped` came while enough others waited.
    """

    model: str
    share: float
    equal: int
    different: int
    failed: int
    skipped: int
    faster: int
    slower: int
    own_s: float
    shadow_s: float


class StageModelsJson(TypedDict):
    """A stage's models, each with the start of its checksum. `previous` is what a rollback goes back to."""

    model: str
    previous: str | None
    candidate: CandidateJson | None
    shadow: ShadowJson | None


class ModelsJson(TypedDict):
    """The stages that run a network, in the order of the flow; `swaps` counts models put into use so far."""

    models: dict[str, StageModelsJson]
    swaps: int


def models_json(stages: dict[str, Any], statistics: WorkerStatistics) -> ModelsJson:
    """The answer to the command ``models``, and what the shadows have counted."""
    told: dict[str, StageModelsJson] = {}
    for stage, known in stages.items():
        told[stage] = {
            "model": known["model"],
            "previous": known["previous"],
            "candidate": known["candidate"],
            "shadow": _shadow(known["shadow"], statistics.shadows.get(stage)),
        }
    return {"models": told, "swaps": statistics.swaps}


def _shadow(shadow: dict[str, Any] | None, figures: ShadowFigures | None) -> ShadowJson | None:
    if shadow is None:
        return None
    if figures is None or figures.name != shadow["model"]:  # of the one before it
        figures = ShadowFigures(shadow["model"])
    return {
        "model": shadow["model"],
        "share": shadow["share"],
        "equal": figures.equal,
        "different": figures.different,
        "failed": figures.failed,
        "skipped": figures.skipped,
        "faster": figures.faster,
        "slower": figures.slower,
        "own_s": round(figures.own_s, 6),
        "shadow_s": round(figures.shadow_s, 6),
    }
