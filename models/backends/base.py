"""What a backend is: loads a model, and gives one predictor to each lane."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, cast

import numpy as np
import numpy.typing as npt

from schemas.errors import ModelError

Array = npt.NDArray[Any]  # on CUDA a cupy.ndarray, which has the same interface
Inputs = Array | Sequence[Array]
"""What a network takes: one array, or one for each of its inputs."""


@dataclass(slots=True, frozen=True)
class InputFormat:
    """How a page or line image becomes the network's input.

    The network takes RGB or BGR (as trained; ``channels``) in NCHW: ``(pixel * scale - mean) / std`` per channel,
    with ``scale`` usually 1/255. Values from PaddleOCR's inference configuration.
    """

    channels: str = "BGR"
    scale: float = 1 / 255
    mean: tuple[float, float, float] = (0.5, 0.5, 0.5)
    std: tuple[float, float, float] = (0.5, 0.5, 0.5)


@dataclass(slots=True, frozen=True)
class CtcHead:
    """Ask the backend to reduce the recogniser's class probabilities inside the network.

    The output probabilities (N, T, C) become two outputs: indices (N, T, top_k) int32 and probabilities
    (N, T, top_k) float32, best first. ``keep`` prunes the last layer to these class numbers (the blank, 0, included)
    and indices count within ``keep``; None keeps all classes.
    """

    top_k: int = 1
    keep: tuple[int, ...] | None = None


@dataclass(slots=True, frozen=True)
class LoadOptions:
    """How to load a model. ``precision`` is ``auto``, ``f32``, ``bf16`` or ``f16``.

    ``instances`` predictors will be asked for, each used by one thread, ``threads`` cores each.
    ``boost_threads``: cores that one predictor may use when it has the machine to itself (0: none).
    ``hot_shapes``: so many input shapes, those that come most often, get a model compiled for just that shape, where
    the backend can.
    ``shape_cache`` bounds how many shapes' preparations are kept.
    ``inputs`` names the network's inputs in the order in which arrays will be given; empty: in the model's own order.
    ``trial`` are two inputs with different results that a model which takes no images is tried on, where the backend
    needs that.
    """

    precision: str = "auto"
    instances: int = 1
    threads: int = 1
    boost_threads: int = 0
    input: InputFormat | None = None
    ctc: CtcHead | None = None
    hot_shapes: int = 0
    shape_cache: int = 64
    inputs: tuple[str, ...] = ()
    trial: tuple[Inputs, Inputs] | None = None
    cache_dir: Path | None = None


class Predictor(Protocol):
    """One loaded model, used by one thread at a time: arrays in, arrays out."""

    def run(self, inputs: Inputs, *, cores: int = 1) -> list[Array]:
        """Run the network on one batch.

        Args:
            inputs: uint8 images (N, H, W, 3) in BGR where the model was loaded with an ``InputFormat``; otherwise
                whatever the network takes, one array for each of its inputs.
            cores: how many cores this run may use; backends without a second variant ignore it.

        Returns:
            The outputs in the model's order. They are the caller's to keep.

        Raises:
            OutOfDeviceMemory: the batch was too large for the device.
            ValueError: not as many arrays as the network has inputs.
        """
        ...


class LoadedModel(Protocol):
    """A model in memory. Predictors share its weights where the backend can."""

    precision: str

    def predictor(self, lane: int, stream: Any = None) -> Predictor:
        """The predictor of lane number ``lane`` (0 to ``instances - 1``); the same object each time."""
        ...

    def close(self) -> None:
        """Free the model."""
        ...


class Backend(Protocol):
    """An inference runtime."""

    name: str

    def load(self, files: ModelFiles, options: LoadOptions) -> LoadedModel:
        """Load a model.

        Raises:
            BackendUnavailable: the runtime is not installed.
            ModelError: the files do not load, or do not suit.
        """
        ...


@dataclass(slots=True, frozen=True)
class ModelFiles:
    """A model on disk, resolved: what a backend needs to load it.

    ``format`` is ``onnx`` (one file), ``paddle`` (``.pdmodel`` and ``.pdiparams``) or ``paddle-json`` (PaddleOCR 3's
    ``.json`` program and ``.pdiparams``). ``input`` is None for a model that takes no images. ``characters`` are a
    recogniser's classes without the blank, class 1 on.
    """

    name: str
    task: str
    format: str
    model: Path
    weights: Path | None
    input: InputFormat | None
    fingerprint: str
    characters: tuple[str, ...] = ()


def one_for_each(inputs: Inputs, count: int) -> list[Array]:
    """The arrays for a network of ``count`` inputs.

    Raises:
        ValueError: there are more or fewer.
    """
    arrays: list[Array] = list(inputs) if isinstance(inputs, list | tuple) else [cast(Array, inputs)]
    if len(arrays) != count:
        raise ValueError(f"{len(arrays)} arrays for a network of {count} inputs")
    return arrays


def in_order(wanted: Sequence[str], own: Sequence[Sequence[str]], model: str) -> list[int]:
    """The positions of the inputs named among a model's own, each of which may have several names.

    Args:
        wanted: names in the order asked for; empty: the model's own order.
        own: the names of each of the model's inputs.
        model: the model's name, for the message.

    Raises:
        ModelError: they are not the same.
    """
    if not wanted:
        return list(range(len(own)))
    found = [next((i for i, names in enumerate(own) if name in names), None) for name in wanted]
    positions = [position for position in found if position is not None]
    if len(positions) != len(wanted) or len(own) != len(wanted):
        has = ", ".join("/".join(names) for names in own)
        raise ModelError(f"{model}: its inputs are {has}, not {', '.join(wanted)}; it is a model of another kind")
    return positions


def to_float_nchw(images: Array, spec: InputFormat) -> npt.NDArray[np.float32]:
    """Normalise (N, H, W, 3) BGR bytes to (N, 3, H, W) float32, for backends that cannot do it in the network."""
    x = images.astype(np.float32)
    if spec.channels == "RGB":
        x = x[..., ::-1]
    mean = np.asarray(spec.mean, np.float32)
    std = np.asarray(spec.std, np.float32)
    x = (x * np.float32(spec.scale) - mean) / std
    return np.ascontiguousarray(x.transpose(0, 3, 1, 2))
