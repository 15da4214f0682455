"""OpenVINO: the default on a CPU.

One compiled model serves all lanes (they share its weights); each lane has an inference request of its own. Threads
are not pinned: the detection's and the recognition's first stream would share a core while the other idles.
"""

from __future__ import annotations

import logging
import threading
import time
from typing import Any

import numpy as np

from models.backends.base import Array, Inputs, LoadedModel, LoadOptions, ModelFiles, in_order, one_for_each
from models.backends.openvino_graph import bytes_in, ctc_head
from models.backends.openvino_hot import HotShapes
from models.backends.openvino_precision import resolve_precision
from models.backends.openvino_runtime import import_openvino
from models.extras import how_to_install
from schemas.errors import BackendUnavailable, ModelError

log = logging.getLogger(__name__)

FORMATS = ("onnx", "paddle")

# A primitive of the CPU plugin is kept per layer and shape; the recogniser has about a hundred such layers.
_PRIMITIVES_PER_SHAPE = 110

_USUAL = 3
"""Runs of one kind in a row after which the other kind gives back its activations."""


class OpenVinoBackend:
    """Loads models with OpenVINO's CPU plugin."""

    name = "openvino"

    def load(self, files: ModelFiles, options: LoadOptions) -> LoadedModel:
        """Load a model; see :class:`models.backends.base.Backend`."""
        try:
            openvino = import_openvino()
        except ImportError as error:
            raise BackendUnavailable(f"the backend openvino is not installed: {how_to_install('openvino')}") from error
        if files.format not in FORMATS:
            raise ModelError(
                f"{files.name}: OpenVINO reads {' and '.join(FORMATS)} files, not {files.format}; use the backend "
                "paddle, or install the extra 'hub', which converts it to ONNX"
            )
        core = openvino.Core()
        precision = resolve_precision(core, options.precision)
        try:
            model = core.read_model(str(files.model))
            if options.input is not None:
                model = bytes_in(model, options.input)
            if options.ctc is not None:
                model = ctc_head(model, options.ctc, files.name)
        except RuntimeError as error:
            raise ModelError(
                f"{files.name}: {files.model} cannot be read ({_first_line(error)}); it may be damaged, reinstall it"
            ) from error
        return OpenVinoModel(core, model, files.name, precision, options)


def _first_line(error: BaseException) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[-1][:200] if lines else type(error).__name__


class OpenVinoModel:
    """A model compiled for all lanes, for a lone page with all cores, and for the shapes that come most often.

    The two kinds of runs, with one core and with all, never happen at once, and one of them holds no activations
    once the other has become the usual one: on large pages they take several hundred megabytes each.
    """

    def __init__(self, core: Any, model: Any, name: str, precision: str, options: LoadOptions) -> None:
        self.precision = precision
        self._core, self._model, self._name, self._options = core, model, name, options
        self._order = in_order(options.inputs, [sorted(port.get_names()) for port in model.inputs], name)
        self._compiled = self._compile(model, options.instances, options.threads)
        self._boost = self._compile(model, 1, options.boost_threads) if options.boost_threads > 1 else None
        # Only one lane can hold all cores at a time, so one request is enough, whoever uses it.
        self._boost_request = self._boost.create_infer_request() if self._boost is not None else None
        self._shapes = HotShapes(options.hot_shapes)
        self._hot: dict[Any, Any] = {}
        self._boosts_in_a_row = 0
        self._predictors: dict[int, OpenVinoPredictor] = {}
        self._lock = threading.Lock()

    def predictor(self, lane: int, stream: Any = None) -> OpenVinoPredictor:
        """The predictor of a lane."""
        with self._lock:
            if lane not in self._predictors:
                self._predictors[lane] = OpenVinoPredictor(self, self._compiled.create_infer_request(), self._order)
            return self._predictors[lane]

    def close(self) -> None:
        """Drop the requests and the compiled models."""
        self._predictors.clear()
        self._hot.clear()
        self._boost = self._boost_request = self._compiled = None

    def boosted(self) -> Any:
        """The request that runs on all cores; None if there is none."""
        with self._lock:
            if self._boost_request is None:
                return None
            self._boosts_in_a_row = max(0, self._boosts_in_a_row) + 1
            if self._boosts_in_a_row == _USUAL:
                for compiled in (self._compiled, *self._hot.values()):
                    compiled.release_memory()
            return self._boost_request

    def hot(self, shapes: tuple[tuple[int, ...], ...]) -> Any:
        """The model compiled for these very shapes of its inputs, if they come often enough to have one."""
        with self._lock:
            if self._boost is not None:
                self._boosts_in_a_row = min(0, self._boosts_in_a_row) - 1
                if self._boosts_in_a_row == -_USUAL:
                    self._boost.release_memory()
            earned, replaced = self._shapes.seen(shapes)
            self._hot.pop(replaced, None)
            if earned:
                model = self._model.clone()
                model.reshape({position: list(shape) for position, shape in enumerate(shapes)})
                self._hot[shapes] = self._compile(model, self._options.instances, self._options.threads)
            return self._hot.get(shapes)

    def hot_models(self) -> list[Any]:
        """The models that are compiled for one shape."""
        with self._lock:
            return list(self._hot.values())

    def _compile(self, model: Any, streams: int, threads: int) -> Any:
        config = {
            "PERFORMANCE_HINT": "LATENCY",
            "NUM_STREAMS": streams,
            "INFERENCE_NUM_THREADS": streams * threads,
            "INFERENCE_PRECISION_HINT": self.precision,
            "ENABLE_CPU_PINNING": False,
            "CPU_RUNTIME_CACHE_CAPACITY": self._options.shape_cache * _PRIMITIVES_PER_SHAPE,
        }
        if self._options.cache_dir is not None:
            config["CACHE_DIR"] = str(self._options.cache_dir)
        started = time.monotonic()
        try:
            return self._core.compile_model(model, "CPU", config)
        except RuntimeError as error:
            raise ModelError(f"{self._name}: OpenVINO cannot compile the model: {_first_line(error)}") from error
        finally:
            log.debug("%s: compiled in %.2f s", self._name, time.monotonic() - started)


class OpenVinoPredictor:
    """One inference request (and one for each hot shape), used by one lane."""

    def __init__(self, model: OpenVinoModel, request: Any, order: list[int]) -> None:
        self._model, self._request, self._order = model, request, order
        self._hot: list[tuple[Any, Any]] = []

    def run(self, inputs: Inputs, *, cores: int = 1) -> list[Array]:
        """Run the network; see :class:`models.backends.base.Predictor`."""
        given = dict(zip(self._order, one_for_each(inputs, len(self._order)), strict=True))
        arrays = [given[position] for position in range(len(given))]
        request = self._model.boosted() if cores > 1 else None
        if request is None:
            compiled = self._model.hot(tuple(array.shape for array in arrays))
            request = self._request if compiled is None else self._hot_request(compiled)
        # shared memory: the input is only read during the call, which does not return before the network has run
        results = request.infer(arrays, share_inputs=True, share_outputs=True)
        return [np.array(results[index]) for index in range(len(results))]

    def _hot_request(self, compiled: Any) -> Any:
        for mine, request in self._hot:
            if mine is compiled:
                return request
        current = self._model.hot_models()  # requests of replaced models must not keep them in memory
        self._hot = [entry for entry in self._hot if any(entry[0] is model for model in current)]
        self._hot.append((compiled, compiled.create_infer_request()))
        return self._hot[-1][1]
