"""The arrays that a token classifier takes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from models.layout_ner.external.description import ImageForm
from models.layout_ner.external.program import ProgramInput
from models.layout_ner.external.tokens import Box

SIDE = 224
"""Pixels of the page's picture, whatever the page's own shape."""

_MEAN, _STD = (123.675, 116.28, 103.53), (58.395, 57.12, 57.375)  # of ImageNet, RGB
_NOWHERE: Box = (0, 0, 0, 0)


@dataclass(slots=True, frozen=True)
class Marks:
    """The numbers of the tokens that stand for no text; ``around`` are those before and after a window."""

    padding: int
    around: tuple[int, int] | None

    @property
    def room(self) -> int:
        """How many tokens of a window they take."""
        return 0 if self.around is None else 2


def arrays(
    inputs: Sequence[ProgramInput],
    windows: Sequence[tuple[Sequence[int], Sequence[Box]]],
    marks: Marks,
    picture: npt.NDArray[Any] | None,
) -> list[npt.NDArray[Any]]:
    """The inputs in the program's order, for N windows padded to one length T.

    Args:
        inputs: what the program takes. Where its length is fixed, so is T; else the longest window decides.
        windows: each the numbers of its tokens and their boxes.
        marks: padding, and what stands around a window.
        picture: (3, 224, 224), as :func:`page_picture` makes it; None where the program takes none.

    Returns:
        input_ids, attention_mask, token_type_ids, position_ids (N, T) int64, bbox (N, T, 4) int64, image
        (N, 3, 224, 224).
    """
    first = 0 if marks.around is None else 1
    length = max(max(len(ids) for ids, _ in windows) + marks.room, fixed_length(inputs) or 0)
    ids = np.full((len(windows), length), marks.padding, np.int64)
    boxes = np.full((len(windows), length, 4), _NOWHERE, np.int64)
    mask = np.zeros((len(windows), length), np.int64)
    for row, (numbers, places) in enumerate(windows):
        end = first + len(numbers)
        ids[row, first:end] = numbers
        boxes[row, first:end] = places
        if marks.around is not None:
            ids[row, 0], ids[row, end] = marks.around
        mask[row, : end + first] = 1
    values: dict[str, npt.NDArray[Any]] = {
        "input_ids": ids,
        "bbox": boxes,
        "attention_mask": mask,
        "token_type_ids": np.zeros_like(ids),
        "position_ids": np.tile(np.arange(length, dtype=np.int64), (len(windows), 1)),
    }
    if picture is not None:
        values["image"] = np.repeat(picture[None], len(windows), axis=0)
    return [values[item.role] for item in inputs]


def fixed_length(inputs: Sequence[ProgramInput]) -> int | None:
    """The length that the program was exported for; None: any."""
    shapes = [item.shape for item in inputs if item.role == "input_ids" and len(item.shape) > 1]
    return shapes[0][1] if shapes and shapes[0][1] > 0 else None


def page_picture(pixels: npt.NDArray[np.uint8] | None, form: ImageForm) -> npt.NDArray[np.int64]:
    """The page (H, W, 3 BGR; None: a white one) as the models take it: (3, 224, 224) int64, RGB.

    Exports declare integers, so that normalised pixels lose what stands behind the point, as in PaddleOCR.
    """
    white = np.full((SIDE, SIDE, 3), 255, np.uint8)
    source = white if pixels is None else pixels
    resized = cv2.resize(source, (SIDE, SIDE), interpolation=cv2.INTER_AREA)
    small: npt.NDArray[Any] = np.asarray(resized, np.float32)[..., ::-1]
    if form == "normalised":
        small = (small - np.array(_MEAN, np.float32)) / np.array(_STD, np.float32)
    return np.ascontiguousarray(small.transpose(2, 0, 1)).astype(np.int64)
