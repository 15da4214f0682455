"""Model files that hold next to nothing, and the folders they lie in."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import yaml


def onnx_bytes(metadata: dict[str, str] | None = None, graph: bytes = b"") -> bytes:
    """An ONNX file as protobuf lays it out: ir_version, a graph of any bytes, metadata_props."""
    data = b"\x08\x0a" + field(7, graph)
    for key, value in (metadata or {}).items():
        data += field(14, field(1, key.encode()) + field(2, value.encode()))
    return data


def field(number: int, content: bytes) -> bytes:
    return varint(number << 3 | 2) + varint(len(content)) + content


def varint(value: int) -> bytes:
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*out, value])


def recogniser_yml(characters: Sequence[str], name: str = "some_rec", channels: str | None = "BGR") -> str:
    ops: list[dict[str, object]] = [{"DecodeImage": {"channel_first": False, "img_mode": channels}}] if channels else []
    ops += [{"MultiLabelEncode": {"gtc_encode": "NRTRLabelEncode"}}, {"RecResizeImg": {"image_shape": [3, 48, 320]}}]
    return _dump(name, ops, {"name": "CTCLabelDecode", "character_dict": list(characters)})


def detector_yml(name: str = "some_det", scale: object = "1./255.") -> str:
    norm = {"mean": [0.485, 0.456, 0.406], "std": [0.229, 0.224, 0.225], "scale": scale, "order": "hwc"}
    ops = [{"DecodeImage": {"channel_first": False, "img_mode": "BGR"}}, {"DetResizeForTest": None}]
    ops += [{"NormalizeImage": norm}, {"ToCHWImage": None}, {"KeepKeys": {"keep_keys": ["image"]}}]
    return _dump(name, ops, {"name": "DBPostProcess", "thresh": 0.3})


def classifier_yml(labels: Sequence[str], name: str = "some_ori") -> str:
    ops = [{"ResizeImage": {"size": [160, 80]}}, {"NormalizeImage": {"scale": 1 / 255}}, {"ToCHWImage": None}]
    return _dump(name, ops, {"Topk": {"topk": 1, "label_list": list(labels)}})


def _dump(name: str, ops: object, post: object) -> str:
    content = {"Global": {"model_name": name}, "PreProcess": {"transform_ops": ops}, "PostProcess": post}
    return yaml.safe_dump(content, allow_unicode=True)


def write_onnx_folder(folder: Path, yml: str, graph: bytes = b"") -> Path:
    """A model as PaddleOCR's hub packs it in ONNX."""
    folder.mkdir(parents=True)
    (folder / "inference.onnx").write_bytes(onnx_bytes(graph=graph))
    (folder / "inference.yml").write_text(yml, encoding="utf-8")
    return folder


def write_paddle_folder(folder: Path, yml: str, program: str = "inference.json") -> Path:
    """A model as PaddleOCR's hub packs it for Paddle."""
    folder.mkdir(parents=True)
    (folder / program).write_text("{}")
    (folder / "inference.pdiparams").write_bytes(b"weights")
    (folder / "inference.yml").write_text(yml, encoding="utf-8")
    return folder
