"""The two stages that read fields, from the settings and the layout-NER model's files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from models.backends.base import Array, LoadOptions, ModelFiles
from models.layout_ner.candidate import Candidate
from models.layout_ner.encode import collate, encode
from models.layout_ner.example import TextLine
from models.layout_ner.model_files import INPUTS, LayoutNerFiles, find_layout_ner
from models.layout_ner.vocabulary import Vocabulary
from schemas.doctypes import DocType
from schemas.document import Page
from schemas.settings import Settings
from stages.fields.build import build_fields
from stages.fields.calibration import IDENTITY, Calibration
from stages.fields.readers import Reader, form_reader, keys_reader, network_reader
from stages.fields.stage import Fields, FieldsStage
from stages.layout_ner.stage import LayoutNerStage

_LENGTH, _LINES = 256, 32  # padded, of the page that lanes are warmed up with
_SHAPES = 24
"""Shapes whose preparations are kept: pages come in few."""


@dataclass(slots=True)
class FieldsStages:
    """Both stages, what the network's backend loads, and the document types whose fields it reads."""

    layout_ner: LayoutNerStage
    fields: FieldsStage
    files: ModelFiles
    networks_types: tuple[str, ...]
    sample: Sequence[Array]
    other_sample: Sequence[Array]

    def load_options(self, lanes: int) -> LoadOptions:
        """How the network is loaded: in f32, since positions in bf16 would be rounded to the nearest line or two."""
        trial = (self.other_sample, self.sample)
        return LoadOptions("f32", lanes, inputs=INPUTS, trial=trial, shape_cache=_SHAPES)


def fields_stages(settings: Settings, doctypes: Mapping[str, DocType]) -> FieldsStages:
    """Find the model and make the stages.

    Raises:
        ModelError: the model is missing or damaged.
    """
    found = find_layout_ner(settings, settings.backend)
    return FieldsStages(
        LayoutNerStage(found.vocabulary, found.tags),
        fields_stage(settings, doctypes, found),
        found.files,
        tuple(name for name, doctype in doctypes.items() if doctype.reader != "keys" and name in found.tags.fields),
        sample(found.vocabulary, "Total 12.00"),
        sample(found.vocabulary, "2048"),
    )


def fields_stage(settings: Settings, doctypes: Mapping[str, DocType], found: LayoutNerFiles) -> FieldsStage:
    """The stage that makes fields of what the network and the other readers find."""
    calibration = Calibration.from_mapping(found.description.calibration)
    least = settings.fields.min_confidence
    readers: dict[str, Reader] = {
        "network": network_reader(found.tags),
        "form": form_reader(found.tags),
        "keys": keys_reader,
    }

    def build(doctype: DocType, candidates: list[Candidate], pages: list[Page]) -> Fields:
        # The measurements are the network's: what stands beside a key has a confidence of its own.
        measured = IDENTITY if doctype.reader == "keys" else calibration
        return build_fields(doctype, candidates, pages, calibration=measured, min_confidence=least)

    return FieldsStage(doctypes, readers, build, found.tags.types)


def sample(vocabulary: Vocabulary, text: str) -> Sequence[Array]:
    """A short page as the network takes it."""
    line = TextLine(text, ((10, 10), (200, 10), (200, 40), (10, 40)))
    return collate([encode([line], vocabulary)], _LENGTH, _LINES)
