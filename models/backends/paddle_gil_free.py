"""Runs a Paddle predictor without holding Python's lock, where Paddle itself no longer lets it go.

Paddle 3.2 releases the lock while a network computes, 3.3 holds it (Paddle's pull request 75360): every other thread
of the process stands still meanwhile, and several predictors compute one after the other. The C++ method behind
``Predictor.run()`` is exported, and ``ctypes`` releases the lock around calls, so it can be called directly once the
address of the C++ object is known; pybind11 gives that to whoever asks in its own way (``_pybind11_conduit_v1_``,
pybind11's pull request 5296). Whatever of this is missing or behaves differently: ``run()`` it is, with a warning.
"""

from __future__ import annotations

import builtins
import ctypes
import logging
import re
import threading
import time
from collections.abc import Callable, Hashable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from models.backends.base import Array

log = logging.getLogger(__name__)

_RUN = "_ZN12paddle_infer9Predictor3RunEv"  # bool paddle_infer::Predictor::Run()
_TYPE_INFO = "_ZTIN12paddle_infer9PredictorE"  # typeid(paddle_infer::Predictor)
_TYPE_NAME = b"N12paddle_infer9PredictorE"
_STD_TYPE_INFO = b"St9type_info"  # capsules keep only a pointer to their name: these must outlive them
_POINTER_KIND = b"raw_pointer_ephemeral"
_INTERNALS = re.compile(r"__pybind11_internals_v\d+(_\w+?)__")
_MAX_SHAPES = 4096

Run = Callable[[], object]


def holds_lock(run: Run, attempts: int = 2) -> bool:
    """Whether ``run`` keeps other Python threads from running, as seen by a thread that ticks meanwhile.

    In doubt (a run too short to tell, a machine too busy to let the thread tick) the answer is yes.
    """
    ticks: list[float] = []
    stop = threading.Event()

    def tick() -> None:
        while not stop.wait(0.0002):
            ticks.append(time.perf_counter())

    ticker = threading.Thread(target=tick, name="lock-probe", daemon=True)
    ticker.start()
    try:
        for _ in range(attempts):
            ticks.clear()
            start = time.perf_counter()
            run()
            took = time.perf_counter() - start
            # A tick may slip in between the reading of the clock and the call, so one near the start proves nothing.
            inside = [t for t in ticks if start + 0.2 * took < t < start + 0.9 * took]
            if len(inside) < 3:
                return True
        return False
    finally:
        stop.set()
        ticker.join()


class NativeRun:
    """The C++ ``Predictor::Run`` of Paddle's library, callable for a Python predictor object."""

    def __init__(self, library: Any, abi_ids: Sequence[bytes]) -> None:
        self._run = library[_RUN]
        self._run.argtypes = (ctypes.c_void_p,)
        self._run.restype = ctypes.c_bool
        self._type_info = ctypes.addressof(ctypes.c_char.in_dll(library, _TYPE_INFO))
        self._abi_ids = abi_ids

    @classmethod
    def find(cls, library: Path) -> NativeRun | None:
        """Look the method up in ``libpaddle.so``; None where it is not to be found."""
        try:
            return cls(ctypes.CDLL(str(library)), pybind11_abi_ids())
        except (OSError, AttributeError, ValueError) as error:
            log.debug("no native Predictor::Run: %s", error)
            return None

    def bind(self, predictor: Any) -> Run | None:
        """A call that runs this predictor with the lock released; None where its address cannot be had.

        The call keeps the predictor alive. A C++ exception inside it ends the process.
        """
        address = predictor_address(predictor, self._type_info, self._abi_ids)
        if address is None:
            return None
        run = self._run

        def call(_keep_alive: Any = predictor) -> None:
            if not run(address):
                raise RuntimeError("Paddle's predictor reported a failed run")

        return call


def predictor_address(predictor: Any, type_info: int, abi_ids: Sequence[bytes]) -> int | None:
    """The address of the C++ object behind a Python predictor, which pybind11 gives; None where it does not.

    Args:
        predictor: the Python object.
        type_info: the address of the ``std::type_info`` of its C++ class.
        abi_ids: platform ids that its module may have been built with.
    """
    conduit = getattr(predictor, "_pybind11_conduit_v1_", None)
    if conduit is None:
        return None
    api = ctypes.pythonapi
    new = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)(("PyCapsule_New", api))
    is_valid = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.c_char_p)(("PyCapsule_IsValid", api))
    pointer = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)(("PyCapsule_GetPointer", api))
    asked_for = new(type_info, _STD_TYPE_INFO, None)
    for abi_id in abi_ids:
        try:
            capsule = conduit(abi_id, asked_for, _POINTER_KIND)
        except Exception as error:  # another version of the conduit: whatever it objects to, run() remains
            log.debug("pybind11's conduit refused: %s", error)
            continue
        if capsule is not None and is_valid(capsule, _TYPE_NAME):
            return int(pointer(capsule, _TYPE_NAME))
    return None


def pybind11_abi_ids() -> list[bytes]:
    """The platform ids of the pybind11 modules loaded, from the name under which pybind11 keeps its state."""
    names = {*vars(builtins), *_interpreter_state()}  # before Python 3.12 and since
    matches = (_INTERNALS.fullmatch(name) for name in names if isinstance(name, str))
    return sorted({m[1].encode() for m in matches if m})


def _interpreter_state() -> dict[Any, Any]:
    """What extension modules keep with the interpreter."""
    api = ctypes.pythonapi
    get = ctypes.PYFUNCTYPE(ctypes.c_void_p)(("PyInterpreterState_Get", api))
    get_dict = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p)(("PyInterpreterState_GetDict", api))
    address = get_dict(get())  # a borrowed reference: as an object, ctypes would give it away
    state: dict[Any, Any] = ctypes.cast(address, ctypes.py_object).value if address else {}
    return state


class KnownShapes:
    """Input shapes that have run well once.

    ``run()`` turns a C++ exception into a Python one; called directly, it would end the process. So each new shape
    is tried through ``run()`` first. Shared by the predictors of a model.
    """

    def __init__(self) -> None:
        self._shapes: set[Hashable] = set()

    def __contains__(self, shape: Hashable) -> bool:
        return shape in self._shapes

    def add(self, shape: Hashable) -> None:
        """Remember a shape; far too many of them, and all are tried again."""
        if len(self._shapes) >= _MAX_SHAPES:
            self._shapes = set()
        self._shapes.add(shape)


class LockFreeRuns:
    """Decides once how the predictors of a model are run, from tries on the first of them.

    Args:
        predictor: the predictor to try; nothing else may be using it.
        feeds: two calls that put two different inputs into it.
        fetch: reads its outputs.
        library: Paddle's ``libpaddle.so``; None: not known.
    """

    def __init__(
        self,
        predictor: Any,
        feeds: tuple[Callable[[], None], Callable[[], None]],
        fetch: Callable[[], list[Array]],
        library: Path | None,
    ) -> None:
        feeds[0]()
        predictor.run()  # the first run prepares; it may take long and tells nothing
        self.releases_lock = not holds_lock(predictor.run)
        self._native: NativeRun | None = None
        if self.releases_lock:
            return
        native = NativeRun.find(library) if library is not None else None
        run = native.bind(predictor) if native is not None else None
        if run is not None and _same_results(predictor.run, run, feeds, fetch):
            self._native = native
            log.debug("Predictor.run() holds Python's lock; calling the C++ method behind it")
        else:
            _warn()

    @property
    def native(self) -> bool:
        """Whether the C++ method is called directly."""
        return self._native is not None

    def bind(self, predictor: Any, shapes: KnownShapes) -> Callable[[Hashable], None]:
        """How to run ``predictor`` on inputs of the shape (or shapes) given, already fed."""
        native = self._native.bind(predictor) if self._native is not None else None
        if self._native is not None and native is None:
            _warn()

        def run(shape: Hashable) -> None:
            if native is not None and shape in shapes:
                native()
            else:
                predictor.run()
                shapes.add(shape)

        return run


def _same_results(
    run: Run, native: Run, feeds: tuple[Callable[[], None], Callable[[], None]], fetch: Callable[[], list[Array]]
) -> bool:
    """Whether both ways give the same bits; another input in between, so that doing nothing is not the same."""
    results = []
    for feed, way in ((feeds[0], run), (feeds[1], run), (feeds[0], native)):
        feed()
        way()
        results.append([(a.shape, np.asarray(a).tobytes()) for a in fetch()])
    expected, other, got = results
    return got == expected and other != expected


def _warn() -> None:
    log.warning(
        "this paddlepaddle holds Python's lock while a network runs, and the way around it does not work here: "
        "lanes will wait for each other; paddlepaddle 3.2.2 releases the lock"
    )
