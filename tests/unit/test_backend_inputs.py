"""Networks of several inputs, on every backend: any batch, any length, arrays in the order that was asked for."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from models.backends import BACKENDS, get_backend
from models.backends.base import LoadOptions, ModelFiles, in_order, one_for_each
from schemas.errors import ModelError
from tests.unit.token_networks import expected, save_onnx, save_paddle, tokens

NAMES = ("numbers", "weights")
TRIAL = (tokens(1, 4, 1), tokens(1, 4, 2))


@pytest.fixture(scope="module", params=BACKENDS)
def network(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, ModelFiles]:
    """A backend's name and a network that it reads."""
    backend = request.param
    needed = {"openvino": ("openvino", "onnx"), "onnxruntime": ("onnxruntime", "onnx"), "paddle": ("paddle",)}[backend]
    if any(importlib.util.find_spec(name) is None for name in needed):
        pytest.skip(f"needs {' and '.join(needed)}")
    folder = tmp_path_factory.mktemp(backend)
    return backend, (save_paddle if backend == "paddle" else save_onnx)(folder)


def load(network: tuple[str, ModelFiles], **options: Any) -> Any:
    backend, files = network
    return get_backend(backend).load(files, LoadOptions(precision="f32", inputs=NAMES, trial=TRIAL, **options))


@pytest.fixture(scope="module")
def model(network: tuple[str, ModelFiles]) -> Iterator[Any]:
    loaded = load(network, instances=2, boost_threads=2)
    yield loaded
    loaded.close()


def assert_right(outputs: list[Any], *given: Any) -> None:
    assert len(outputs) == 2
    for output, right in zip(outputs, expected(*given), strict=True):
        np.testing.assert_allclose(np.asarray(output), right, atol=1e-5)


@pytest.mark.parametrize("shape", [(1, 1), (1, 64), (3, 128), (2, 7)])
def test_batch_and_length_are_free(model: Any, shape: tuple[int, int]) -> None:
    given = tokens(*shape)
    for lane, cores in ((0, 1), (1, 1), (0, 2)):
        assert_right(model.predictor(lane).run(given, cores=cores), *given)


def test_the_same_shape_again_and_again_stays_right(network: tuple[str, ModelFiles]) -> None:
    model = load(network, hot_shapes=1)
    for seed in range(12):  # from the eighth run on, a backend may have a model for this shape alone
        given = tokens(2, 16, seed)
        assert_right(model.predictor(0).run(list(given)), *given)
    model.close()


def test_arrays_come_in_the_order_that_was_asked_for(network: tuple[str, ModelFiles]) -> None:
    backend, files = network
    swapped = LoadOptions(precision="f32", inputs=NAMES[::-1], trial=(TRIAL[0][::-1], TRIAL[1][::-1]))
    given = tokens(2, 5)
    assert_right(get_backend(backend).load(files, swapped).predictor(0).run(given[::-1]), *given)


@pytest.mark.parametrize("count", [0, 1, 3])
def test_another_number_of_arrays_is_refused(model: Any, count: int) -> None:
    numbers, _ = tokens(1, 4)
    with pytest.raises(ValueError, match=f"{count} arrays for a network of 2 inputs"):
        model.predictor(0).run([numbers] * count)


@pytest.mark.parametrize("names", [("numbers",), ("numbers", "geometry"), (*NAMES, "hint")])
def test_a_network_with_other_inputs_is_refused(network: tuple[str, ModelFiles], names: tuple[str, ...]) -> None:
    backend, files = network
    with pytest.raises(ModelError, match=r"mine: its inputs are .*numbers.*, not numbers"):
        get_backend(backend).load(replace(files, name="mine"), LoadOptions(precision="f32", inputs=names))


def test_a_single_array_is_one_input() -> None:
    array = np.zeros((2, 3))
    assert one_for_each(array, 1)[0] is array
    with pytest.raises(ValueError, match="1 arrays"):
        one_for_each(array, 2)


def test_the_models_own_order_holds_unless_another_is_asked_for() -> None:
    own = [["b", "b:0"], ["a"]]
    assert in_order((), own, "m") == [0, 1]
    assert in_order(("a", "b:0"), own, "m") == [1, 0]
