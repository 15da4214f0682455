"""Tiny token classifiers of PaddleNLP's architectures with random weights, exported as users export them."""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path
from typing import Any

LABELS = ("O", "B-COMPANY", "I-COMPANY", "B-TOTAL", "I-TOTAL", "B-DATE", "I-DATE")
TEXTS = ("TOTAL RM 12.00", "Date: 03/01/2019", "合计 金额 12.00 元", "SHOP AND SONS SDN BHD", "发票号码 12345678")


def make_tokeniser(folder: Path) -> None:
    """Train a SentencePiece model of some sixty pieces on a few lines."""
    sentencepiece = import_module("sentencepiece")
    corpus = folder / "corpus.txt"
    corpus.write_text("\n".join(TEXTS * 20), encoding="utf-8")
    sentencepiece.SentencePieceTrainer.train(
        input=str(corpus),
        model_prefix=str(folder / "sentencepiece.bpe"),
        vocab_size=90,
        hard_vocab_limit=False,
        character_coverage=1.0,
        minloglevel=2,
    )
    (folder / "vocab.txt").write_text("\n".join(TEXTS), encoding="utf-8")


def export(folder: Path, architecture: str, *, length: int | None = None, named: bool = True) -> Any:
    """Build a classifier, and export it into the folder with its configuration.

    Args:
        folder: where to.
        architecture: as ``external.yaml`` names it.
        length: a fixed length, as in PaddleOCR's exports; None leaves it open.
        named: whether the inputs have PaddleNLP's names; else they are given as one list, as in PaddleOCR's exports.

    Returns:
        A layer like the exported one, to compare with.
    """
    import paddle

    model = build(architecture)
    ids = _spec(paddle, [None, length], "input_ids", named)
    bbox = _spec(paddle, [None, length, 4], "bbox", named)
    mask = _spec(paddle, [None, length], "attention_mask", named)
    kinds = _spec(paddle, [None, length], "token_type_ids", named)
    image = None if architecture == "vi-layoutxlm" else _spec(paddle, [None, 3, 224, 224], "image", named)
    if named:
        positions = _spec(paddle, [None, length], "position_ids", named)
        layer, spec = model, [ids, bbox, image, mask, kinds, positions]
    else:
        layer, spec = _listed(paddle, model), [[ids, bbox, mask, kinds, *([image] if image is not None else [])]]
    paddle.jit.save(paddle.jit.to_static(layer, input_spec=spec), str(folder / "inference"))
    config = {"id2label": {str(number): label for number, label in enumerate(LABELS)}}
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
    (folder / "external.yaml").write_text(f"architecture: {architecture}\ndoc_type: receipt\n", encoding="utf-8")
    return build(architecture)  # exporting leaves a layer that is not for direct use


def save_old(folder: Path) -> None:
    """A ``.pdmodel`` of fixed length that adds up what it looks up for each token and side of its box.

    It has what PaddleOCR's releases have around their network: inputs called x_0 and so on. The architectures
    themselves cannot be written in the old format by Paddle 3.
    """
    import paddle

    with paddle.pir_utils.OldIrGuard():
        paddle.enable_static()
        try:
            program, start = paddle.static.Program(), paddle.static.Program()
            with paddle.static.program_guard(program, start):
                shapes = ([-1, 512], [-1, 512, 4], [-1, 512], [-1, 512])
                inputs = [paddle.static.data(f"x_{number}", shape, "int64") for number, shape in enumerate(shapes)]
                words = paddle.static.nn.embedding(inputs[0], [200, len(LABELS)])
                places = paddle.static.nn.embedding(inputs[1], [1001, len(LABELS)])
                used = (inputs[2] + inputs[3]).astype("float32").unsqueeze(-1)
                executor = paddle.static.Executor(paddle.CPUPlace())
                outputs = [words + places.sum(2) + used]
                executor.run(start)
                paddle.static.save_inference_model(
                    str(folder / "inference"), inputs, outputs, executor, program=program
                )
        finally:
            paddle.disable_static()


def build(architecture: str) -> Any:
    """A classifier for direct use, with the same weights each time."""
    import paddle

    layer = _build(paddle, architecture)
    layer.eval()
    return layer


def _spec(paddle: Any, shape: list[int | None], name: str, named: bool) -> Any:
    return paddle.static.InputSpec(shape, "int64", name=name if named else None)


def _build(paddle: Any, architecture: str) -> Any:
    transformers = import_module("paddlenlp.transformers")
    modeling: Any = import_module("paddlenlp.transformers.layoutxlm.modeling")
    paddle.seed(7)
    sizes = {
        "hidden_size": 24,
        "num_hidden_layers": 1,
        "num_attention_heads": 2,
        "intermediate_size": 16,
        "coordinate_size": 4,
        "shape_size": 4,
        "vocab_size": 200,
        "num_labels": len(LABELS),
        "initializer_range": 0.5,
    }
    if architecture == "ernie-layout":
        return transformers.ErnieLayoutForTokenClassification(transformers.ErnieLayoutConfig(**sizes))
    config = transformers.LayoutXLMConfig(use_visual_backbone=architecture == "layoutxlm", **sizes)
    # The real backbone has 90 million parameters whatever the configuration says.
    original = modeling.build_resnet_fpn_backbone
    modeling.build_resnet_fpn_backbone = lambda _: _Backbone(paddle)
    try:
        return transformers.LayoutXLMForTokenClassification(config)
    finally:
        modeling.build_resnet_fpn_backbone = original


def _Backbone(paddle: Any) -> Any:  # noqa: N802 - a class that can be made only once paddle is there
    class Backbone(paddle.nn.Layer):  # type: ignore[misc]
        """Sixteen pixels to one, in the shape of the real backbone's finest level."""

        def __init__(self) -> None:
            super().__init__()
            self.reduce = paddle.nn.Conv2D(3, 256, 16, stride=16)

        def forward(self, images: Any) -> dict[str, Any]:
            return {"p2": self.reduce(images)}

        def output_shape(self) -> dict[str, Any]:
            return {"p2": type("Shape", (), {"channels": 256})}

    return Backbone()


def _listed(paddle: Any, model: Any) -> Any:
    class Listed(paddle.nn.Layer):  # type: ignore[misc]
        """The inputs as one list, in PaddleOCR's order."""

        def __init__(self) -> None:
            super().__init__()
            self.model = model

        def forward(self, x: Any) -> Any:
            image = x[4] if len(x) > 4 else None
            return self.model(input_ids=x[0], bbox=x[1], attention_mask=x[2], token_type_ids=x[3], image=image)

    return Listed()
