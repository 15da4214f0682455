"""Tries of a loaded model: a drawn text whose reading is known, per task."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import cv2
import numpy as np
import numpy.typing as npt

from models.backends.base import Array, CtcHead, LoadedModel, LoadOptions, ModelFiles
from models.catalogue import Size, load_catalogue
from models.ctc import CtcDecoder
from models.layout_ner.encode import collate, encode
from models.layout_ner.example import TextLine
from models.layout_ner.model_files import INPUTS, read_description, read_vocabulary
from models.layout_ner.model_files import TASK as LAYOUT_NER
from models.layout_ner.tags import TagSet
from schemas.errors import ModelError

Image = npt.NDArray[np.uint8]

_TEXT = "Total 2048"
_DIGITS = "2048 1736"  # for recognisers that lack some of the letters
_PAGES = (("Receipt", "Date 2024-05-01", "Total 12.00"), ("发票", "合计 2048"))
_ROUNDING = 0.01
_FONT = cv2.FONT_HERSHEY_DUPLEX


def load_options(files: ModelFiles, precision: str) -> LoadOptions:
    """How a model is loaded to be tried: one predictor on one core, bytes in, classes reduced where there are any."""
    if files.task == LAYOUT_NER:
        first, second, _ = _pages(files)
        return LoadOptions(precision="f32", inputs=INPUTS, trial=(first, second))
    ctc = CtcHead(top_k=1) if files.task == "recognition" else None
    return LoadOptions(precision=precision, instances=1, threads=1, input=files.input, ctc=ctc)


def probe(files: ModelFiles, loaded: LoadedModel) -> str:
    """Run a model once on a drawn text.

    Returns:
        What it read or found, for people.

    Raises:
        ModelError: that is not what was drawn.
    """
    return _PROBES[files.task](files, loaded)


def draw_line(text: str, height: int, width: int) -> Image:
    """One line of black text on white, (height, width, 3) BGR, as large as fits."""
    (text_width, text_height), below = cv2.getTextSize(text, _FONT, 1.0, 1)
    scale = min(0.9 * width / text_width, 0.8 * height / (text_height + below))
    image = np.full((height, width, 3), 255, np.uint8)
    base = int(round(height / 2 + scale * (text_height - below) / 2))
    cv2.putText(image, text, (int(0.03 * width), base), _FONT, scale, (0, 0, 0), max(1, round(2 * scale)), cv2.LINE_AA)
    return image


def _recognise(files: ModelFiles, loaded: LoadedModel) -> str:
    text = _TEXT if set(_TEXT) <= set(files.characters) else _DIGITS
    image = draw_line(text, _size(files).height or 48, 256)
    indices, probabilities = loaded.predictor(0).run(image[None])
    read = CtcDecoder(files.characters).decode(indices, probabilities)[0].text
    # PP-OCRv4 mobile leaves out spaces between English words
    if read.replace(" ", "") != text.replace(" ", ""):
        raise ModelError(
            f"{files.name} reads {read!r} where {text!r} is written; the model and its character set do not "
            "belong together, or the backend computes it wrongly (try precision f32)"
        )
    return f"reads {read!r}"


def _detect(files: ModelFiles, loaded: LoadedModel) -> str:
    side, top, left, height, width = 320, 128, 32, 48, 256
    page = np.full((side, side, 3), 255, np.uint8)
    page[top : top + height, left : left + width] = draw_line(_TEXT, height, width)
    text_map = np.asarray(loaded.predictor(0).run(page[None])[0], np.float32).reshape(-1)
    if text_map.size != side * side or not np.isfinite(text_map).all():
        raise ModelError(f"{files.name} does not answer with a map of the page; it is no text detector of PaddleOCR's")
    found = cv2.boundingRect((text_map.reshape(side, side) > 0.3).astype(np.uint8))  # DB's threshold
    x, y, w, h = (int(v) for v in found)
    around = 24  # what lies farther from the text than this is not the text
    inside = x >= left - around and y >= top - around and x + w <= left + width + around
    if not inside or y + h > top + height + around or w < width // 2:
        raise ModelError(
            f"{files.name} finds {w}x{h} pixels of text at ({x}, {y}) where a line of {width}x{height} at "
            f"({left}, {top}) is written; the backend may compute it wrongly (try precision f32)"
        )
    return f"finds a line at ({x}, {y}), {w}x{h} pixels"


def _orient(files: ModelFiles, loaded: LoadedModel) -> str:
    size = _size(files)
    upright = draw_line(_TEXT, size.height or 80, size.width or 160)
    return _turns(files, loaded, upright, {0: 0, 180: 1})


def _orient_page(files: ModelFiles, loaded: LoadedModel) -> str:
    page = np.vstack([draw_line(_TEXT, 32, 224) for _ in range(7)])
    return _turns(files, loaded, page, {0: 0, 180: 2})


def _turns(files: ModelFiles, loaded: LoadedModel, upright: Image, classes: dict[int, int]) -> str:
    images = np.stack([np.rot90(upright, angle // 90) for angle in classes])
    scores = np.asarray(loaded.predictor(0).run(np.ascontiguousarray(images))[0])
    told = scores.reshape(len(images), -1).argmax(axis=1).tolist()
    if told != list(classes.values()):
        raise ModelError(
            f"{files.name} answers {told} for a text upright and upside down, and should {classes}; the "
            "backend may compute it wrongly (try precision f32)"
        )
    return "tells upright from upside down"


def _size(files: ModelFiles) -> Size:
    entry = load_catalogue().find(files.name)
    return entry.size if entry is not None else Size()


def _name(files: ModelFiles, loaded: LoadedModel) -> str:
    """Two pages, alone and in one batch: probabilities of the right number, whatever a page is batched with."""
    meant = TagSet(read_description(files.model.parent).types)
    predictor = loaded.predictor(0)
    *alone, both = _pages(files)
    together = predictor.run(both)
    for row, page in enumerate(alone):
        for output, batched in zip(predictor.run(page), together, strict=True):
            wanted = len(meant) if output.ndim == 3 else len(meant.types)
            if output.shape[-1] != wanted or np.abs(output.sum(axis=-1) - 1).max() > _ROUNDING:
                raise ModelError(
                    f"{files.name} answers with numbers {output.shape} where {wanted} probabilities belong; the "
                    "network and its description do not belong together"
                )
            own = batched[row, : output.shape[1]] if output.ndim == 3 else batched[row]  # the rest is padding
            if not np.abs(own - output[0]).max() <= _ROUNDING:
                raise ModelError(
                    f"{files.name} reads a page differently when it is batched; the backend may compute it wrongly "
                    "(try another one)"
                )
    return f"tells {len(meant.names)} fields of {len(meant.fields)} document types"


def _pages(files: ModelFiles) -> list[Sequence[Array]]:
    """Two pages of different lengths, and both in one batch with padding."""
    vocabulary = read_vocabulary(files.model.parent)
    pages = [encode([_line(i, text) for i, text in enumerate(texts)], vocabulary) for texts in _PAGES]
    return [*(collate([page]) for page in pages), collate(pages, 128, 16)]


def _line(row: int, text: str) -> TextLine:
    top, right = 40 * row, 20 * len(text)
    return TextLine(text, ((10, top), (right, top), (right, top + 30), (10, top + 30)))


_PROBES: dict[str, Callable[[ModelFiles, LoadedModel], str]] = {
    "recognition": _recognise,
    "detection": _detect,
    "orientation": _orient,
    "page_orientation": _orient_page,
    LAYOUT_NER: _name,
}
