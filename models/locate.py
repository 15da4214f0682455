"""Where a model's files lie: in a folder, in an installed package, or in PaddleOCR's cache. Nothing is imported."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from models import hub
from models.catalogue import Catalogue, Entry, PackageSource
from models.formats import Format
from schemas.errors import ModelError

CONFIG_NAME = "inference.yml"
OTHER_KIND = "layout_ner.yaml"
"""Marks the folder of a model that is not PaddleOCR's; see :mod:`models.layout_ner.model_files`."""


@dataclass(slots=True, frozen=True)
class Found:
    """A model's files in one format. ``known`` says what they must be, where the catalogue knows it.

    ``remedy`` is what to do if they are not.
    """

    format: Format
    model: Path
    weights: Path | None
    where: str
    config: Path | None = None
    keys: Path | None = None
    known: PackageSource | None = None
    remedy: str = ""

    @property
    def files(self) -> tuple[Path, ...]:
        """All files that make the model what it is."""
        return tuple(p for p in (self.model, self.weights, self.config, self.keys) if p is not None)


def package_dir(package: str) -> Path | None:
    """The folder of an installed package; it is not imported."""
    try:
        spec = importlib.util.find_spec(package)
    except (ImportError, ValueError):  # ValueError: something put a module without a spec into sys.modules
        return None
    # origin is None for a mere folder of that name, which a checkout may hold
    if spec is None or spec.origin is None or not spec.submodule_search_locations:
        return None
    return Path(spec.submodule_search_locations[0])


def in_packages(entry: Entry) -> Iterator[Found]:
    """The model in installed packages.

    Raises:
        ModelError: a package is installed but lacks one of the files.
    """
    for source in entry.packages:
        folder = package_dir(source.package)
        if folder is None:
            continue
        for file in source.files:
            if not (folder / file.path).is_file():
                raise ModelError(
                    f"{entry.name}: the installed package {source.package} lacks {file.path}; {reinstall(source)}"
                )
        yield Found(
            source.format,
            folder / source.model.path,
            folder / source.weights.path if source.weights else None,
            f"package {source.package}",
            keys=folder / source.keys.path if source.keys else None,
            known=source,
            remedy=reinstall(source),
        )


def reinstall(source: PackageSource) -> str:
    """What to do about a package whose files are not as they should be."""
    return f"install it again: pip install --force-reinstall --no-deps {source.distribution}"


def in_cache(name: str) -> Iterator[Found]:
    """The model in PaddleOCR's own cache.

    Raises:
        ModelError: its folder is incomplete.
    """
    for folder in hub.cached_folders(name):
        yield from in_model_folder(folder, f"PaddleOCR's cache {folder}")


def in_user_folder(root: Path, name: str, entry: Entry | None) -> Iterator[Found]:
    """The model in the folder that ``model_dir`` names.

    It lies there in a folder of its own (``NAME``, ``NAME_onnx`` or ``NAME_infer``, with PaddleOCR's file names), as
    ``NAME.onnx``, or under the file names that the catalogue knows.

    Raises:
        ModelError: the folder does not exist, or the model's folder is incomplete.
    """
    if not root.is_dir():
        raise ModelError(f"the setting model_dir names {root}, which is not a folder; create it or correct the setting")
    where = f"folder {root}"
    for folder in (root / f"{name}_onnx", root / name, root / f"{name}_infer"):
        if folder.is_dir():
            yield from in_model_folder(folder, f"folder {folder}")
    if (file := root / f"{name}.onnx").is_file():
        yield Found("onnx", file, None, where, keys=_existing(root / f"{name}.txt"))
    for source in entry.packages if entry else ():
        # Paddle's inference.* says nothing about which model it is, so only telling names are taken
        if source.format == "onnx" and (file := root / Path(source.model.path).name).is_file():
            remedy = f"copy it again from {source.distribution}, or rename it if it is a model of your own"
            yield Found("onnx", file, None, where, known=source, remedy=remedy)


def in_model_folder(folder: Path, where: str) -> Iterator[Found]:
    """The formats of a model in its own folder, with the file names of PaddleOCR 3.

    Raises:
        ModelError: none of them is complete.
    """
    config = _existing(folder / CONFIG_NAME)
    texts = sorted(folder.glob("*.txt"))
    keys = texts[0] if config is None and len(texts) == 1 else None
    weights = _existing(folder / "inference.pdiparams")
    complete = False
    if onnx := _existing(folder / "inference.onnx"):
        complete = True
        yield Found("onnx", onnx, None, where, config, keys)
    programs: tuple[tuple[str, Format], ...] = (("inference.json", "paddle-json"), ("inference.pdmodel", "paddle"))
    for file_name, model_format in programs:
        if weights and (program := _existing(folder / file_name)):
            complete = True
            yield Found(model_format, program, weights, where, config, keys)
    if not complete:
        raise ModelError(
            f"{folder} is incomplete: it needs inference.onnx, or inference.pdiparams with inference.json or "
            "inference.pdmodel; copy the whole folder again, or remove it so that the model is fetched anew"
        )


def user_names(root: Path) -> list[str]:
    """The names of the models that seem to lie in the folder that ``model_dir`` names."""
    if not root.is_dir():
        return []
    folders = [p for p in root.iterdir() if p.is_dir() and not (p / OTHER_KIND).is_file()]
    names = [p.name.removesuffix("_infer").removesuffix("_onnx") for p in folders]
    names += [p.stem for p in root.glob("*.onnx")]
    return sorted(set(names))


def cached_names(catalogue: Catalogue) -> list[str]:
    """The names of the models in PaddleOCR's cache that have to do with reading text."""
    root = hub.cache_root()
    if not root.is_dir():
        return []
    names = {p.name.removesuffix("_onnx") for p in root.iterdir() if p.is_dir()}
    return sorted(name for name in names if catalogue.hub_task(name) is not None)


def _existing(path: Path) -> Path | None:
    return path if path.is_file() else None
