"""Reduces class probabilities on the host, where a network could not be made to do it itself."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from models.backends.base import Array, CtcHead


def reduce_ctc(probabilities: Array, head: CtcHead) -> list[Array]:
    """The best classes of each column, as a network edited for ``head`` returns them.

    Args:
        probabilities: (N, T, C), summing to one over the classes.
        head: how many to keep, of which classes. Where ``keep`` is given, the probabilities of those classes are
            made to sum to one, which is what a softmax over them alone gives.

    Returns:
        Indices (N, T, k) int32 and probabilities (N, T, k) float32, best first, equal ones in class order;
        k is ``top_k``, or the number of classes where that is smaller.
    """
    kept: npt.NDArray[np.float32] = np.asarray(probabilities, np.float32)
    if head.keep is not None:
        kept = kept[..., list(head.keep)]
        total = kept.sum(axis=-1, keepdims=True)
        kept = np.divide(kept, total, out=np.full_like(kept, 1 / kept.shape[-1]), where=total > 0)
    top_k = min(head.top_k, kept.shape[-1])
    order = kept.argmax(axis=-1)[..., None] if top_k == 1 else np.argsort(-kept, axis=-1, kind="stable")
    indices = order[..., :top_k]
    return [indices.astype(np.int32), np.take_along_axis(kept, indices, axis=-1)]
