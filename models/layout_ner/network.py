"""The layout-NER network, in Paddle.

Characters pass through convolutions along the reading order; each line is pooled to one vector by attention; the
vectors of all lines see each other in a transformer whose attention knows how lines lie to each other (left of, above,
on the same row); the lines' vectors return to their characters, and a few more convolutions decide on a tag each.
The document type comes from the pooled page. It follows the idea of PICK (Yu et al., 2020) and LiLT (Wang et al.,
2022), that text and layout are encoded apart and meet in the attention, at a hundredth of their size.

Everything is a matrix product, so that it trains at a usable speed on a CPU; sequences of any length and any number of
lines pass.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import paddle
from paddle import nn
from paddle.nn import functional as F

from models.layout_ner.encode import GEOMETRY, PLACES
from models.layout_ner.vocabulary import KINDS


@dataclass(slots=True, frozen=True)
class NetworkSize:
    """The network's shape. ``vocabulary``, ``tags`` and ``types`` count the special ones too (padding, O, other)."""

    vocabulary: int
    tags: int
    types: int
    embedding: int = 64
    width: int = 96
    kernel: int = 5
    dilations_before: tuple[int, ...] = (1, 2)
    dilations_after: tuple[int, ...] = (1, 2)
    line_width: int = 192
    line_layers: int = 4
    heads: int = 6
    dropout: float = 0.1

    def to_dict(self) -> dict[str, Any]:
        """For the model's description."""
        return asdict(self)


class ConvBlock(nn.Layer):  # type: ignore[misc]  # Paddle has no types
    """A dilated convolution along the sequence with a residual. Padding is kept out, so that it has no say."""

    def __init__(self, width: int, kernel: int, dilation: int, dropout: float) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.conv = nn.Conv1D(width, width, kernel, padding=dilation * (kernel // 2), dilation=dilation)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x: paddle.Tensor, mask: paddle.Tensor) -> paddle.Tensor:
        """``x`` (N, T, width); ``mask`` (N, T, 1) is 0 on padding."""
        y = (self.norm(x) * mask).transpose([0, 2, 1])
        return x + self.dropout(F.gelu(self.conv(y).transpose([0, 2, 1])))


class LineLayer(nn.Layer):  # type: ignore[misc]  # Paddle has no types
    """A transformer layer over lines whose attention has a bias from how the lines lie to each other."""

    def __init__(self, width: int, heads: int, dropout: float) -> None:
        super().__init__()
        self.heads, self.size = heads, width // heads
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.up, self.down = nn.Linear(width, 2 * width), nn.Linear(2 * width, width)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x: paddle.Tensor, bias: paddle.Tensor) -> paddle.Tensor:
        """``x`` (N, L, width); ``bias`` (N, heads, L, L), very negative where a line is padding."""
        qkv = self.qkv(self.norm1(x)).reshape([0, 0, 3, self.heads, self.size]).transpose([2, 0, 3, 1, 4])
        q, k, v = qkv[0], qkv[1], qkv[2]
        weights = F.softmax(paddle.matmul(q, k, transpose_y=True) * self.size**-0.5 + bias)
        seen = paddle.matmul(weights, v).transpose([0, 2, 1, 3]).reshape([0, 0, self.heads * self.size])
        x = x + self.dropout(self.out(seen))
        return x + self.dropout(self.down(F.gelu(self.up(self.norm2(x)))))


class LayoutNer(nn.Layer):  # type: ignore[misc]  # Paddle has no types
    """The whole network; see the module.

    Returns logits of tags (N, T, tags) and of document types (N, types); with ``probabilities`` their softmax, which
    is what is exported.
    """

    def __init__(self, size: NetworkSize, *, probabilities: bool = False) -> None:
        super().__init__()
        self.size, self.probabilities = size, probabilities
        width, line_width = size.width, size.line_width
        small = paddle.ParamAttr(initializer=nn.initializer.Normal(std=0.05))
        self.characters = nn.Embedding(size.vocabulary, size.embedding, weight_attr=small)
        self.kinds = nn.Embedding(len(KINDS), size.embedding, weight_attr=small)
        self.hint = nn.Embedding(size.types + 1, width, weight_attr=small)
        self.hint_line = nn.Embedding(size.types + 1, line_width, weight_attr=small)
        self.enter = nn.Linear(size.embedding + PLACES, width)
        self.before = nn.LayerList(
            [ConvBlock(width, size.kernel, dilation, size.dropout) for dilation in size.dilations_before]
        )
        self.pool_weight = nn.Linear(width, _POOL_HEADS)
        self.pooled = nn.Linear(width, line_width)
        self.geometry = nn.Sequential(nn.Linear(_SHARES, line_width), nn.GELU(), nn.Linear(line_width, line_width))
        self.relation = nn.Sequential(
            nn.Linear(_RELATIONS, 32), nn.GELU(), nn.Linear(32, size.heads * size.line_layers)
        )
        self.lines = nn.LayerList([LineLayer(line_width, size.heads, size.dropout) for _ in range(size.line_layers)])
        self.line_norm = nn.LayerNorm(line_width)
        self.back = nn.Linear(line_width, width)
        self.after = nn.LayerList(
            [ConvBlock(width, size.kernel, dilation, size.dropout) for dilation in size.dilations_after]
        )
        self.norm = nn.LayerNorm(width)
        self.tags = nn.Linear(width, size.tags)
        self.type_weight = nn.Linear(line_width, 1)
        self.types = nn.Linear(line_width, size.types)
        self.dropout = nn.Dropout(size.dropout)

    def forward(
        self,
        characters: paddle.Tensor,
        kinds: paddle.Tensor,
        line_of: paddle.Tensor,
        places: paddle.Tensor,
        geometry: paddle.Tensor,
        hint: paddle.Tensor,
    ) -> tuple[paddle.Tensor, paddle.Tensor]:
        """Inputs as :func:`models.layout_ner.encode.collate` makes them."""
        mask = (line_of >= 0).astype("float32").unsqueeze(2)
        embedded = self.dropout(self.characters(characters) + self.kinds(kinds))
        x = self.enter(paddle.concat([embedded, places], axis=2)) + self.hint(hint).unsqueeze(1)
        for block in self.before:
            x = block(x, mask)

        # (N, L, T): which characters a line has. Pooling and its way back are products with it.
        numbers = paddle.cumsum(paddle.ones_like(geometry[:, :, 0]), axis=1) - 1
        member = (line_of.astype("float32").unsqueeze(1) == numbers.unsqueeze(2)).astype("float32")
        lines = self._pool(x, member) + self.geometry(geometry[:, :, :_SHARES]) + self.hint_line(hint).unsqueeze(1)
        empty = (member.sum(axis=2) == 0).astype("float32")  # (N, L): padding
        biases = self._biases(geometry, empty)
        for number, layer in enumerate(self.lines):
            lines = layer(lines, biases[:, number * self.size.heads : (number + 1) * self.size.heads])
        lines = self.line_norm(lines)

        x = x + paddle.matmul(member, self.back(lines), transpose_x=True)
        for block in self.after:
            x = block(x, mask)
        tags = self.tags(self.norm(x))

        weights = F.softmax(self.type_weight(lines).squeeze(2) - _FAR * empty)
        types = self.types(paddle.matmul(weights.unsqueeze(1), lines).squeeze(1))
        if self.probabilities:
            return F.softmax(tags), F.softmax(types)
        return tags, types

    def _pool(self, x: paddle.Tensor, member: paddle.Tensor) -> paddle.Tensor:
        """Each line's characters as one vector, weighted by attention, each head on its share of the channels."""
        weights = paddle.exp(5 * paddle.tanh(self.pool_weight(x)))  # bounded: no maximum to take per line
        each = self.size.width // _POOL_HEADS
        spread = weights.unsqueeze(3).expand([-1, -1, -1, each]).reshape([0, 0, self.size.width])
        total = paddle.matmul(member, spread)
        return self.pooled(paddle.matmul(member, x * spread) / (total + 1e-6))

    def _biases(self, geometry: paddle.Tensor, empty: paddle.Tensor) -> paddle.Tensor:
        """How lines lie to each other: (N, heads * layers, L, L)."""
        left, right, middle, row = (geometry[:, :, column] for column in range(_SHARES, _SHARES + 4))
        over = row.unsqueeze(2) - row.unsqueeze(1)
        start = left.unsqueeze(2) - left.unsqueeze(1)
        centre = middle.unsqueeze(2) - middle.unsqueeze(1)
        end = right.unsqueeze(2) - right.unsqueeze(1)
        gap = left.unsqueeze(2) - right.unsqueeze(1)
        related = paddle.stack(
            [
                paddle.tanh(over),
                paddle.tanh(over / 4),
                paddle.tanh(over / 20),
                paddle.exp(-over * over * 2),
                paddle.exp(-paddle.square(over.abs() - 1.5)),
                paddle.tanh(gap / 3),
                paddle.tanh(gap / 12),
                paddle.exp(-start * start),
                paddle.exp(-centre * centre),
                paddle.exp(-end * end),
                paddle.tanh(start / 6),
            ],
            axis=3,
        )
        biases = self.relation(related).transpose([0, 3, 1, 2])
        return biases - _FAR * empty.unsqueeze(1).unsqueeze(1)


_POOL_HEADS = 4
_SHARES = GEOMETRY - 4  # the last four are in median heights and only serve the relations
_RELATIONS = 11
_FAR = 1e4
