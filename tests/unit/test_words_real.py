"""Word boxes against the word boxes of real forms, with the embedded recogniser on lines cut out by their truth."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from models.ctc import CtcDecoder
from stages.assembly.words import words_of

HEIGHT, MARGIN = 48, 2


def recogniser() -> tuple[Any, CtcDecoder]:
    """An ONNX Runtime session on the embedded recogniser, and its decoder."""
    runtime = pytest.importorskip("onnxruntime", reason="needs ONNX Runtime")
    package = pytest.importorskip("rapidocr", reason="needs the models in the rapidocr package")
    options = runtime.SessionOptions()
    options.intra_op_num_threads = 1
    model = Path(package.__file__).parent / "models" / "PP-OCRv6_rec_small.onnx"
    session = runtime.InferenceSession(str(model), options)
    characters = session.get_modelmeta().custom_metadata_map["character"].split("\n")
    return session, CtcDecoder((*characters, " "))


def single_rows(folder: Path, pages: int) -> list[tuple[npt.NDArray[np.uint8], dict[str, Any]]]:
    """Lines of several words that stand in one row, each with its page."""
    found: list[tuple[npt.NDArray[np.uint8], dict[str, Any]]] = []
    for row in (folder / "labels.jsonl").read_text(encoding="utf-8").splitlines()[:pages]:
        page = json.loads(row)
        pixels = cv2.imread(str(folder / page["image"]))
        assert pixels is not None
        for line in page["lines"]:
            boxes = np.array([w["polygon"] for w in line["words"] if w["text"]])
            if len(boxes) > 1 and np.ptp(boxes[:, :, 1].mean(axis=1)) < np.ptp(boxes[:, :, 1], axis=1).min() / 2:
                found.append((pixels.astype(np.uint8, copy=False), line))
    return found


def test_words_are_where_the_truth_has_them(shared_data: Path) -> None:
    session, decoder = recogniser()
    inside, overlaps = [], []
    for pixels, line in single_rows(shared_data / "funsd_dev", 4):
        truth = [w for w in line["words"] if w["text"]]
        corners = np.array(line["polygon"])
        x0, y0 = np.maximum(corners.min(axis=0).astype(int) - MARGIN, 0)
        x1, y1 = corners.max(axis=0).astype(int) + MARGIN
        crop = pixels[y0:y1, x0:x1]
        image = cv2.resize(crop, (max(round(HEIGHT * crop.shape[1] / crop.shape[0]), 16), HEIGHT))
        x = ((image.astype(np.float32) / 255 - 0.5) / 0.5).transpose(2, 0, 1)[None]
        [scores] = session.run(None, {session.get_inputs()[0].name: x})
        [decoded] = decoder.decode(scores.argmax(-1)[..., None], scores.max(-1)[..., None])
        quad = np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]], np.float32)
        words = words_of(decoded, quad, False, (pixels.shape[1], pixels.shape[0]))
        if [w.text for w in words] != [w["text"] for w in truth]:
            continue
        for word, expected in zip(words, truth, strict=True):
            a, b = np.array(word.polygon), np.array(expected["polygon"])
            low, high = np.maximum(a.min(axis=0), b.min(axis=0)), np.minimum(a.max(axis=0), b.max(axis=0))
            inside.append(bool(a[:, 0].min() < b[:, 0].mean() < a[:, 0].max()))
            overlaps.append((high - low)[0] / (max(a[:, 0].max(), b[:, 0].max()) - min(a[:, 0].min(), b[:, 0].min())))
    assert len(inside) > 50
    assert np.mean(inside) > 0.98
    assert np.mean(np.array(overlaps) > 0.5) > 0.95
    assert np.mean(overlaps) > 0.8
