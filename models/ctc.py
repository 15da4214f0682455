"""Greedy CTC decoding of a batch of lines, from the classes and probabilities that the network keeps per column.

The rule is that of PaddleOCR's ``CTCLabelDecode``: of each run of equal best classes the first column counts, blanks
are left out, and a line's confidence is the mean probability of the columns that count. With one exception: a space
need not be the best class of its column (see ``SPACE_OVER_BLANK``), and spaces do not count towards the confidence.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from schemas.errors import ModelError

BLANK = 0

SPACE_OVER_BLANK = 0.08
"""A space wins over the blank at this probability: the networks were trained on many lines whose spaces had been lost,
and so doubt every space. Word F1 on receipts and forms rises by 0.35 points, alike from 0.03 to 0.1."""

SPILL = 1
"""A character at the right end of a line may peak this many columns into the padding (measured: PP-OCRv6, one line in
500), so as many are read there; real padding farther out contributes nothing."""


@dataclass(slots=True, frozen=True)
class DecodedText:
    """One line's text.

    ``columns`` and ``char_confidences`` have one entry per character: the column (from 0) where it is most probable,
    and its probability as it counts towards ``confidence``. ``width_columns`` is the number of columns that the line
    image covers, padding not counted. Confidences are 0 to 1 and finite; that of an empty line is 0.
    """

    text: str
    confidence: float
    columns: tuple[int, ...]
    char_confidences: tuple[float, ...]
    width_columns: int


@dataclass(slots=True, frozen=True)
class Alternatives:
    """The best candidates of every column of one line, for beam search; self-contained and small.

    ``indices`` (T, K) int32 and ``probabilities`` (T, K) float32, best first. Class 0 is the blank; class i is
    ``characters[i - 1]``, where ``characters`` holds only those that occur in this line.
    """

    indices: npt.NDArray[np.int32]
    probabilities: npt.NDArray[np.float32]
    characters: tuple[str, ...]


class CtcDecoder:
    """Turns class numbers into text. Holds no state that changes: any number of threads may share it.

    Args:
        characters: the recogniser's classes without the blank; ``characters[0]`` is class 1.
        keep: the class numbers that the backend kept (``CtcHead.keep``), the blank (0) first; class numbers in the
            output then count within ``keep``. None: all classes.

    Raises:
        ModelError: ``keep`` does not start with the blank or names a class that the model does not have.
    """

    def __init__(self, characters: Sequence[str], keep: Sequence[int] | None = None) -> None:
        if keep is not None:
            if not keep or keep[0] != BLANK:
                raise ModelError("the classes to keep must start with the blank, class 0")
            if min(keep) < 0 or max(keep) > len(characters) or BLANK in keep[1:]:
                raise ModelError(f"the classes to keep must be from 1 to {len(characters)} after the blank")
            characters = [characters[k - 1] for k in keep[1:]]
        self._table = ("", *characters)
        self._space = self._table.index(" ") if " " in self._table else None

    @property
    def class_count(self) -> int:
        """Classes that the network may answer with, the blank included."""
        return len(self._table)

    def decode(
        self, indices: npt.NDArray[Any], probabilities: npt.NDArray[Any], valid_columns: Sequence[int] | None = None
    ) -> list[DecodedText]:
        """Decode a batch.

        Args:
            indices: (N, T, K) integers, class numbers, best first; only the first of each column is used.
            probabilities: (N, T, K) floats that belong to them. What is not finite counts as 0.
            valid_columns: for each line, how many columns (from the left) its image covers; the padding behind
                them, beyond ``SPILL`` columns, contributes nothing. None: all of them.

        Returns:
            One result per line, in the same order.

        Raises:
            ModelError: a class number beyond the character set: model and characters do not belong together.
            ValueError: shapes that do not fit each other.
        """
        valid, read = self._check(indices, probabilities, valid_columns)
        count, width = indices.shape[:2]
        if width == 0:
            return [DecodedText("", 0.0, (), (), 0) for _ in range(count)]
        best = np.where(np.arange(width) < read[:, None], indices[..., 0], BLANK)
        probs = _finite(probabilities[..., 0])
        self._promote_spaces(best, probs, indices, probabilities, read)

        starts = np.ones((count, width), bool)  # of runs of one class; a line's first column always starts one
        np.not_equal(best[:, 1:], best[:, :-1], out=starts[:, 1:])
        run_starts = np.flatnonzero(starts)
        flat_best, flat_probs = best.ravel(), probs.ravel()
        run_max = np.maximum.reduceat(flat_probs, run_starts)
        run_of = np.cumsum(starts.ravel()) - 1
        at_max = np.flatnonzero(flat_probs == run_max[run_of])
        first_at_max = np.ones(at_max.size, bool)
        first_at_max[1:] = run_of[at_max[1:]] != run_of[at_max[:-1]]
        peaks = at_max[first_at_max]  # one per run, in the order of the runs

        kept = flat_best[run_starts] != BLANK
        first, peaks = run_starts[kept], peaks[kept]
        ends = np.cumsum(np.bincount(first // width, minlength=count)).tolist()
        classes = flat_best[first].tolist()
        columns = np.minimum(peaks % width, valid[peaks // width] - 1).tolist()
        confidences = flat_probs[first].tolist()
        widths = valid.tolist()
        table = self._table

        results, begin = [], 0
        for line, end in enumerate(ends):
            text, scores = [table[c] for c in classes[begin:end]], confidences[begin:end]
            spots = columns[begin:end]
            if " " in text:
                text, scores, spots = _single_spaces(text, scores, spots)
            sure = [score for char, score in zip(text, scores, strict=True) if char != " "]
            results.append(
                DecodedText(
                    text="".join(text),
                    confidence=sum(sure) / len(sure) if sure else 0.0,
                    columns=tuple(spots),
                    char_confidences=tuple(scores),
                    width_columns=widths[line],
                )
            )
            begin = end
        return results

    def _promote_spaces(
        self,
        best: npt.NDArray[Any],
        probs: npt.NDArray[np.float32],
        indices: npt.NDArray[Any],
        probabilities: npt.NDArray[Any],
        read: npt.NDArray[np.int64],
    ) -> None:
        """Let a space take the columns where the blank won although a space is likely enough; in place."""
        if self._space is None or indices.shape[2] == 1:
            return
        candidates = _finite(probabilities[..., 1:])
        likely = (indices[..., 1:] == self._space) & (candidates > SPACE_OVER_BLANK)
        take = likely.any(2) & (best == BLANK) & (np.arange(best.shape[1]) < read[:, None])
        best[take] = self._space
        probs[take] = (candidates * likely).max(2)[take]

    def alternatives(
        self, indices: npt.NDArray[Any], probabilities: npt.NDArray[Any], valid_columns: Sequence[int] | None = None
    ) -> list[Alternatives]:
        """Keep every line's candidates for beam search. Arguments and errors as for :meth:`decode`."""
        _, read = self._check(indices, probabilities, valid_columns)
        results = []
        for line, width in enumerate(read.tolist()):
            used, local = np.unique(np.append(indices[line, :width].ravel(), BLANK), return_inverse=True)
            results.append(
                Alternatives(
                    indices=local[:-1].reshape(width, indices.shape[2]).astype(np.int32),
                    probabilities=_finite(probabilities[line, :width]),
                    characters=tuple(self._table[c] for c in used.tolist()[1:]),
                )
            )
        return results

    def _check(
        self, indices: npt.NDArray[Any], probabilities: npt.NDArray[Any], valid_columns: Sequence[int] | None
    ) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """Check the shapes; give how many columns of each line its image covers, and how many are read."""
        if indices.ndim != 3 or indices.shape != probabilities.shape or indices.shape[2] < 1:
            raise ValueError(
                "indices and probabilities must both be (N, T, K) with K at least 1, "
                f"not {indices.shape} and {probabilities.shape}"
            )
        if indices.size and not 0 <= int(indices.min()) <= int(indices.max()) < len(self._table):
            raise ModelError(
                f"the recogniser answers with class {int(indices.max())}, but its character set has only "
                f"{len(self._table)} classes: the model and the character set do not belong together"
            )
        count, width = indices.shape[:2]
        if valid_columns is None:
            full = np.full(count, width, np.int64)
            return full, full
        valid = np.asarray(valid_columns, np.int64).reshape(-1)
        if valid.size != count:
            raise ValueError(f"valid_columns must have one entry per line: {count}, not {valid.size}")
        valid = np.clip(valid, 0, width)
        return valid, np.where(valid > 0, np.minimum(valid + SPILL, width), 0)


def _is_ideograph(char: str) -> bool:
    return "\u2e80" <= char <= "\u9fff" or "\uf900" <= char <= "\ufaff" or char >= "\U00020000"


def _single_spaces(
    text: list[str], scores: list[float], columns: list[int]
) -> tuple[list[str], list[float], list[int]]:
    """Leave out spaces that follow a space, and unsure ones between two ideographs, which need none."""
    kept: list[int] = []
    for at, char in enumerate(text):
        if char == " " and kept and text[kept[-1]] == " ":
            continue
        inside = char == " " and kept and at + 1 < len(text)
        if inside and scores[at] < 0.5 and _is_ideograph(text[kept[-1]]) and _is_ideograph(text[at + 1]):
            continue
        kept.append(at)
    return [text[k] for k in kept], [scores[k] for k in kept], [columns[k] for k in kept]


def _finite(probabilities: npt.NDArray[Any]) -> npt.NDArray[np.float32]:
    """Probabilities as float32 in 0 to 1; NaN counts as 0."""
    clean = np.nan_to_num(probabilities.astype(np.float32), nan=0.0, posinf=0.0, neginf=0.0)
    return np.clip(clean, 0.0, 1.0)
