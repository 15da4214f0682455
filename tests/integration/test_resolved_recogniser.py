"""The embedded recognisers with the input format and characters of the catalogue, on lines of real documents."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt
import pytest
from rapidfuzz.distance import Levenshtein

from models.backends import get_backend
from models.charset import select
from models.ctc import CtcDecoder
from models.probe import load_options
from models.resolve import resolve
from schemas.errors import ModelError
from schemas.settings import load_settings

Image = npt.NDArray[np.uint8]


def lines(folder: Path, documents: int, per_document: int) -> Iterator[tuple[Image, str]]:
    """Horizontal lines cut out along their labels, 48 pixels high, with their texts."""
    with (folder / "labels.jsonl").open(encoding="utf-8") as file:
        labels = [json.loads(next(file)) for _ in range(documents)]
    for label in labels:
        page = cv2.imread(str(folder / "images" / Path(label["image"]).name))
        assert page is not None
        for line in label["lines"][:per_document]:
            quad = np.array(line["polygon"], np.float32)
            width, height = np.linalg.norm(quad[1] - quad[0]), np.linalg.norm(quad[3] - quad[0])
            if not line["text"].strip() or width < height:
                continue
            w = max(32, round(48 * float(width) / float(height)))
            target = np.array([[0, 0], [w, 0], [w, 48], [0, 48]], np.float32)
            warp = cv2.getPerspectiveTransform(quad, target)
            crop = cv2.warpPerspective(page, warp, (w, 48), flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
            yield crop.astype(np.uint8), line["text"]


def similarity(read: str, truth: str) -> float:
    def bare(text: str) -> str:
        return "".join(text.split()).upper()  # SROIE's labels are in upper case, whatever the receipt says

    return Levenshtein.normalized_similarity(bare(read), bare(truth))


@pytest.mark.parametrize("name", ["PP-OCRv6_small_rec", "PP-OCRv4_mobile_rec"])
@pytest.mark.parametrize("folder", ["sroie_val", "xfund_zh_dev"])
def test_real_lines_are_read_with_every_character_set_that_holds_them(
    shared_data: Path, name: str, folder: str
) -> None:
    try:
        files = resolve(name, "recognition", "openvino", load_settings(allow_download=False))
    except ModelError as error:
        pytest.skip(error.message)
    samples = list(lines(shared_data / folder, documents=2, per_document=12))
    assert len(samples) > 15
    loaded = get_backend("openvino").load(files, load_options(files, "f32"))
    try:
        predictor, decoder = loaded.predictor(0), CtcDecoder(files.characters)
        texts: list[tuple[str, str]] = []
        for image, truth in samples:
            outputs: Any = predictor.run(image[None])
            texts.append((decoder.decode(outputs[0], outputs[1])[0].text, truth))
    finally:
        loaded.close()
    # a character set that is off by one class, or swapped channels of mean and std, reads next to nothing right
    assert np.mean([similarity(read, truth) for read, truth in texts]) > 0.9
    if name == "PP-OCRv6_small_rec":  # the space is the last class; PP-OCRv4 mobile leaves it out in English
        spaced = [(read, truth) for read, truth in texts if " " in truth.strip()]
        assert not spaced or np.mean([" " in read for read, _ in spaced]) > 0.8
    if folder == "sroie_val":
        latin = select("latin", files.characters)
        assert latin is not None
        kept = {files.characters[k - 1] for k in latin[1:]}
        assert {c for _, truth in texts for c in truth} - {" "} <= kept
