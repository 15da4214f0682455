"""The guard around Paddle runs that release Python's lock."""

from __future__ import annotations

import ctypes
import logging
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from models.backends import paddle_gil_free
from models.backends.base import Array
from models.backends.paddle_gil_free import KnownShapes, LockFreeRuns, NativeRun, holds_lock, predictor_address

TYPE_NAME = b"N12paddle_infer9PredictorE"
PAUSE_US = 30_000


def pause_with_lock() -> None:
    ctypes.PyDLL(None).usleep(PAUSE_US)


def pause_without_lock() -> None:
    ctypes.CDLL(None).usleep(PAUSE_US)


def test_a_run_that_keeps_the_lock_is_found_out() -> None:
    assert holds_lock(pause_with_lock)


def test_a_run_that_releases_the_lock_is_recognised() -> None:
    # a busy machine can only err on the safe side, so one of several tries suffices
    assert any(not holds_lock(pause_without_lock) for _ in range(10))


def test_too_short_to_tell_counts_as_held() -> None:
    assert holds_lock(lambda: None)


def test_the_ticking_thread_ends_with_a_failing_run() -> None:
    def fail() -> None:
        raise RuntimeError("no")

    with pytest.raises(RuntimeError, match="no"):
        holds_lock(fail)
    assert "lock-probe" not in {thread.name for thread in threading.enumerate()}


# --- the address ----------------------------------------------------------------------------------------------


def capsule(address: int, name: bytes) -> object:
    new = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)(
        ("PyCapsule_New", ctypes.pythonapi)
    )
    result: object = new(address, name, None)
    return result


class WithConduit:
    def __init__(self, answer: Callable[[bytes], object]) -> None:
        self.answer = answer
        self.asked: list[tuple[bytes, bytes]] = []

    def _pybind11_conduit_v1_(self, abi_id: bytes, _type_info: object, kind: bytes) -> object:
        self.asked.append((abi_id, kind))
        return self.answer(abi_id)


def test_the_address_comes_from_the_id_that_fits() -> None:
    predictor = WithConduit(lambda abi: capsule(4711, TYPE_NAME) if abi == b"_right" else None)
    assert predictor_address(predictor, 1, [b"_wrong", b"_right", b"_unasked"]) == 4711
    assert predictor.asked == [(b"_wrong", b"raw_pointer_ephemeral"), (b"_right", b"raw_pointer_ephemeral")]


def refuse(_abi: bytes) -> object:
    raise RuntimeError("Invalid pointer_kind")


@pytest.mark.parametrize(
    "predictor",
    [
        object(),
        WithConduit(lambda _: None),
        WithConduit(refuse),
        WithConduit(lambda _: "not a capsule"),
        WithConduit(lambda _: capsule(4711, b"another class")),
    ],
    ids=["no conduit", "other platform", "refuses", "no capsule", "capsule of another class"],
)
def test_no_address_without_all_of_it(predictor: object) -> None:
    assert predictor_address(predictor, 1, [b"_any"]) is None


@pytest.mark.parametrize("library", ["/no/such/libpaddle.so", "libc.so.6"], ids=["no library", "without the symbol"])
def test_no_native_run_without_the_symbol(library: str) -> None:
    assert NativeRun.find(Path(library)) is None


# --- the choice -----------------------------------------------------------------------------------------------


class Network:
    """Doubles its input; computes with or without the lock, like Paddle's predictor."""

    def __init__(self, pause: Callable[[], None]) -> None:
        self.pause = pause
        self.input: Array = np.zeros(2)
        self.output: Array = np.zeros(2)
        self.runs = 0

    def run(self) -> None:
        self.pause()
        self.runs += 1
        self.output = self.input * 2

    def feeds(self) -> tuple[Callable[[], None], Callable[[], None]]:
        def feed(value: float) -> Callable[[], None]:
            def put() -> None:
                self.input = np.full(2, value)

            return put

        return feed(1.0), feed(2.0)


class Native:
    """Stands for ``NativeRun``."""

    def __init__(self, call: Callable[[Network], None] | None) -> None:
        self.call = call
        self.calls = 0

    def bind(self, predictor: Any) -> Callable[[], None] | None:
        call = self.call
        if call is None:
            return None

        def run() -> None:
            self.calls += 1
            call(predictor)

        return run


def right(network: Network) -> None:
    network.output = network.input * 2


def wrong(network: Network) -> None:
    network.output = np.nextafter(network.input * 2, 9)  # one bit off


def nothing(network: Network) -> None:
    pass  # the output of the run before is still there


def decide(network: Network, native: Native | None, monkeypatch: pytest.MonkeyPatch) -> LockFreeRuns:
    monkeypatch.setattr(NativeRun, "find", lambda _library: native)
    return LockFreeRuns(network, network.feeds(), lambda: [network.output], Path("libpaddle.so"))


def test_bit_identical_native_runs_are_used(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    network, native = Network(pause_with_lock), Native(right)
    with caplog.at_level(logging.WARNING):
        runs = decide(network, native, monkeypatch)
    assert runs.native
    assert caplog.records == []


@pytest.mark.parametrize(
    "native",
    [None, Native(None), Native(wrong), Native(nothing)],
    ids=["no symbol", "no address", "other results", "does nothing"],
)
def test_anything_else_falls_back_with_a_warning(
    native: Native | None, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    network = Network(pause_with_lock)
    with caplog.at_level(logging.WARNING):
        runs = decide(network, native, monkeypatch)
    assert not runs.native
    assert "3.2.2" in caplog.text
    before = network.runs
    run = runs.bind(network, KnownShapes())
    run((1,))
    run((1,))
    assert network.runs == before + 2


def test_an_unknown_library_falls_back(caplog: pytest.LogCaptureFixture) -> None:
    network = Network(pause_with_lock)
    assert not LockFreeRuns(network, network.feeds(), lambda: [network.output], None).native
    assert "holds Python's lock" in caplog.text


def test_where_run_releases_the_lock_nothing_is_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paddle_gil_free, "holds_lock", lambda _run: False)
    runs = decide(Network(lambda: None), Native(right), monkeypatch)
    assert runs.releases_lock
    assert not runs.native


def test_a_new_shape_is_tried_where_errors_can_be_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    network, native = Network(pause_with_lock), Native(right)
    runs = decide(network, native, monkeypatch)
    shapes = KnownShapes()
    run, other_lane = runs.bind(network, shapes), runs.bind(network, shapes)
    slow, fast = network.runs, native.calls
    run((1, 48, 320, 3))
    run((1, 48, 320, 3))
    other_lane((1, 48, 320, 3))
    assert (network.runs - slow, native.calls - fast) == (1, 2)
    run((2, 48, 320, 3))
    assert (network.runs - slow, native.calls - fast) == (2, 2)


def test_a_shape_that_failed_stays_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    network, native = Network(pause_with_lock), Native(right)
    run = decide(network, native, monkeypatch).bind(network, KnownShapes())

    def fail() -> None:
        raise ValueError("bad shape")

    calls = native.calls
    network.pause = fail
    for _ in range(2):
        with pytest.raises(ValueError, match="bad shape"):
            run((1, 1, 1, 3))
    assert native.calls == calls


def test_known_shapes_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paddle_gil_free, "_MAX_SHAPES", 3)
    shapes = KnownShapes()
    for n in range(10):
        shapes.add((n,))
        assert (n,) in shapes
        assert sum((i,) in shapes for i in range(10)) <= 3


# --- Paddle itself --------------------------------------------------------------------------------------------


def test_the_native_run_of_the_paddle_installed(tmp_path: Path) -> None:
    """Same bits as ``run()``, and other threads go on meanwhile, whichever of the two a model ends up with."""
    paddle = pytest.importorskip("paddle", reason="needs paddlepaddle")
    from paddle.base import libpaddle

    from tests.unit.paddle_networks import save_recogniser

    model = save_recogniser(tmp_path, width=96)
    config = paddle.inference.Config(str(model.model), str(model.weights))
    config.disable_gpu()
    config.disable_glog_info()
    config.set_cpu_math_library_num_threads(1)
    predictor = paddle.inference.create_predictor(config)
    handle = predictor.get_input_handle(predictor.get_input_names()[0])
    inputs = np.random.default_rng(0).random((2, 16, 3, 48, 640), np.float32)

    def feed(index: int) -> Callable[[], None]:
        return lambda: (handle.reshape(inputs[index].shape), handle.copy_from_cpu(inputs[index]))[1]

    def fetch() -> list[Array]:
        return [predictor.get_output_handle(name).copy_to_cpu() for name in predictor.get_output_names()]

    native = NativeRun.find(Path(libpaddle.__file__))
    assert native is not None
    run = native.bind(predictor)
    assert run is not None
    assert native.bind(object()) is None
    results = []
    for index, way in ((0, predictor.run), (1, predictor.run), (0, run)):
        feed(index)()
        way()
        results.append(fetch())
    np.testing.assert_array_equal(results[0][0], results[2][0])
    assert not np.array_equal(results[0][0], results[1][0])
    assert any(not holds_lock(run) for _ in range(10))

    chosen = LockFreeRuns(predictor, (feed(0), feed(1)), fetch, Path(libpaddle.__file__))
    assert chosen.native or chosen.releases_lock
    bound = chosen.bind(predictor, shapes := KnownShapes())
    shapes.add(inputs[0].shape)
    assert any(not holds_lock(lambda: bound(inputs[0].shape)) for _ in range(10))
