"""Read the images of a data set with the engine and keep the lines, so that training sees what the engine sees.

``python -m pipeline.training.read_lines FOLDER CACHE.jsonl``; run it again after an interruption and it goes on.
"""

from __future__ import annotations

import hashlib
import logging
import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import typer

from models.checksum import combine
from models.layout_ner.example import TextLine
from models.layout_ner.kie_labels import LABEL_FILE, rows_of
from models.layout_ner.read_page import ReadPage, load_read_pages, to_json
from pipeline.api import Inklane
from pipeline.engine import Engine
from schemas.document import Document, Line, Page, Polygon
from schemas.errors import DatasetError, InklaneError
from schemas.requests import ReadOptions
from schemas.settings import Settings, load_settings
from schemas.truth import LABELS, load_truth

log = logging.getLogger(__name__)


def read_images(
    images: Mapping[str, Path],
    cache: Path,
    settings: Settings | None = None,
    *,
    pages_of: Mapping[str, int] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> dict[str, ReadPage]:
    """Read one page of each file, or take it from the cache where nothing has changed since.

    Args:
        images: files by the names that the records get.
        cache: the file of records; written as reading goes on, at the end in the order of ``images``.
        settings: how to read; None: ``inklane.toml`` and the environment.
        pages_of: which page, from 1, by the names; the first where nothing is said.
        progress: called with how many are done, and of how many.

    Returns:
        The pages by name, in the order of ``images``; see :class:`ReadPage` for the frame of their polygons.

    Raises:
        DatasetError: some images cannot be read (after all others have been), or the cache is damaged.
        InklaneError: the engine cannot start.
    """
    settings = settings or load_settings()
    lines_only = settings.fields.model_copy(update={"enabled": False})  # there may be no model for fields yet
    settings = settings.model_copy(update={"in_process": True, "fields": lines_only})
    with Inklane(settings) as inklane:
        assert isinstance(inklane.reader, Engine)
        reader = _reader_key(inklane.reader.models, settings)
        keys = {name: _key(path, reader) for name, path in images.items()}
        known = load_read_pages(cache, broken_end=True) if cache.exists() else {}
        pages = {name: page for name, page in known.items() if keys.get(name) == page.key}
        faults: list[str] = []
        missing = [name for name in images if name not in pages]
        cache.parent.mkdir(parents=True, exist_ok=True)
        _write(cache, list(pages.values()))
        with cache.open("ab") as file:
            outcomes = _outcomes(inklane, images, missing, pages_of or {})
            for done, (name, outcome) in enumerate(outcomes, len(pages) + 1):
                page = _page(name, keys[name], outcome)
                if isinstance(page, str):
                    faults.append(page)
                else:
                    pages[name] = page
                    file.write(to_json(page))
                    file.flush()
                if progress is not None:
                    progress(done, len(images))
    pages = {name: pages[name] for name in images if name in pages}
    _write(cache, list(pages.values()))
    if faults:
        more = f" (and {len(faults) - 1} more)" if len(faults) > 1 else ""
        raise DatasetError(f"an image cannot be read, remove it from the labels or replace it: {faults[0]}{more}")
    return pages


def _outcomes(
    inklane: Inklane, images: Mapping[str, Path], names: list[str], pages_of: Mapping[str, int]
) -> Iterator[tuple[str, Document | InklaneError]]:
    """What reading gives, name by name: the first pages first."""
    by_page: dict[int, list[str]] = {}
    for name in names:
        by_page.setdefault(pages_of.get(name, 1), []).append(name)
    for page, wanted in sorted(by_page.items()):
        outcomes = inklane.stream([images[name] for name in wanted], ReadOptions(pages=(page,)))
        yield from zip(wanted, outcomes, strict=True)


def read_dataset(dataset: Path, cache: Path, settings: Settings | None = None) -> dict[str, ReadPage]:
    """Read all images that a folder's labels name; see :func:`read_images`."""
    images, pages_of = labelled_images(dataset)
    return read_images(images, cache, settings, pages_of=pages_of, progress=_log_progress)


def labelled_images(dataset: Path) -> tuple[dict[str, Path], dict[str, int]]:
    """The files that a folder's ``labels.jsonl`` or ``Label.txt`` names, by the names of the labelled pages.

    Returns:
        Files, and the number of the page in its file for those that are not the first.

    Raises:
        DatasetError: the labels do not fit the format, or a file is not there.
    """
    kie = dataset / LABEL_FILE
    if kie.is_file() and not (dataset / LABELS).is_file():
        return {name: path for _, name, path, _ in rows_of(kie)}, {}
    images: dict[str, Path] = {}
    pages_of: dict[str, int] = {}
    for document in load_truth(dataset):
        for page in document.pages:
            name = document.name if page.page == 1 else f"{document.name}#{page.page}"
            images[name] = document.path
            if page.page > 1:
                pages_of[name] = page.page
    return images, pages_of


def _log_progress(done: int, total: int) -> None:
    if done % 20 == 0 or done == total:
        log.info("%d of %d pages read", done, total)


def _reader_key(models: Mapping[str, str], settings: Settings) -> str:
    """Whatever decides what is read: the models and the settings of the stages' own work."""
    parts = [f"{task}={name}" for task, name in sorted(models.items())]
    parts += [part.model_dump_json() for part in (settings.detection, settings.orientation, settings.recognition)]
    return combine(parts)


def _key(path: Path, reader: str) -> str:
    try:
        with path.open("rb") as file:
            return combine([hashlib.file_digest(file, "sha256").hexdigest(), reader])
    except OSError as error:
        raise DatasetError(f"{path}: the image cannot be opened ({error.strerror or error})") from error


def _page(name: str, key: str, outcome: Document | InklaneError) -> ReadPage | str:
    """The page, or a sentence on why there is none."""
    if isinstance(outcome, InklaneError):
        return f"{name}: {outcome.message}"
    page = outcome.pages[0]
    if page.error is not None:
        return f"{name}: {page.error.message}"
    width, height = (page.height, page.width) if page.angle in (90, 270) else (page.width, page.height)
    lines = list(_lines_as_stored(page, width, height))
    texts = [TextLine(line.text, polygon) for line, polygon in lines]
    return ReadPage(name, key, width, height, page.angle, texts, [line.confidence for line, _ in lines])


def _lines_as_stored(page: Page, width: int, height: int) -> Iterator[tuple[Line, Polygon]]:
    """Lines with their polygons turned back into the image as it is stored."""
    for line in page.lines:
        a, b, c, d = (_turned_back(x, y, page.angle, width, height) for x, y in line.polygon)
        yield line, (a, b, c, d)


def _turned_back(x: float, y: float, angle: int, width: int, height: int) -> tuple[float, float]:
    """A point of the upright page in the stored image, which was turned ``angle`` degrees clockwise."""
    if angle == 90:
        return y, height - x
    if angle == 180:
        return width - x, height - y
    if angle == 270:
        return width - y, x
    return x, y


def _write(cache: Path, pages: list[ReadPage]) -> None:
    """Replace the file as a whole: a reader never sees half of it."""
    part = cache.with_name(cache.name + ".part")
    part.write_bytes(b"".join(map(to_json, pages)))
    os.replace(part, cache)


def main(dataset: Path, cache: Path) -> None:
    """Read the images of the folder DATASET and keep their lines in the file CACHE."""
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    read_dataset(dataset, cache)


if __name__ == "__main__":
    typer.run(main)
