"""The pages of a training run: labelled folders with their images read by the engine, and drawn synthetic ones."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import orjson

from models.layout_ner import synth
from models.layout_ner.datasets import field_names, load_examples
from models.layout_ner.example import Example
from models.layout_ner.kie_labels import LABEL_FILE
from models.layout_ner.synth.generate import examples, families
from models.layout_ner.synth.write import write
from pipeline.training.read_lines import labelled_images, read_images
from pipeline.training.recipe import Data, Rendered, TrainingRecipe, digest, labels_file
from pipeline.training.sources import order
from schemas.doctypes import DocType
from schemas.errors import DatasetError
from schemas.settings import Settings
from schemas.truth import LABELS

Progress = Callable[[str, int, int], None]
"""Told what is done (``reading sroie_train``), how many of it, and of how many."""

Groups = list[list[Example]]
"""Pages, each in one or several versions of its lines: as labelled, as read."""

_MADE = "made.json"


@dataclass(slots=True, frozen=True)
class Place:
    """A labelled folder, and the file of lines that the engine read from its images (None: they are not read)."""

    labels: Path
    read_lines: Path | None = None


@dataclass(slots=True)
class Gathered:
    """Everything a run learns from. Folders are in the order of the recipe."""

    data: list[Place] = field(default_factory=list)
    rendered: list[Place] = field(default_factory=list)
    validation: list[Place] = field(default_factory=list)
    evaluation: list[Place] = field(default_factory=list)


def gather(
    recipe: TrainingRecipe,
    folders: Sequence[Path],
    evaluation: Sequence[Path],
    out: Path,
    settings: Settings,
    progress: Progress,
) -> Gathered:
    """Draw the synthetic pages and read all images; what an earlier run has left in ``out`` is used again.

    Args:
        recipe: what to draw, and whether to read.
        folders: of its ``data``, in the same order.
        evaluation: further labelled folders, for measuring alone.
        out: gets ``read/*.jsonl``, ``rendered/`` and ``validation/``.
        settings: how images are read.
        progress: told how it goes.

    Raises:
        DatasetError: labels do not fit, an image cannot be read, or fonts for drawing are missing.
        InklaneError: the engine cannot start.
    """
    if recipe.synthetic:
        check_synthetic()
    found = Gathered()
    for folder in folders:
        found.data.append(_read(folder, folder.resolve().name, recipe.read, out, settings, progress))
    for split, wanted, places in (
        ("train", recipe.rendered, found.rendered),
        ("val", recipe.validation_rendered, found.validation),
    ):
        for number, pages in enumerate(wanted, 1):
            name = f"{'rendered' if split == 'train' else 'validation'}_{number}"
            draw(pages, split, out / "drawn" / name, progress)
            places.append(_read(out / "drawn" / name, name, recipe.read, out, settings, progress))
    for number, folder in enumerate(evaluation, 1):
        name = f"evaluation_{number}_{folder.resolve().name}"
        found.evaluation.append(_read(folder, name, recipe.read, out, settings, progress))
    return found


def check_synthetic() -> None:
    """Lay out a page of each split, before anything that takes long.

    Raises:
        DatasetError: fonts are missing.
    """
    for split in ("train", "val"):
        next(examples(0, 1, split))


def draw(pages: Rendered, split: str, folder: Path, progress: Progress) -> None:
    """Draw synthetic pages into a folder with labels; nothing is done where the same ones are there already.

    Raises:
        DatasetError: no such document type, or fonts are missing.
    """
    templates = {path.name: digest(path) for path in sorted(Path(synth.__path__[0]).rglob("*.py"))}
    made = orjson.dumps({"pages": pages.model_dump(mode="json"), "split": split, "templates": templates})
    if (folder / _MADE).is_file() and (folder / _MADE).read_bytes() == made and (folder / LABELS).is_file():
        return
    unknown = [name for name in pages.types if name not in families(split)]
    if unknown:
        raise DatasetError(f"there are no templates for {', '.join(unknown)}; there are {', '.join(families(split))}")
    if folder.exists():
        shutil.rmtree(folder)
    for done, _ in enumerate(write(folder, pages.count, split, pages.seed, pages.types or None), 1):
        progress(f"drawing {folder.name}", done, pages.count)
    (folder / _MADE).write_bytes(made)


def load_groups(place: Place, doctypes: Mapping[str, DocType], doc_type: str | None = None) -> Groups:
    """The pages of a folder, each on its lines as labelled and, where they were read, on the read ones.

    Raises:
        DatasetError: the labels do not fit.
    """
    true = load_examples(place.labels, doc_type=doc_type, doctypes=doctypes, order=order)
    versions = {example.name: [example] for example in true}
    if place.read_lines is not None:
        for example in load_examples(place.labels, place.read_lines, doc_type=doc_type, doctypes=doctypes):
            versions[example.name].append(example)
    groups = list(versions.values())
    return _unnamed_unknown(groups, doctypes) if labels_file(place.labels).name == LABEL_FILE else groups


def labelled_groups(place: Place, data: Data, doctypes: Mapping[str, DocType]) -> Groups:
    """The pages of a labelled folder, as :func:`load_groups` gives them.

    Raises:
        DatasetError: nothing can be learnt from them; the message says why.
    """
    groups = load_groups(place, doctypes, data.doc_type)
    labels = labels_file(place.labels)
    for group in groups:
        doctype = doctypes.get(group[0].doc_type or "")
        if doctype is not None and doctype.reader == "keys":
            raise DatasetError(
                f"{labels}: {group[0].name} is a {doctype.name}, whose fields are read by their keys; to have them "
                f"learnt, write reader: network in {doctype.name}.yaml"
            )
    if not any(example.entities for group in groups for example in group):
        raise DatasetError(
            f"{labels}: no labelled field stands on the lines of its page, so that there is nothing to learn; label "
            "the fields' values as they are printed (docs/training.md)"
        )
    return groups


def trainable(groups: Groups) -> Groups:
    """What to train on: without versions of a page on which most of its fields were not found.

    Pages that are labelled as of no known type are kept: that nothing is on them is to be learnt, too.
    """
    kept = (list(_complete(group)) for group in groups)
    return [group for group in kept if group]


def _unnamed_unknown(groups: Groups, doctypes: Mapping[str, DocType]) -> Groups:
    """Take fields that no page is labelled with for unknown: PPOCRLabel's format cannot say so."""
    named: dict[str, set[str]] = {}
    for example in (example for group in groups for example in group):
        named.setdefault(example.doc_type or "", set()).update(entity.name for entity in example.entities)
    silent = {name: field_names(doctypes[name]) - used for name, used in named.items() if name in doctypes}
    return [
        [replace(one, unknown=one.unknown | silent.get(one.doc_type or "", frozenset())) for one in group]
        for group in groups
    ]


def _complete(group: list[Example]) -> Iterator[Example]:
    counts = [len({entity.name for entity in example.entities}) for example in group]
    for example, count in zip(group, counts, strict=True):
        if example.lines and (example.doc_type is None or count >= max(1, max(counts) - 1)):
            yield example


def _read(folder: Path, name: str, read: bool, out: Path, settings: Settings, progress: Progress) -> Place:
    labels_file(folder)
    if not read:
        return Place(folder)
    images, pages_of = labelled_images(folder)
    cache = out / "read" / f"{name}.jsonl"

    def tell(done: int, total: int) -> None:
        progress(f"reading {name}", done, total)

    read_images(images, cache, settings, pages_of=pages_of, progress=tell)
    return Place(folder, cache)
