"""A token classifier from outside, read like the own network: tags for characters, and candidates for fields."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from models import checksum
from models.backends import get_backend
from models.backends.base import LoadedModel, LoadOptions, ModelFiles, Predictor
from models.layout_ner.candidate import Candidate
from models.layout_ner.decode import decode
from models.layout_ner.example import TextLine
from models.layout_ner.external.characters import CharacterTags, on_characters
from models.layout_ner.external.description import External, read_description, read_labels
from models.layout_ner.external.inputs import Marks, arrays, fixed_length, page_picture
from models.layout_ner.external.labels import LabelSet
from models.layout_ner.external.program import ProgramInput, program_inputs
from models.layout_ner.external.tokenisers import Tokeniser, cut, open_tokeniser
from models.layout_ner.external.tokens import FRAME, Box, tokenise
from models.layout_ner.external.windows import joined, windows
from models.layout_ner.tags import TagSet
from schemas.errors import ModelError

Floats = npt.NDArray[np.float32]

TASK = "layout_ner"


class ExternalModel:
    """An exported token classifier with its tokeniser. Made by :meth:`open`.

    Args:
        description: what ``external.yaml`` says.
        labels: what the outputs mean.
        tokeniser: cuts lines to sub-words.
        inputs: what the program takes.
        predictor: runs it; used by one thread at a time.
        model: what to close in the end.
    """

    def __init__(
        self,
        description: External,
        labels: LabelSet,
        tokeniser: Tokeniser,
        inputs: Sequence[ProgramInput],
        predictor: Predictor,
        model: LoadedModel | None = None,
    ) -> None:
        self._description, self._labels, self._tokeniser = description, labels, tokeniser
        self._inputs, self._predictor, self._model = list(inputs), predictor, model
        self._marks = _marks(description, tokeniser)
        self._length = min(description.length, fixed_length(inputs) or description.length) - self._marks.room
        self.takes_picture = any(item.role == "image" for item in inputs)

    @classmethod
    def open(cls, folder: Path) -> Self:
        """Load the model in a folder: ``external.yaml``, the program, the tokeniser's files and the labels.

        Raises:
            ModelError: something is missing, damaged, or does not fit together.
            BackendUnavailable: Paddle or PaddleNLP is not installed.
        """
        description = read_description(folder)
        labels = _label_set(folder, description)
        files = _files(folder, description)
        tokeniser = open_tokeniser(folder, description)
        inputs = program_inputs(files.model)
        names = tuple(item.name for item in inputs)
        trials = [_trial(inputs, _marks(description, tokeniser), length) for length in (8, 16)]
        model = get_backend("paddle").load(files, LoadOptions("f32", inputs=names, trial=(trials[0], trials[1])))
        opened = cls(description, labels, tokeniser, inputs, model.predictor(0), model)
        [answer] = opened._logits([([opened._marks.padding], [(0, 0, 0, 0)])], None)
        if answer.shape[1] != len(labels):
            opened.close()
            raise ModelError(
                f"{folder}: the model tells {answer.shape[1]} labels apart, and {len(labels)} are named; they do not "
                "belong together"
            )
        return opened

    @property
    def tags(self) -> TagSet:
        """The tags of :meth:`character_tags`."""
        return self._labels.tags

    @property
    def doc_type(self) -> str:
        """The document type whose fields the model knows."""
        return self._description.doc_type

    def close(self) -> None:
        """Free the model."""
        if self._model is not None:
            self._model.close()

    def read(
        self,
        lines: Sequence[TextLine],
        width: float,
        height: float,
        *,
        pixels: npt.NDArray[np.uint8] | None = None,
        kinds: Mapping[str, str] | None = None,
        page: int = 1,
    ) -> list[Candidate]:
        """Candidates for the fields of one page, as :func:`models.layout_ner.decode.decode` finds them.

        Args:
            lines: the page's lines in reading order.
            width: the page's width, in the unit of the lines' polygons.
            height: its height.
            pixels: the upright page (H, W, 3 BGR), for models that look at it.
            kinds: the types of fields by name.
            page: the page's number.
        """
        if not lines:
            return []
        found = self.character_tags(lines, width, height, pixels=pixels)
        return decode(found.tags, found.encoded, lines, self.tags, self.doc_type, kinds or {}, page)

    def character_tags(
        self,
        lines: Sequence[TextLine],
        width: float,
        height: float,
        *,
        pixels: npt.NDArray[np.uint8] | None = None,
    ) -> CharacterTags:
        """The tags of one page's characters; arguments as for :meth:`read`, at least one line."""
        largest = FRAME - 1 if self._description.architecture == "ernie-layout" else FRAME
        tokens = tokenise(lines, self._cut, width, height, largest)
        ids = self._tokeniser.convert_tokens_to_ids([token.text for token in tokens])
        bounds = windows(len(tokens), self._length, min(self._description.overlap, self._length // 2))
        boxes = [token.box for token in tokens]
        answers = self._logits([(ids[start:end], boxes[start:end]) for start, end in bounds], pixels)
        parts = [(start, _softmax(answer)) for (start, _), answer in zip(bounds, answers, strict=True)]
        votes = self._labels.to_tags(joined(parts, len(tokens), len(self._labels)))
        return on_characters(lines, tokens, votes)

    def _cut(self, text: str) -> list[str]:
        return cut(self._tokeniser, text, word_marks=self._description.word_marks)

    def _logits(
        self, batch: Sequence[tuple[Sequence[int], Sequence[Box]]], pixels: npt.NDArray[np.uint8] | None
    ) -> list[Floats]:
        """The outputs (tokens, labels) for each window. They run one after the other, to keep memory low."""
        picture = page_picture(pixels, self._description.image_form) if self.takes_picture else None
        first = 0 if self._marks.around is None else 1
        answers = []
        for ids, boxes in batch:
            outputs = self._predictor.run(arrays(self._inputs, [(ids, boxes)], self._marks, picture))
            answers.append(np.asarray(outputs[0][0, first : first + len(ids)], np.float32))
        return answers


def _marks(description: External, tokeniser: Tokeniser) -> Marks:
    around = (tokeniser.cls_token_id, tokeniser.sep_token_id) if description.with_special_tokens else None
    return Marks(tokeniser.pad_token_id, around)


def _label_set(folder: Path, description: External) -> LabelSet:
    try:
        return LabelSet(read_labels(folder, description), description.doc_type, description.fields)
    except ValueError as error:
        raise ModelError(f"{folder}: {error}") from error


def _files(folder: Path, description: External) -> ModelFiles:
    weights = folder / f"{description.program}.pdiparams"
    for suffix, kind in ((".json", "paddle-json"), (".pdmodel", "paddle")):
        program = folder / f"{description.program}{suffix}"
        if program.is_file() and weights.is_file():
            name = description.name or folder.name
            return ModelFiles(name, TASK, kind, program, weights, None, checksum.sha256(weights))
    raise ModelError(
        f"{folder}: there is no exported model; it needs {description.program}.json or {description.program}.pdmodel, "
        f"and {weights.name}"
    )


def _trial(inputs: Sequence[ProgramInput], marks: Marks, length: int) -> list[npt.NDArray[Any]]:
    picture = page_picture(None, "raw")
    return arrays(inputs, [([marks.padding] * length, [(0, 0, 0, 0)] * length)], marks, picture)


def _softmax(logits: Floats) -> Floats:
    shifted = np.exp(logits - logits.max(axis=-1, keepdims=True))
    result: Floats = (shifted / shifted.sum(axis=-1, keepdims=True)).astype(np.float32)
    return result
