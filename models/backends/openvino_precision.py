"""Which precision to compute in, found by trying.

That a processor has bf16 instructions does not make bf16 fast: AMD's Zen 4 and processors with AMX run networks
nearly twice as fast in bf16 as in f32, while Intel's AVX-512 BF16 without AMX is half as fast. So ``auto`` times one
matrix product of each kind, once per process.
"""

from __future__ import annotations

import functools
import logging
import time
from typing import Any

import numpy as np

from schemas.errors import SettingsError

log = logging.getLogger(__name__)

# bf16 costs accuracy in the third decimal, so it must win by a margin that noise on a busy machine does not reach.
_WORTH_IT = 1.25
_ROUNDS = 7


def resolve_precision(core: Any, asked: str) -> str:
    """Turn ``auto`` into ``bf16`` or ``f32``, and check that the processor can what was asked for.

    Raises:
        SettingsError: the processor cannot compute in the precision asked for.
    """
    can = [str(c).lower() for c in core.get_property("CPU", "OPTIMIZATION_CAPABILITIES")]
    names = {"f32": "fp32", "bf16": "bf16", "f16": "fp16"}
    if asked == "auto":
        return "bf16" if "bf16" in can and _bf16_pays() else "f32"
    if asked not in names:
        raise SettingsError(f"precision: {asked!r} is none of auto, f32, bf16, f16")
    if names[asked] not in can:
        raise SettingsError(f"precision: this processor has no {asked}; use auto or f32")
    return asked


@functools.cache
def _bf16_pays() -> bool:
    """Whether a matrix product is faster in bf16 than in f32, on one core. Takes about 50 ms."""
    times = {precision: _product_seconds(precision) for precision in ("f32", "bf16")}
    ratio = times["f32"] / times["bf16"]
    log.info("bf16 is %.2f times as fast as f32 here", ratio)
    return ratio > _WORTH_IT


def _product_seconds(precision: str) -> float:
    import openvino
    from openvino import opset13 as op

    rng = np.random.default_rng(0)
    # The shape of the recogniser's typical layer: a 1x1 convolution of some hundred channels.
    image = op.parameter([1, 256, 24, 80], np.float32)
    kernel = op.constant(rng.standard_normal((256, 256, 1, 1), np.float32))
    layer = op.convolution(image, kernel, [1, 1], [0, 0], [0, 0], [1, 1])
    layer = op.convolution(op.relu(layer), kernel, [1, 1], [0, 0], [0, 0], [1, 1])
    config = {"NUM_STREAMS": 1, "INFERENCE_NUM_THREADS": 1, "INFERENCE_PRECISION_HINT": precision}
    compiled = openvino.Core().compile_model(openvino.Model([layer], [image]), "CPU", config)
    request = compiled.create_infer_request()
    data = rng.standard_normal((1, 256, 24, 80), np.float32)
    best = float("inf")
    for _ in range(_ROUNDS):
        started = time.perf_counter()
        request.infer([data])
        best = min(best, time.perf_counter() - started)
    return best
