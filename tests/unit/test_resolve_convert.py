from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from models import convert, locate
from models.formats import can_convert
from models.resolve import resolve
from schemas.errors import ModelError
from schemas.settings import Settings, load_settings
from tests.unit.fake_models import detector_yml, onnx_bytes, recogniser_yml, write_paddle_folder


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    monkeypatch.setattr(locate, "package_dir", lambda package: None)
    (tmp_path / "own").mkdir()
    return load_settings(model_dir=tmp_path / "own", cache_dir=tmp_path / "cache", allow_download=False)


class Converter:
    """Writes ``result`` and counts its calls."""

    def __init__(self, result: bytes = onnx_bytes()) -> None:
        self.calls: list[tuple[Path, Path]] = []
        self.result = result

    def __call__(self, model: Path, weights: Path, result: Path) -> None:
        self.calls.append((model, weights))
        result.write_bytes(self.result)


def kept(settings: Settings) -> list[Path]:
    assert settings.cache_dir is not None
    return sorted(p for p in settings.cache_dir.rglob("*"))


@pytest.mark.parametrize(
    ("program", "backend"),
    [("inference.json", "openvino"), ("inference.json", "onnxruntime"), ("inference.pdmodel", "onnxruntime")],
)
def test_converted_once_and_kept(settings: Settings, program: str, backend: str) -> None:
    assert settings.model_dir is not None
    folder = write_paddle_folder(settings.model_dir / "mine", recogniser_yml(["a", "b"]), program)
    converter = Converter()
    files = resolve("mine", "recognition", backend, settings, converter=converter)
    assert (files.format, files.weights, files.characters) == ("onnx", None, ("a", "b", " "))
    assert files.model.read_bytes() == converter.result
    assert resolve("mine", "recognition", backend, settings, converter=converter) == files
    assert converter.calls == [(folder / program, folder / "inference.pdiparams")]


def test_other_weights_are_converted_anew(settings: Settings) -> None:
    assert settings.model_dir is not None
    folder = write_paddle_folder(settings.model_dir / "mine", detector_yml())
    converter = Converter()
    first = resolve("mine", "detection", "openvino", settings, converter=converter)
    (folder / "inference.pdiparams").write_bytes(b"trained some more")
    second = resolve("mine", "detection", "openvino", settings, converter=converter)
    assert len(converter.calls) == 2
    assert first.model != second.model
    assert first.fingerprint != second.fingerprint


@pytest.mark.parametrize("result", [b"", b"not onnx", onnx_bytes(graph=b"g" * 50)[:-20]])
def test_half_a_model_is_never_kept(settings: Settings, result: bytes) -> None:
    assert settings.model_dir is not None
    write_paddle_folder(settings.model_dir / "mine", detector_yml())
    with pytest.raises(ModelError):
        resolve("mine", "detection", "openvino", settings, converter=Converter(result))
    assert [p.name for p in kept(settings)] == ["converted"]
    assert resolve("mine", "detection", "openvino", settings, converter=Converter()).format == "onnx"


def test_a_converter_that_fails_leaves_nothing(settings: Settings) -> None:
    assert settings.model_dir is not None
    write_paddle_folder(settings.model_dir / "mine", detector_yml())

    def fail(model: Path, weights: Path, result: Path) -> None:
        result.write_bytes(b"half")
        raise ModelError("cannot")

    with pytest.raises(ModelError, match="cannot"):
        resolve("mine", "detection", "openvino", settings, converter=fail)
    assert [p.name for p in kept(settings)] == ["converted"]


def test_a_cache_that_cannot_be_written(settings: Settings, tmp_path: Path) -> None:
    assert settings.model_dir is not None
    write_paddle_folder(settings.model_dir / "mine", detector_yml())
    (tmp_path / "cache").write_text("a file where the folder should be")
    with pytest.raises(ModelError, match="set cache_dir to a folder that can be written"):
        resolve("mine", "detection", "openvino", settings, converter=Converter())


def test_without_paddle2onnx_it_says_what_to_do(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    assert settings.model_dir is not None
    write_paddle_folder(settings.model_dir / "mine", detector_yml())
    monkeypatch.setattr("models.resolve.can_convert", lambda: False)
    with pytest.raises(ModelError) as caught:
        resolve("mine", "detection", "openvino", settings)
    for part in ("paddle-json", "inklane[hub]", "set backend to paddle"):
        assert part in caught.value.message


def test_cache_dir_follows_the_setting_then_xdg(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert convert.cache_dir(load_settings()) == tmp_path / "xdg" / "inklane"
    assert convert.cache_dir(load_settings(cache_dir=tmp_path)) == tmp_path
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert convert.cache_dir(load_settings()) == Path.home() / ".cache" / "inklane"


EXPORT = """
import sys
import paddle

class Net(paddle.nn.Layer):
    def __init__(self):
        super().__init__()
        self.conv = paddle.nn.Conv2D(3, 4, 3, padding=1)
        self.last = paddle.nn.Linear(4, 7)

    def forward(self, x):
        x = self.conv(x).mean(axis=2).transpose([0, 2, 1])
        return paddle.nn.functional.softmax(self.last(x), axis=-1)

paddle.seed(0)
net = Net()
net.eval()
spec = [paddle.static.InputSpec([None, 3, 48, None], "float32", "x")]
paddle.jit.save(net, sys.argv[1], input_spec=spec)
"""


@pytest.mark.skipif(not can_convert(), reason="needs paddlepaddle and paddle2onnx")
def test_a_real_program_gives_the_same_answers_as_onnx(settings: Settings, tmp_path: Path) -> None:
    onnxruntime = pytest.importorskip("onnxruntime")
    assert settings.model_dir is not None
    folder = settings.model_dir / "mine"
    folder.mkdir()
    script = tmp_path / "export.py"  # a file, because Paddle reads the network's source
    script.write_text(EXPORT)
    subprocess.run([sys.executable, str(script), str(folder / "inference")], check=True, capture_output=True)
    (folder / "inference.yml").write_text(recogniser_yml(list("abcde")))
    files = resolve("mine", "recognition", "onnxruntime", settings)
    session = onnxruntime.InferenceSession(str(files.model), providers=["CPUExecutionProvider"])
    x = np.random.default_rng(0).random((2, 3, 48, 64), np.float32)
    (got,) = session.run(None, {"x": x})
    infer = (
        "import sys, numpy as np, paddle; net = paddle.jit.load(sys.argv[1]); net.eval();"
        "np.save(sys.argv[3], net(paddle.to_tensor(np.load(sys.argv[2]))).numpy())"
    )
    np.save(tmp_path / "x.npy", x)
    paths = [str(folder / "inference"), str(tmp_path / "x.npy"), str(tmp_path / "y.npy")]
    subprocess.run([sys.executable, "-c", infer, *paths], check=True, capture_output=True)
    assert got.shape == (2, 64, 7)
    np.testing.assert_allclose(got, np.load(tmp_path / "y.npy"), atol=1e-5)
