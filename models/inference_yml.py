"""PaddleOCR 3's ``inference.yml``, which lies beside each of its models: task, input format, characters."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from models.backends.base import InputFormat
from models.characters import with_space
from schemas.errors import ModelError

# pure Python takes seconds for a dictionary of 18,000 characters
_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

_HALF = (0.5, 0.5, 0.5)
_IMAGENET_MEAN, _IMAGENET_STD = (0.485, 0.456, 0.406), (0.229, 0.224, 0.225)  # NormalizeImage's defaults


@dataclass(slots=True, frozen=True)
class InferenceConfig:
    """What is read from the file. ``characters`` is empty except for recognisers, ``labels`` for classifiers."""

    name: str | None
    task: str | None
    input: InputFormat
    characters: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()


def read_inference_yml(path: Path) -> InferenceConfig:
    """Read the file.

    Raises:
        ModelError: it cannot be read or lacks what it must say.
    """
    try:
        with path.open("rb") as file:
            content = yaml.load(file, Loader=_Loader)
    except (OSError, yaml.YAMLError, UnicodeDecodeError) as error:
        raise ModelError(f"{path} cannot be read ({error}); fetch the model again") from error
    try:
        post = content.get("PostProcess") or {}
        labels = _labels(post)
        task = _task(post, labels)
        steps = _steps((content.get("PreProcess") or {}).get("transform_ops") or [])
        name = (content.get("Global") or {}).get("model_name")
        return InferenceConfig(name, task, _input(steps), _characters(post), labels)
    except (AttributeError, TypeError, ValueError, KeyError) as error:
        raise ModelError(f"{path} is not an inference.yml of PaddleOCR 3 ({error}); fetch the model again") from error


def _steps(ops: list[Any]) -> dict[str, Mapping[str, Any]]:
    return {str(name): args or {} for op in ops for name, args in op.items()}


def _labels(post: Mapping[str, Any]) -> tuple[str, ...]:
    topk = post.get("Topk") or {}
    return tuple(str(label) for label in topk.get("label_list") or ())


def _task(post: Mapping[str, Any], labels: tuple[str, ...]) -> str | None:
    by_name = {"DBPostProcess": "detection", "CTCLabelDecode": "recognition"}
    if (name := post.get("name")) in by_name:
        return by_name[name]
    # the text-line classifier knows upright and upside down, the page classifier all four quarter turns
    return {2: "orientation", 4: "page_orientation"}.get(len(labels))


def _characters(post: Mapping[str, Any]) -> tuple[str, ...]:
    if post.get("name") != "CTCLabelDecode":
        return ()
    dictionary = post["character_dict"]
    if not isinstance(dictionary, list) or not dictionary:
        raise ValueError("PostProcess.character_dict is empty")
    return with_space([str(entry) for entry in dictionary])


def _input(steps: dict[str, Mapping[str, Any]]) -> InputFormat:
    # PaddleX reads images as RGB unless DecodeImage says otherwise
    channels = str(steps.get("DecodeImage", {}).get("img_mode", "RGB")).upper()
    if channels not in ("BGR", "RGB"):
        raise ValueError(f"DecodeImage.img_mode is {channels}, and only BGR and RGB are known")
    normalize = steps.get("NormalizeImage")
    if normalize is not None:
        return InputFormat(
            channels,
            parse_scale(normalize.get("scale", 1 / 255)),
            _three(normalize.get("mean") or _IMAGENET_MEAN),
            _three(normalize.get("std") or _IMAGENET_STD),
        )
    if "RecResizeImg" in steps:  # it normalises to -1 .. 1 by itself
        return InputFormat(channels, 1 / 255, _HALF, _HALF)
    raise ValueError("PreProcess has neither NormalizeImage nor RecResizeImg")


def _three(values: Any) -> tuple[float, float, float]:
    red, green, blue = (float(v) for v in values)
    return red, green, blue


def parse_scale(value: Any) -> float:
    """A positive number, or a quotient as PaddleOCR writes it (``1./255.``).

    Raises:
        ValueError: it is neither.
    """
    numerator, _, denominator = str(value).partition("/")
    divisor = float(denominator) if denominator else 1.0
    scale = float(numerator) / divisor if divisor else math.nan
    if not (math.isfinite(scale) and scale > 0):
        raise ValueError(f"scale {value!r} is no positive number")
    return scale
