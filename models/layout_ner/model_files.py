"""The layout-NER model on disk: a folder with its description, its vocabulary and the network.

``layout_ner.yaml`` says what the outputs mean, ``vocabulary.txt`` holds one character a line, and the network is
``model.onnx`` or, for Paddle, ``model.json`` or ``model.pdmodel`` with ``model.pdiparams``.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from models import checksum
from models.backends.base import ModelFiles
from models.formats import BACKENDS, Format, backends_for, how
from models.layout_ner.tags import OTHER, TagSet
from models.layout_ner.vocabulary import Vocabulary
from schemas.errors import ModelError, SettingsError
from schemas.settings import Settings

TASK = "layout_ner"
INPUTS = ("characters", "kinds", "line_of", "places", "geometry", "hint")
"""The network's inputs in the order of :func:`models.layout_ner.encode.collate`."""

DESCRIPTION, VOCABULARY = "layout_ner.yaml", "vocabulary.txt"
EMBEDDED = Path(__file__).with_name("weights")
"""Where the weights lie that come with the project."""

_NETWORKS: tuple[tuple[str, Format], ...] = (
    ("model.onnx", "onnx"), ("model.json", "paddle-json"), ("model.pdmodel", "paddle"),
)  # fmt: skip


class Description(BaseModel):
    """What ``layout_ner.yaml`` says.

    ``types`` are the field names of each document type in the order of the network's tags (see :class:`TagSet`).
    ``calibration`` maps the network's own confidences to measured ones, by field kind; how is the decoder's business.
    """

    model_config = ConfigDict(extra="ignore", frozen=True)

    name: str = Field(min_length=1)
    types: dict[str, tuple[str, ...]] = Field(min_length=1)
    calibration: dict[str, Any] = Field(default_factory=dict)
    licence: str = "Apache-2.0"

    @field_validator("types")
    @classmethod
    def _known(cls, types: dict[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
        if OTHER in types:
            raise ValueError(f"{OTHER} is always there and has no fields; leave it out")
        for name, fields in types.items():
            if not fields or len(set(fields)) != len(fields):
                raise ValueError(f"{name} must have fields, each named once")
        return types


@dataclass(slots=True, frozen=True)
class LayoutNerFiles:
    """A layout-NER model, found and described. ``files`` is what a backend loads."""

    files: ModelFiles
    description: Description
    tags: TagSet
    vocabulary: Vocabulary


@dataclass(slots=True, frozen=True)
class Network:
    """The network in one format."""

    format: Format
    model: Path
    weights: Path | None


def model_folder(settings: Settings, name: str | None = None) -> Path:
    """The folder of the model: that which ``models.layout_ner`` names, else the one that comes with the project.

    Args:
        settings: ``model_dir`` and ``models.layout_ner``.
        name: a folder, or the name of one inside ``model_dir``; None: what the settings say.

    Raises:
        ModelError: it is not there; the message says what to do.
    """
    wanted = name if name is not None else settings.models.layout_ner
    root = settings.model_dir
    if wanted is None:
        if root is not None and (root / TASK / DESCRIPTION).is_file():
            return root / TASK
        if (EMBEDDED / DESCRIPTION).is_file():
            return EMBEDDED
        raise ModelError(
            f"the model for {TASK} is not in {EMBEDDED}; install the project again, let models.layout_ner name a "
            "folder that holds one (inklane train layout-ner makes one), or set fields.enabled to false"
        )
    places = [Path(wanted), *([root / wanted] if root is not None else [])]
    for place in places:
        if (place / DESCRIPTION).is_file():
            return place
    raise ModelError(
        f"models.layout_ner names {wanted!r}, and there is no {' or '.join(str(p / DESCRIPTION) for p in places)}; "
        "name a folder that inklane train layout-ner has written, or leave the setting out"
    )


def model_folders(settings: Settings) -> list[Path]:
    """The folders of all layout-NER models on this machine, that which the settings choose first if it is there."""
    root = settings.model_dir
    own = sorted(path.parent for path in root.glob(f"*/{DESCRIPTION}")) if root is not None else []
    embedded = [EMBEDDED] if (EMBEDDED / DESCRIPTION).is_file() else []
    try:
        chosen = [model_folder(settings)]
    except ModelError:
        chosen = []
    return list(dict.fromkeys(chosen + own + embedded))


def networks(folder: Path) -> list[Network]:
    """The formats in which a model's folder holds the network."""
    weights = folder / "model.pdiparams"
    found = [Network(kind, folder / file, None if kind == "onnx" else weights) for file, kind in _NETWORKS]
    return [n for n in found if n.model.is_file() and (n.weights is None or n.weights.is_file())]


def read_description(folder: Path) -> Description:
    """Read ``layout_ner.yaml``.

    Raises:
        ModelError: it cannot be read, or lacks what it must say.
    """
    path = folder / DESCRIPTION
    try:
        return Description.model_validate(yaml.safe_load(path.read_text(encoding="utf-8")))
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(map(str, first["loc"]))
        raise ModelError(
            f"{path}: {key + ': ' if key else ''}{first['msg'].removeprefix('Value error, ')}; copy the model again"
        ) from error
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise ModelError(f"{path} cannot be read ({' '.join(str(error).split())}); copy the model again") from error


def read_vocabulary(folder: Path) -> Vocabulary:
    """Read ``vocabulary.txt``: one character a line.

    Raises:
        ModelError: it cannot be read, or a line is not one character.
    """
    path = folder / VOCABULARY
    try:
        lines = path.read_bytes().decode().removesuffix("\n").split("\n")
        return Vocabulary(lines)
    except (OSError, UnicodeDecodeError, ValueError) as error:
        raise ModelError(f"{path} cannot be read ({error}); it holds one character a line: copy it again") from error


def write_description(folder: Path, description: Description, vocabulary: Vocabulary) -> None:
    """Write both texts of a model's folder, so that :func:`find_layout_ner` reads them back."""
    text = yaml.safe_dump(description.model_dump(mode="json"), allow_unicode=True, sort_keys=False)
    (folder / DESCRIPTION).write_text(text, encoding="utf-8")
    (folder / VOCABULARY).write_bytes(("\n".join(vocabulary.characters) + "\n").encode())


def find_layout_ner(settings: Settings, backend: str, name: str | None = None) -> LayoutNerFiles:
    """Find the layout-NER model and read what describes it.

    Args:
        settings: where to look; see :func:`model_folder`.
        backend: which runtime shall run it.
        name: as for :func:`model_folder`.

    Raises:
        ModelError: it is missing, incomplete, or in no format that the backend reads; the message says what to do.
        SettingsError: no such backend.
    """
    runtime = next((b for b in BACKENDS if b == backend), None)
    if runtime is None:
        raise SettingsError(f"backend: no {backend!r}; there are {', '.join(BACKENDS)}")
    folder = model_folder(settings, name)
    description, vocabulary = read_description(folder), read_vocabulary(folder)
    there = networks(folder)
    network = next((n for n in there if how(n.format, runtime) == "direct"), None)
    if network is None:
        raise ModelError(_no_network(folder, runtime, there))
    paths = [network.model, network.weights, folder / DESCRIPTION, folder / VOCABULARY]
    fingerprint = checksum.combine([checksum.sha256(path) for path in paths if path is not None])
    files = ModelFiles(description.name, TASK, network.format, network.model, network.weights, None, fingerprint)
    return LayoutNerFiles(files, description, TagSet(description.types), vocabulary)


def _no_network(folder: Path, backend: str, there: list[Network]) -> str:
    others = dict.fromkeys(b for n in there for b in backends_for(n.format) if how(n.format, b) == "direct")
    needs = "model.onnx" if backend != "paddle" else "model.json or model.pdmodel, with model.pdiparams"
    advice = f"set backend to {' or '.join(others)}, or copy" if others else "copy"
    return f"{folder} holds no network that {backend} reads ({needs}); {advice} the whole folder again"
