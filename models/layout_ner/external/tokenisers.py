"""PaddleNLP's tokenisers, opened from files alone: nothing is looked for on the network."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol

from models.layout_ner.external.description import External
from schemas.errors import BackendUnavailable, ModelError

SENTENCES, VOCABULARY = "sentencepiece.bpe.model", "vocab.txt"

_SHIELD = "&"
"""Stands before a text whose first sub-word is to be like those inside a word; it is cut off again."""


class Tokeniser(Protocol):
    """What is used of a tokeniser."""

    cls_token_id: int
    sep_token_id: int
    pad_token_id: int

    def tokenize(self, text: str) -> list[str]:
        """Cut a text to sub-words."""
        ...

    def convert_tokens_to_ids(self, tokens: Sequence[str]) -> list[int]:
        """Their numbers."""
        ...


def open_tokeniser(folder: Path, description: External) -> Tokeniser:
    """Open the tokeniser whose files lie in the model's folder.

    Raises:
        BackendUnavailable: PaddleNLP is not installed or does not load.
        ModelError: a file is missing or damaged.
    """
    files = [SENTENCES] if description.architecture != "ernie-layout" else [VOCABULARY, SENTENCES]
    for name in files:
        if not (folder / name).is_file():
            raise ModelError(f"{folder / name} is missing; copy it from where the model was trained")
    transformers = _transformers()
    name = "ErnieLayoutTokenizer" if description.architecture == "ernie-layout" else "LayoutXLMTokenizer"
    try:
        tokeniser: Tokeniser = getattr(transformers, name)(*(str(folder / file) for file in files))
    except (OSError, RuntimeError) as error:  # SentencePiece's own errors
        raise ModelError(f"{folder / SENTENCES}: it is no SentencePiece model ({error}); copy it again") from error
    return tokeniser


def cut(tokeniser: Tokeniser, text: str, *, word_marks: bool) -> list[str]:
    """The sub-words of one line; without ``word_marks``, the first of them is like those inside a word."""
    if not text.strip():
        return []
    return tokeniser.tokenize(text) if word_marks else _without_shield(tokeniser.tokenize(_SHIELD + text))


def _without_shield(pieces: list[str]) -> list[str]:
    """The shield may be a piece with or without the mark of a word's beginning, or a part of one."""
    while pieces and _SHIELD not in pieces[0]:
        pieces = pieces[1:]
    rest = pieces[0].partition(_SHIELD)[2] if pieces else ""
    return [rest, *pieces[1:]] if rest else pieces[1:]


def _transformers() -> Any:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about compilers and deprecations that do not matter here
            return import_module("paddlenlp.transformers")
    except Exception as error:  # it brings a great deal along, and each part fails in its own way
        raise BackendUnavailable(
            f"PaddleNLP, whose tokenisers this model needs, is not installed or does not load ({error}): "
            "run make install EXTRAS=nlp, or elsewhere: pip install 'inklane[nlp]'"
        ) from error
