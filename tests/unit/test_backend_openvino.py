"""The OpenVINO backend, on the models that come with rapidocr."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from models.backends import openvino_precision
from models.backends.base import Array, CtcHead, InputFormat, LoadOptions, ModelFiles, to_float_nchw
from models.backends.openvino import OpenVinoBackend
from models.backends.openvino_graph import ctc_head
from models.backends.openvino_hot import EARNED, HotShapes
from models.backends.openvino_precision import resolve_precision
from models.backends.reduce import reduce_ctc
from models.ctc import CtcDecoder
from models.probe import draw_line
from models.resolve import resolve
from schemas.errors import BackendUnavailable, ModelError, SettingsError
from schemas.settings import load_settings

openvino = pytest.importorskip("openvino", reason="needs openvino")
pytest.importorskip("rapidocr", reason="needs the models that come with rapidocr")

TEXTS = ["Total 2048", "17.36", "Invoice"]


@pytest.fixture(scope="module")
def recogniser() -> ModelFiles:
    return resolve("PP-OCRv6_small_rec", "recognition", "openvino", load_settings(allow_download=False))


@pytest.fixture(scope="module")
def detector() -> ModelFiles:
    return resolve(None, "detection", "openvino", load_settings(allow_download=False))


def lines(width: int = 160) -> Array:
    return np.stack([draw_line(text, 48, width) for text in TEXTS])


def load(files: ModelFiles, **options: Any) -> Any:
    return OpenVinoBackend().load(files, LoadOptions(**{"precision": "f32", **options}))


@pytest.fixture(scope="module")
def full(recogniser: ModelFiles) -> Array:
    """All probabilities, normalised on the host."""
    assert recogniser.input is not None
    output: Array = load(recogniser).predictor(0).run(to_float_nchw(lines(), recogniser.input))[0]
    return output


@pytest.fixture(scope="module")
def reading(recogniser: ModelFiles) -> Iterator[Any]:
    """A model as the recognition stage uses it."""
    model = load(recogniser, instances=3, boost_threads=2, input=recogniser.input, ctc=CtcHead(top_k=2))
    yield model
    model.close()


@pytest.mark.parametrize(
    "spec",
    [
        InputFormat(),
        InputFormat(channels="RGB", mean=(0.485, 0.456, 0.406), std=(0.229, 0.224, 0.225)),
        InputFormat(scale=1.0, mean=(1.0, 2.0, 3.0), std=(4.0, 5.0, 6.0)),
    ],
    ids=["centred", "as in ImageNet, RGB", "in bytes"],
)
def test_bytes_are_normalised_in_the_network_as_they_would_be_on_the_host(
    recogniser: ModelFiles, spec: InputFormat
) -> None:
    image = np.random.default_rng(0).integers(0, 256, (1, 48, 64, 3), np.uint8)
    inside = load(recogniser, input=spec).predictor(0).run(image)[0]
    outside = load(recogniser).predictor(0).run(to_float_nchw(image, spec))[0]
    np.testing.assert_allclose(inside, outside, atol=1e-4)


@pytest.mark.parametrize("top_k", [1, 5])
@pytest.mark.parametrize("keep", [None, (0, *range(5, 900, 2))], ids=["all classes", "some classes"])
def test_reduced_outputs_equal_the_full_one_reduced(
    recogniser: ModelFiles, full: Array, top_k: int, keep: tuple[int, ...] | None
) -> None:
    head = CtcHead(top_k, keep)
    indices, probabilities = load(recogniser, input=recogniser.input, ctc=head).predictor(0).run(lines())
    expected = reduce_ctc(full, head)
    assert (indices.dtype, probabilities.dtype) == (np.int32, np.float32)
    assert indices.shape == probabilities.shape == expected[0].shape
    np.testing.assert_allclose(probabilities, expected[1], atol=1e-3)
    sure = expected[1][..., 0] > 0.5
    np.testing.assert_array_equal(indices[..., 0][sure], expected[0][..., 0][sure])


def test_it_reads_what_was_written(recogniser: ModelFiles, reading: Any) -> None:
    read = CtcDecoder(recogniser.characters).decode(*reading.predictor(0).run(lines()))
    assert [line.text for line in read] == TEXTS


def test_lanes_in_threads_give_what_one_gives_alone(reading: Any) -> None:
    batches = [lines(width)[: 1 + i % 3] for i, width in enumerate((96, 160, 224, 96))]
    alone = [reading.predictor(0).run(batch) for batch in batches]
    results: dict[int, list[list[Array]]] = {}

    def work(lane: int) -> None:
        results[lane] = [reading.predictor(lane).run(batch) for batch in batches]

    threads = [threading.Thread(target=work, args=(lane,)) for lane in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(results) == [0, 1, 2]
    for lane in results:
        for got, expected in zip(results[lane], alone, strict=True):
            np.testing.assert_array_equal(got[0][..., 0], expected[0][..., 0])
            np.testing.assert_allclose(got[1], expected[1], atol=1e-5)


def test_more_cores_give_the_same_reading(reading: Any) -> None:
    one, two = reading.predictor(1).run(lines()), reading.predictor(1).run(lines(), cores=2)
    np.testing.assert_array_equal(one[0][..., 0], two[0][..., 0])
    np.testing.assert_allclose(one[1], two[1], atol=1e-4)


def test_more_cores_than_were_planned_for_do_no_harm(recogniser: ModelFiles) -> None:
    predictor = load(recogniser, input=recogniser.input, ctc=CtcHead()).predictor(0)
    np.testing.assert_array_equal(predictor.run(lines())[0], predictor.run(lines(), cores=4)[0])


def test_results_are_the_callers_to_keep(reading: Any) -> None:
    predictor = reading.predictor(0)
    first = predictor.run(lines())
    copies = [output.copy() for output in first]
    predictor.run(lines()[::-1])
    for output, copy in zip(first, copies, strict=True):
        np.testing.assert_array_equal(output, copy)
        output[:] = 0  # writable


def test_the_input_is_not_changed(reading: Any) -> None:
    batch = lines()
    before = batch.copy()
    reading.predictor(0).run(batch)
    np.testing.assert_array_equal(batch, before)


def test_a_shape_that_keeps_coming_gets_a_model_of_its_own_with_the_same_reading(
    recogniser: ModelFiles, reading: Any
) -> None:
    model = load(recogniser, input=recogniser.input, ctc=CtcHead(top_k=2), hot_shapes=1)
    predictor, batch, other = model.predictor(0), lines(96), lines(160)
    expected = reading.predictor(0).run(batch)
    for _ in range(EARNED + 1):
        got = predictor.run(batch)
    assert len(model.hot_models()) == 1
    np.testing.assert_array_equal(got[0][..., 0], expected[0][..., 0])
    np.testing.assert_allclose(got[1], expected[1], atol=1e-4)
    np.testing.assert_allclose(predictor.run(other)[1], reading.predictor(0).run(other)[1], atol=1e-4)


def test_either_kind_of_run_gives_its_memory_back_and_goes_on_reading(detector: ModelFiles) -> None:
    page = np.full((1, 160, 320, 3), 255, np.uint8)
    page[0, 60:108, 40:200] = draw_line("Total 2048", 48, 160)
    predictor = load(detector, input=detector.input, boost_threads=2, hot_shapes=1).predictor(0)
    first = predictor.run(page)[0]
    for cores in (1, 2) * 3 + (2,) * 5 + (1,) * 12 + (2,) * 5:
        np.testing.assert_allclose(predictor.run(page, cores=cores)[0], first, atol=1e-4)


def test_hot_shapes_are_few_and_change_only_for_a_much_more_frequent_one() -> None:
    shapes = HotShapes(2)
    changes = [shapes.seen(shape) for _ in range(EARNED) for shape in "ab"]
    assert changes[-2:] == [(True, None), (True, None)]
    assert not any(earned for earned, _ in changes[:-2])
    assert shapes.hot == {"a", "b"}
    for _ in range(2 * EARNED):
        assert shapes.seen("c") == (False, None)
        shapes.seen("a")
    while shapes.hot == {"a", "b"}:
        earned, replaced = shapes.seen("c")
    assert (earned, replaced) == (True, "b")
    assert shapes.hot == {"a", "c"}


def test_no_shape_is_hot_where_none_may_be() -> None:
    shapes = HotShapes(0)
    assert not any(shapes.seen("a")[0] for _ in range(4 * EARNED))


def test_each_lane_has_its_own_predictor_and_the_same_one_each_time(reading: Any) -> None:
    assert reading.predictor(0) is reading.predictor(0)
    assert reading.predictor(0) is not reading.predictor(1)


def test_closing_twice_is_harmless(recogniser: ModelFiles) -> None:
    model = load(recogniser)
    model.predictor(0)
    model.close()
    model.close()


def test_the_detector_answers_with_a_map_of_probabilities(detector: ModelFiles) -> None:
    page = np.full((1, 160, 320, 3), 255, np.uint8)
    page[0, 60:108, 40:200] = draw_line("Total 2048", 48, 160)
    (found,) = load(detector, input=detector.input).predictor(0).run(page)
    assert found.shape == (1, 1, 160, 320)
    assert found[0, 0, 70:98, 60:180].max() > 0.5
    assert found[0, 0, :30].max() < 0.3


# --- what cannot be loaded ------------------------------------------------------------------------------------


def test_a_format_that_openvino_cannot_read_says_what_to_do(recogniser: ModelFiles) -> None:
    with pytest.raises(ModelError, match="paddle"):
        load(replace(recogniser, format="paddle-json"))


@pytest.mark.parametrize("content", [b"", b"not a model", None])
def test_a_damaged_or_missing_file_says_what_to_do(
    recogniser: ModelFiles, tmp_path: Path, content: bytes | None
) -> None:
    path = tmp_path / "model.onnx"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(ModelError, match="reinstall"):
        load(replace(recogniser, model=path))


def test_a_truncated_file_says_what_to_do(recogniser: ModelFiles, tmp_path: Path) -> None:
    path = tmp_path / "model.onnx"
    path.write_bytes(recogniser.model.read_bytes()[:100_000])
    with pytest.raises(ModelError):
        load(replace(recogniser, model=path))


def test_without_the_runtime_the_error_says_how_to_install_it(
    recogniser: ModelFiles, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "openvino", None)
    with pytest.raises(BackendUnavailable, match="pip install openvino"):
        load(recogniser)


def test_a_detector_has_no_classes_to_reduce(detector: ModelFiles) -> None:
    with pytest.raises(ModelError, match="recogniser"):
        load(detector, input=detector.input, ctc=CtcHead())


def network(*steps: str) -> Any:
    """A small (1, 4, 8) to (1, 4, 6) network of the named last steps."""
    from openvino import Model
    from openvino import opset13 as op

    taken = op.parameter([1, 4, 8], np.float32)
    rng = np.random.default_rng(1)
    node = taken
    for step in steps:
        if step == "matmul":
            node = op.matmul(node, op.constant(rng.standard_normal((8, 6), np.float32)), False, False)
        elif step == "turned":
            node = op.matmul(node, op.constant(rng.standard_normal((6, 8), np.float32)), False, True)
        elif step == "add":
            node = op.add(node, op.constant(rng.standard_normal((6,), np.float32)))
        elif step == "halves":
            half = op.constant(rng.standard_normal((8, 6), np.float32).astype(np.float16))
            node = op.matmul(node, op.convert(half, "f32"), False, False)
        elif step == "softmax":
            node = op.softmax(node, -1)
        elif step == "relu":
            node = op.relu(node)
    return Model([op.result(node)], [taken], "small")


def outputs(model: Any, data: Array) -> list[Array]:
    request = openvino.Core().compile_model(model, "CPU", {"INFERENCE_PRECISION_HINT": "f32"}).create_infer_request()
    results = request.infer([data])
    return [np.array(results[index]) for index in range(len(results))]


@pytest.mark.parametrize("last", ["matmul", "turned", "halves"])
def test_pruning_computes_a_softmax_over_the_kept_classes_alone(last: str) -> None:
    data = np.random.default_rng(2).standard_normal((1, 4, 8), np.float32)
    keep = (0, 2, 5)
    (everything,) = outputs(network(last, "add", "softmax"), data)
    expected = reduce_ctc(everything, CtcHead(3, keep))
    got = outputs(ctc_head(network(last, "add", "softmax"), CtcHead(3, keep), "small"), data)
    np.testing.assert_array_equal(got[0], expected[0])
    np.testing.assert_allclose(got[1], expected[1], atol=1e-4)


@pytest.mark.parametrize(("keep", "classes"), [((0, 4), 2), ((3,), 1), (None, 6)])
def test_more_candidates_than_classes_gives_all_classes(keep: tuple[int, ...] | None, classes: int) -> None:
    data = np.random.default_rng(3).standard_normal((1, 4, 8), np.float32)
    (everything,) = outputs(network("matmul", "add", "softmax"), data)
    expected = reduce_ctc(everything, CtcHead(40, keep))
    got = outputs(ctc_head(network("matmul", "add", "softmax"), CtcHead(40, keep), "small"), data)
    assert got[0].shape == got[1].shape == (1, 4, classes)
    np.testing.assert_array_equal(got[0], expected[0])
    np.testing.assert_allclose(got[1], expected[1], atol=1e-4)


@pytest.mark.parametrize(
    ("steps", "said"),
    [(("matmul", "add"), "softmax"), (("matmul", "relu", "softmax"), "linear"), (("softmax",), "linear")],
)
def test_a_network_that_cannot_be_pruned_says_so(steps: tuple[str, ...], said: str) -> None:
    with pytest.raises(ModelError, match=f"{said}.*charset full"):
        ctc_head(network(*steps), CtcHead(1, (0, 1)), "small")


# --- precision ------------------------------------------------------------------------------------------------


class FakeCore:
    """A processor with these capabilities."""

    def __init__(self, *can: str) -> None:
        self._can = can

    def get_property(self, device: str, name: str) -> list[str]:
        assert (device, name) == ("CPU", "OPTIMIZATION_CAPABILITIES")
        return list(self._can)


@pytest.mark.parametrize(
    ("can", "pays", "asked", "expected"),
    [
        (("FP32", "BF16"), True, "auto", "bf16"),
        (("FP32", "BF16"), False, "auto", "f32"),
        (("FP32",), True, "auto", "f32"),
        (("FP32", "BF16"), False, "bf16", "bf16"),
        (("FP32", "BF16"), True, "f32", "f32"),
        (("FP32", "FP16"), True, "f16", "f16"),
    ],
)
def test_auto_takes_bf16_where_the_processor_has_it_and_it_pays(
    monkeypatch: pytest.MonkeyPatch, can: tuple[str, ...], pays: bool, asked: str, expected: str
) -> None:
    monkeypatch.setattr(openvino_precision, "_bf16_pays", lambda: pays)
    assert resolve_precision(FakeCore(*can), asked) == expected


@pytest.mark.parametrize(("can", "asked"), [(("FP32",), "bf16"), (("FP32", "BF16"), "f16"), (("FP32",), "int4")])
def test_a_precision_that_the_processor_lacks_is_refused(can: tuple[str, ...], asked: str) -> None:
    with pytest.raises(SettingsError, match="precision"):
        resolve_precision(FakeCore(*can), asked)


def test_what_pays_is_found_out_once_and_is_an_answer() -> None:
    assert openvino_precision._bf16_pays() in (True, False)
    assert openvino_precision._bf16_pays.cache_info().currsize == 1
