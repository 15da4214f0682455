"""Models that are loaded into a running fake plant."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from models.backends.base import ModelFiles
from models.ctc import CtcDecoder
from models.layout_ner.candidate import Candidate
from pipeline.build_models import StageModel
from schemas.doctypes import DocType, load_doctypes
from schemas.document import Page
from schemas.errors import ModelError
from schemas.fields import Field
from stages.fields.readers import keys_reader, network_reader
from stages.fields.stage import FieldsStage
from stages.layout_ner.stage import LayoutNerStage
from stages.recognition.stage import HEIGHT, RecognitionStage
from tests.factories.plant import Probe, Probed, TokenModel
from tests.factories.tagging import CHARACTERS, TAGS, VOCABULARY, TagModel

FIRST = "tokens@0"
"""The recogniser that the fake plant comes with."""


class FakeLoading:
    """Recognisers that read each character as the one so many further on: ``shift1``, ``shift2`` and so on.

    A name in ``broken`` fails its self-test. ``prints`` are the checksums of files that have changed.
    """

    def __init__(self) -> None:
        self.probe = Probe()
        self.loaded: list[tuple[str, Any]] = []
        self.broken: set[str | None] = set()
        self.prints: dict[str | None, str] = {}

    def name(self, stage: str, wanted: str | None) -> str:
        if wanted == "missing":
            raise ModelError("missing is not here")
        return f"{wanted or 'tokens'}@{self.prints.get(wanted, '0')}"

    def load(self, stage: str, wanted: str | None, lanes: int) -> StageModel:
        name = wanted or "tokens"
        if wanted in self.broken:
            raise ModelError(f"{name} failed its self-test: reads nothing")
        files = ModelFiles(name, stage, "onnx", Path(name), None, None, self.prints.get(wanted, "0"))
        if stage == "layout_ner":
            tagger = TagModel()
            self.loaded.append((name, tagger))
            return StageModel(
                LayoutNerStage(VOCABULARY, TAGS), tagger, files, "fake f32", [], ("receipt",), other_fields()
            )
        model = TokenModel(shift=int(name.removeprefix("shift")) if name.startswith("shift") else 0)
        self.loaded.append((name, model))
        stage_object = Probed(RecognitionStage(CtcDecoder(CHARACTERS)), self.probe)
        return StageModel(stage_object, model, files, "fake f32", np.zeros((1, HEIGHT, 16, 3), np.uint8))

    def model(self, name: str) -> Any:
        """The model that was loaded under this name last."""
        return next(model for known, model in reversed(self.loaded) if known == name)


def other_fields() -> FieldsStage:
    """A fields stage that can be told from the plant's."""

    def build(doctype: DocType, candidates: list[Candidate], pages: list[Page]) -> dict[str, Field | list[Field]]:
        return {"of_the_other": Field("text", "x", "x", 1.0)}

    readers = {"network": network_reader(TAGS), "keys": keys_reader}
    return FieldsStage(load_doctypes(), readers, build, TAGS.types)


def shifted(token: str, shift: int) -> str:
    """What such a recogniser reads."""
    return "".join(CHARACTERS[(CHARACTERS.index(c) + shift) % len(CHARACTERS)] for c in token)
