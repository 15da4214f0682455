"""The ONNX Runtime backend, on the models that come with rapidocr."""

from __future__ import annotations

import sys
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from models.backends.base import Array, CtcHead, InputFormat, LoadOptions, ModelFiles, to_float_nchw
from models.backends.onnxruntime import OnnxRuntimeBackend, OnnxRuntimePredictor
from models.backends.reduce import reduce_ctc
from models.ctc import CtcDecoder
from models.probe import draw_line
from models.resolve import resolve
from schemas.errors import BackendUnavailable, ModelError, OutOfDeviceMemory, SettingsError
from schemas.settings import load_settings

pytest.importorskip("onnxruntime", reason="needs onnxruntime")
pytest.importorskip("onnx", reason="needs onnx")
from onnxruntime.capi.onnxruntime_pybind11_state import InvalidArgument, RuntimeException  # noqa: E402


@pytest.fixture(scope="module")
def recogniser() -> ModelFiles:
    return resolve("PP-OCRv6_small_rec", "recognition", "onnxruntime", load_settings(allow_download=False))


def lines(width: int = 160) -> Array:
    return np.stack([draw_line(text, 48, width) for text in ("Total 2048", "17.36", "Invoice")])


def load(files: ModelFiles, **options: Any) -> Any:
    return OnnxRuntimeBackend().load(files, LoadOptions(**options))


@pytest.fixture(scope="module")
def full(recogniser: ModelFiles) -> Array:
    assert recogniser.input is not None
    output: Array = load(recogniser).predictor(0).run(to_float_nchw(lines(), recogniser.input))[0]
    return output


@pytest.mark.parametrize("top_k", [1, 5])
@pytest.mark.parametrize("keep", [None, (0, *range(5, 900, 2))], ids=["all classes", "some classes"])
def test_reduced_outputs_equal_the_full_one_reduced(
    recogniser: ModelFiles, full: Array, top_k: int, keep: tuple[int, ...] | None
) -> None:
    head = CtcHead(top_k, keep)
    indices, probabilities = load(recogniser, input=recogniser.input, ctc=head).predictor(0).run(lines())
    expected = reduce_ctc(full, head)
    assert (indices.dtype, probabilities.dtype) == (np.int32, np.float32)
    np.testing.assert_allclose(probabilities, expected[1], atol=1e-4)
    np.testing.assert_array_equal(indices[..., 0], expected[0][..., 0])


def test_pruned_reading_is_the_best_of_the_kept_columns(recogniser: ModelFiles, full: Array) -> None:
    kept = (0, *(1 + i for i, c in enumerate(recogniser.characters) if c in "0123456789."))
    indices, _ = load(recogniser, input=recogniser.input, ctc=CtcHead(keep=kept)).predictor(0).run(lines())
    np.testing.assert_array_equal(indices[..., 0], full[..., list(kept)].argmax(axis=-1))
    assert len(np.unique(indices)) > 5


def test_it_reads_what_was_written(recogniser: ModelFiles) -> None:
    outputs = load(recogniser, input=recogniser.input, ctc=CtcHead()).predictor(0).run(lines())
    read = [line.text for line in CtcDecoder(recogniser.characters).decode(*outputs)]
    assert read == ["Total 2048", "17.36", "Invoice"]


def test_lanes_in_threads_give_the_bits_of_one_alone(recogniser: ModelFiles) -> None:
    batches = [lines(width)[: 1 + i % 3] for i, width in enumerate((96, 160, 224, 96))]
    model = load(recogniser, instances=3, input=recogniser.input, ctc=CtcHead(top_k=2))
    alone = [model.predictor(0).run(batch) for batch in batches]
    results: dict[int, list[list[Array]]] = {}

    def work(lane: int) -> None:
        results[lane] = [model.predictor(lane).run(batch) for batch in batches]

    threads = [threading.Thread(target=work, args=(lane,)) for lane in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(results) == [0, 1, 2]
    for lane in results:
        for got, expected in zip(results[lane], alone, strict=True):
            for a, b in zip(got, expected, strict=True):
                np.testing.assert_array_equal(a, b)


def test_more_cores_give_the_same_reading(recogniser: ModelFiles) -> None:
    predictor = load(recogniser, boost_threads=2, input=recogniser.input, ctc=CtcHead()).predictor(0)
    one, two = predictor.run(lines()), predictor.run(lines(), cores=2)
    np.testing.assert_array_equal(one[0], two[0])
    np.testing.assert_allclose(one[1], two[1], atol=1e-4)


def test_each_lane_has_its_own_predictor(recogniser: ModelFiles) -> None:
    model = load(recogniser, instances=2)
    assert model.predictor(0) is model.predictor(0)
    assert model.predictor(0) is not model.predictor(1)
    for lane in (-1, 2):
        with pytest.raises(IndexError, match="lane"):
            model.predictor(lane)
    model.close()
    with pytest.raises(IndexError, match="lane"):
        model.predictor(0)


@pytest.mark.parametrize(("precision", "works"), [("auto", True), ("f32", True), ("bf16", False), ("f16", False)])
def test_only_f32_on_a_cpu(recogniser: ModelFiles, precision: str, works: bool) -> None:
    if works:
        assert load(recogniser, precision=precision).precision == "f32"
    else:
        with pytest.raises(SettingsError, match="precision"):
            load(recogniser, precision=precision)


@pytest.mark.parametrize("edit", [True, False])
@pytest.mark.parametrize("content", [b"", b"no model at all"], ids=["empty", "text"])
def test_damaged_files_are_a_model_error(recogniser: ModelFiles, tmp_path: Path, content: bytes, edit: bool) -> None:
    (tmp_path / "m.onnx").write_bytes(content)
    files = replace(recogniser, model=tmp_path / "m.onnx")
    with pytest.raises(ModelError, match=r"m\.onnx"):
        load(files, input=files.input if edit else None)


def test_a_missing_file_and_another_format_are_model_errors(recogniser: ModelFiles, tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="is missing"):
        load(replace(recogniser, model=tmp_path / "gone.onnx"))
    with pytest.raises(ModelError, match="not paddle"):
        load(replace(recogniser, format="paddle"))


def test_without_onnxruntime_the_extra_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    files = ModelFiles("x", "detection", "onnx", tmp_path / "x", None, InputFormat(), "")
    with pytest.raises(BackendUnavailable, match=r"EXTRAS=onnxruntime, .*: pip install 'inklane\[onnxruntime\]'"):
        OnnxRuntimeBackend().load(files, LoadOptions())


class Session:
    """A session that fails."""

    def __init__(self, error: Exception) -> None:
        self.error = error

    def run(self, _outputs: object, _inputs: object) -> list[Array]:
        raise self.error


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (MemoryError(), OutOfDeviceMemory),
        (RuntimeException("[ONNXRuntimeError] : 6 : Failed to allocate memory for a buffer"), OutOfDeviceMemory),
        (InvalidArgument("[ONNXRuntimeError] : 2 : something else"), InvalidArgument),
    ],
    ids=["python", "runtime", "another error"],
)
def test_out_of_memory_is_told_apart(error: Exception, expected: type[Exception]) -> None:
    with pytest.raises(expected) as caught:
        OnnxRuntimePredictor([Session(error)], ["x"]).run(np.zeros(1))
    assert type(caught.value) is expected
