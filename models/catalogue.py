"""The models that Inklane knows: ``catalogue.yaml``, read and checked."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Literal, get_args

import yaml
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from models.backends.base import InputFormat
from models.formats import Format, how
from models.inference_yml import parse_scale
from schemas.settings import BackendName

Task = Literal["detection", "recognition", "orientation", "page_orientation"]
TASKS: tuple[Task, ...] = get_args(Task)

_CATALOGUE = Path(__file__).with_name("catalogue.yaml")
# names that PaddleOCR may add later, so that they work without a change here
_OFFICIAL = re.compile(r"(?:[a-z]+_)?PP-OCRv\d+_[a-z]+_(det|rec)(?:_[a-z]+)?")


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class InputSpec(_Part):
    """See :class:`models.backends.base.InputFormat`."""

    channels: Literal["BGR", "RGB"]
    scale: Annotated[float, BeforeValidator(parse_scale)]
    mean: tuple[float, float, float]
    std: tuple[float, float, float]

    def format(self) -> InputFormat:
        """The same as the backends take it."""
        return InputFormat(self.channels, self.scale, self.mean, self.std)


class Size(_Part):
    """Limits of the network's input, in pixels; None: free."""

    height: int | None = Field(None, ge=1)
    width: int | None = Field(None, ge=1)
    max_width: int | None = Field(None, ge=1)
    multiple_of: int = Field(1, ge=1)
    max_side: int | None = Field(None, ge=1)


class KnownFile(_Part):
    """A file inside a package, by its path there, and its checksum."""

    path: str
    sha256: str = Field(pattern=r"^[0-9a-f]{64}$")


class PackageSource(_Part):
    """One format of a model inside one installed package. ``distribution`` is what pip installs."""

    package: str
    distribution: str
    format: Format
    model: KnownFile
    weights: KnownFile | None = None
    characters: Literal["onnx-metadata", "keys-file"] | None = None
    keys: KnownFile | None = None

    @model_validator(mode="after")
    def _complete(self) -> PackageSource:
        if (self.weights is None) != (self.format == "onnx"):
            raise ValueError(f"{self.model.path}: Paddle formats have weights, ONNX has none")
        if (self.keys is None) != (self.characters != "keys-file"):
            raise ValueError(f"{self.model.path}: keys go with characters: keys-file")
        return self

    @property
    def files(self) -> tuple[KnownFile, ...]:
        """All files of the model."""
        return tuple(f for f in (self.model, self.weights, self.keys) if f is not None)


class Entry(_Part):
    """One model. ``classes`` counts a recogniser's outputs, the blank and the space included."""

    name: str
    task: Task
    licence: str
    source: str
    input: InputSpec
    size: Size = Size()
    classes: int | None = None
    labels: tuple[str, ...] = ()
    packages: tuple[PackageSource, ...] = ()


class Catalogue(_Part):
    """All entries, best first, and the names of PaddleOCR's hub by task."""

    models: tuple[Entry, ...]
    hub: dict[Task, tuple[str, ...]]

    @model_validator(mode="after")
    def _unique(self) -> Catalogue:
        names = [entry.name for entry in self.models]
        if len(set(names)) != len(names):
            raise ValueError("a name occurs twice")
        return self

    def find(self, name: str) -> Entry | None:
        """The entry of this name."""
        return next((entry for entry in self.models if entry.name == name), None)

    def embedded(self, task: Task, backend: BackendName) -> Entry:
        """The best model of a task that a package brings in a format the backend reads as it is."""
        for entry in self.models:
            if entry.task == task and any(how(p.format, backend) == "direct" for p in entry.packages):
                return entry
        raise LookupError(f"no package brings a model for {task} that {backend} reads")

    def hub_task(self, name: str) -> Task | None:
        """The task of a model that PaddleOCR's hub serves; None: no such name."""
        for task, names in self.hub.items():
            if name in names:
                return task
        if match := _OFFICIAL.fullmatch(name):
            return "detection" if match[1] == "det" else "recognition"
        return None

    def names(self, task: Task | None = None) -> tuple[str, ...]:
        """All known names (of one task), embedded ones first."""
        own = [entry.name for entry in self.models if task in (None, entry.task)]
        hub = [name for t, names in self.hub.items() if task in (None, t) for name in names]
        return tuple(dict.fromkeys(own + hub))


@lru_cache(maxsize=1)
def load_catalogue() -> Catalogue:
    """The catalogue that ships with Inklane."""
    return Catalogue.model_validate(yaml.safe_load(_CATALOGUE.read_text(encoding="utf-8")))
