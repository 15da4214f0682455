"""What training minimises."""

from __future__ import annotations

import paddle
from paddle.nn import functional as F

from models.layout_ner.tags import OUTSIDE
from models.layout_ner.training.targets import IGNORED


def tagging_loss(
    logits: paddle.Tensor,
    wanted: paddle.Tensor,
    open_tags: paddle.Tensor,
    weights: paddle.Tensor,
    smoothing: float = 0.0,
) -> paddle.Tensor:
    """Weighted mean over characters of the negative logarithm of the probability of any right tag.

    Where ``O`` is wanted, the tags of fields that the truth says nothing about are right too: their probabilities add
    up (the marginal likelihood of partially labelled data).

    Args:
        logits: (N, T, K).
        wanted: (N, T) int64; ``IGNORED`` for padding and for characters of which nothing is known.
        open_tags: (N, K) float32, 1 for right tags where ``O`` is wanted.
        weights: (N, T) float32, what each character counts.
        smoothing: label smoothing of the characters of fields.
    """
    everything = paddle.logsumexp(logits, axis=2)
    right = paddle.take_along_axis(logits, paddle.clip(wanted, min=0).unsqueeze(2), axis=2).squeeze(2)
    outside = paddle.logsumexp(logits + (open_tags.unsqueeze(1) - 1) * 1e4, axis=2)
    is_outside = (wanted == OUTSIDE).astype("float32")
    known = (wanted != IGNORED).astype("float32") * weights
    loss = everything - is_outside * outside - (1 - is_outside) * right
    if smoothing:
        loss = loss + (1 - is_outside) * smoothing * (right - logits.mean(axis=2))
    return (loss * known).sum() / known.sum().clip(min=1)


def type_loss(logits: paddle.Tensor, wanted: paddle.Tensor) -> paddle.Tensor:
    """Cross-entropy of the document type; pages whose type was given away count for nothing."""
    return F.cross_entropy(logits, wanted, ignore_index=IGNORED, reduction="sum") / max(1, wanted.shape[0])
