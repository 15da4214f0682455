"""Small Paddle programs, saved as PaddleOCR 3 saves its own."""

from __future__ import annotations

from pathlib import Path

from models.backends.base import InputFormat, ModelFiles


def save_recogniser(folder: Path, *, width: int = 8, classes: int = 50) -> ModelFiles:
    """Save a recogniser with random weights: two convolutions, columns of 4 pixels, linear layer, softmax.

    Args:
        folder: where to write.
        width: channels of the convolutions; more of them take longer.
        classes: with the blank.
    """
    import paddle
    from paddle import nn

    class Network(nn.Layer):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.first = nn.Conv2D(3, width, 3, stride=(4, 2), padding=1)
            self.second = nn.Conv2D(width, width, 3, stride=(2, 2), padding=1)
            self.last = nn.Linear(width, classes)

        def forward(self, x):  # type: ignore[no-untyped-def]
            y = nn.functional.relu(self.second(nn.functional.relu(self.first(x))))
            y = nn.functional.avg_pool2d(y, (6, 1)).squeeze(2).transpose([0, 2, 1])
            return nn.functional.softmax(self.last(y * 10), axis=2)

    paddle.seed(0)
    network = Network()
    network.eval()
    spec = paddle.static.InputSpec([-1, 3, 48, -1], "float32", "x")
    paddle.jit.save(network, str(folder / "inference"), input_spec=[spec])
    return ModelFiles(
        name="tiny",
        task="recognition",
        format="paddle-json",
        model=folder / "inference.json",
        weights=folder / "inference.pdiparams",
        input=InputFormat(),
        fingerprint="tiny",
    )
