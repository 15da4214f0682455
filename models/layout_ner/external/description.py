"""The folder of a model from outside: ``external.yaml``, the exported program, the tokeniser's files, the labels."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from models.layout_ner.external.labels import from_classes
from schemas.errors import ModelError

DESCRIPTION = "external.yaml"

Architecture = Literal["vi-layoutxlm", "layoutxlm", "ernie-layout"]
ImageForm = Literal["raw", "normalised"]


class External(BaseModel):
    """What ``external.yaml`` says. All but ``architecture`` and ``doc_type`` has a default that suits most exports.

    ``program`` is the exported program without its suffix. ``labels`` are the model's outputs in order; without them
    they come from ``config.json`` (``id2label``, as PaddleNLP writes it) or from ``classes.txt`` (one class a line, as
    PaddleOCR takes it). ``fields`` maps names in labels to names of fields. ``special_tokens``: whether the model was
    trained with its tokeniser's marks around the text (PaddleNLP's scripts do it, PaddleOCR's do not).
    ``word_marks``: whether a line's first sub-word carries the mark of a word's beginning (PaddleNLP's scripts for
    Chinese leave it out). ``image``: bytes as they are, or mean and deviation taken off as PaddleOCR does. ``length``
    and ``overlap`` are of windows, in tokens.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    architecture: Architecture
    doc_type: str = Field(min_length=1)
    name: str = ""
    program: str = "inference"
    labels: tuple[str, ...] = ()
    fields: dict[str, str] = Field(default_factory=dict)
    special_tokens: bool | None = None
    word_marks: bool = True
    image: ImageForm | None = None
    length: int = Field(512, ge=16, le=4096)
    overlap: int = Field(128, ge=0)

    @property
    def with_special_tokens(self) -> bool:
        """Whether marks stand around each window."""
        return self.architecture == "ernie-layout" if self.special_tokens is None else self.special_tokens

    @property
    def image_form(self) -> ImageForm:
        """How the page's picture is given."""
        if self.image is not None:
            return self.image
        return "raw" if self.architecture == "ernie-layout" else "normalised"


def read_description(folder: Path) -> External:
    """Read ``external.yaml``.

    Raises:
        ModelError: it is missing, cannot be read, or says something that cannot be.
    """
    path = folder / DESCRIPTION
    try:
        return External.model_validate(yaml.safe_load(path.read_text(encoding="utf-8")))
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(map(str, first["loc"]))
        raise ModelError(f"{path}: {key + ': ' if key else ''}{first['msg']}") from error
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise ModelError(
            f"{path} cannot be read ({' '.join(str(error).split())}); write architecture and doc_type into it"
        ) from error


def read_labels(folder: Path, description: External) -> list[str]:
    """The model's labels in the order of its outputs.

    Raises:
        ModelError: they stand nowhere, or not in a way that can be read.
    """
    if description.labels:
        return list(description.labels)
    config, classes = folder / "config.json", folder / "classes.txt"
    try:
        if config.is_file():
            by_id = json.loads(config.read_text(encoding="utf-8")).get("id2label")
            if by_id:
                return [by_id[number] for number in sorted(by_id, key=int)]
        if classes.is_file():
            lines = classes.read_text(encoding="utf-8").splitlines()
            return from_classes([line.strip() for line in lines if line.strip()])
    except (OSError, ValueError, AttributeError) as error:
        raise ModelError(f"{folder}: the labels cannot be read ({error})") from error
    raise ModelError(
        f"{folder}: what the model's outputs mean stands nowhere; list the labels in {DESCRIPTION}, or add config.json "
        "with id2label, or classes.txt"
    )
