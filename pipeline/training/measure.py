"""What a trained network is worth: scores for the model card, and how far its confidences can be trusted."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from models.layout_ner.example import Example
from pipeline.evaluation.calibration import expected_calibration_error, reliability
from pipeline.training.gather import Groups
from pipeline.training.scoring import Outcome, Predict, Tally
from stages.fields.calibration import DEFAULT, Calibration, fit

if TYPE_CHECKING:
    from pipeline.training.session import Session

ENOUGH, ENOUGH_OF_TYPE = 60, 150
"""Values from which confidences are calibrated at all, and those of a document type by themselves.

Of a few values little can be said, so that calibrated confidences would all be low.
"""

Pair = tuple[str, float, bool]
"""``type.field``, the network's confidence, whether the value was right."""

Table = tuple[tuple[float, float], ...]


@dataclass(slots=True)
class Score:
    """One set of pages: how many, whose lines, the fields' F1 where the type is given, share of types recognised."""

    name: str
    lines: str
    pages: int
    f1: float | None
    types: float | None
    fields: dict[str, Tally] = field(default_factory=dict)


@dataclass(slots=True)
class Measured:
    """Scores, calibration tables by document type, and the expected calibration error before and after them.

    The errors are measured by cross-validation; None where nothing was calibrated.
    """

    scores: list[Score] = field(default_factory=list)
    calibration: dict[str, Table] = field(default_factory=dict)
    values: int = 0
    error_raw: float | None = None
    error_calibrated: float | None = None


def measure(session: Session, predict: Predict) -> Measured:
    """Score the pages that were kept out of training, and fit the calibration to them."""
    found = Measured()
    pairs: list[Pair] = []
    for name, groups in (("held-out pages", session.held), ("synthetic", session.drawn)):
        for score, outcome in _scored(session, predict, name, groups):
            found.scores.append(score)
            # Drawn pages count as read: as they were drawn they are easier than anything that will ever come.
            if name != "synthetic" or score.lines == "read":
                pairs += outcome.confidences
    made_up = [page for name, pages in session.checks.items() if not name.startswith("real_") for page in pages]
    if made_up and not session.drawn:
        score, outcome = _score(session, predict, "synthetic", "disturbed", made_up)
        found.scores.append(score)
        pairs += outcome.confidences
    for name, groups in session.evaluation.items():
        found.scores += [score for score, _ in _scored(session, predict, name, groups)]
    found.calibration, found.values = tables(pairs), len(pairs)
    if found.calibration:
        found.error_raw = expected_calibration_error(reliability((sure, right) for _, sure, right in pairs))
        found.error_calibrated = expected_calibration_error(reliability(_crossed(pairs)))
    return found


def tables(pairs: Sequence[Pair]) -> dict[str, Table]:
    """Calibration tables: one of all values, and one for each document type with enough; none if they are few."""
    if len(pairs) < ENOUGH:
        return {}
    by_type: dict[str, list[Pair]] = {}
    for pair in pairs:
        by_type.setdefault(pair[0].partition(".")[0], []).append(pair)
    chosen = {DEFAULT: list(pairs)} | {name: own for name, own in sorted(by_type.items()) if len(own) >= ENOUGH_OF_TYPE}
    return {name: fit([sure for _, sure, _ in own], [right for _, _, right in own]) for name, own in chosen.items()}


def _crossed(pairs: Sequence[Pair]) -> Iterable[tuple[float, bool]]:
    """Each value's confidence by tables fitted to the others: five parts in turn."""
    parts = 5
    for number in range(parts):
        others = [pair for at, pair in enumerate(pairs) if at % parts != number]
        calibration = Calibration(tables(others))
        for name, sure, right in pairs[number::parts]:
            yield calibration(sure, name, name.partition(".")[0]), right


def _scored(session: Session, predict: Predict, name: str, groups: Groups) -> list[tuple[Score, Outcome]]:
    """Scores on the lines as labelled and on those that were read, and what was said when the type was not given."""
    sets: dict[str, list[Example]] = {"true": [group[0] for group in groups]}
    sets["read"] = [group[-1] for group in groups if len(group) > 1]
    return [_score(session, predict, name, lines, pages) for lines, pages in sets.items() if pages]


def _score(
    session: Session, predict: Predict, name: str, lines: str, pages: Sequence[Example]
) -> tuple[Score, Outcome]:
    # Of types that the network was not trained for it is not asked.
    pages = [page for page in pages if page.doc_type is None or page.doc_type in session.tags.fields]
    said = session.scorer().score(predict, pages, asked=True)
    blind = session.scorer(0.0).score(predict, pages, asked=False)
    types = blind.types.right / blind.types.said if blind.types.said else None
    score = Score(name, lines, len(pages), said.f1() if said.fields else None, types, _by_field(said.fields))
    return score, blind


def _by_field(fields: Mapping[str, Tally]) -> dict[str, Tally]:
    return {name: fields[name] for name in sorted(fields)}
