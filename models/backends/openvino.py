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

from models.backends.base import Array, LoadedModel, LoadOptions, ModelFiles
from models.backends.openvino_graph import bytes_in, ctc_head
from models.backends.openvino_precision import resolve_precision
from schemas.errors import BackendUnavailable, ModelError

log = logging.getLogger(__name__)

FORMATS = ("onnx", "paddle")

# A primitive of the CPU plugin is kept per layer and shape; the recogniser has about a hundred such layers.
_PRIMITIVES_PER_SHAPE = 110


class OpenVinoBackend:
    """Loads models with OpenVINO's CPU plugin."""

    name = "openvino"

    def load(self, files: ModelFiles, options: LoadOptions) -> LoadedModel:
        """Load a model; see :class:`models.backends.base.Backend`."""
        try:
            import openvino
        except ImportError as error:
            raise BackendUnavailable("the backend openvino is not installed; run: pip install openvino") from error
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
    """A model compiled for all lanes, for a lone page with all cores, and for a few hot shapes."""

    def __init__(self, core: Any, model: Any, name: str, precision: str, options: LoadOptions) -> None:
        self.precision = precision
        self._core, self._model, self._name, self._options = core, model, name, options
        self._compiled = self._compile(model, options.instances, options.threads)
        self._boost = self._compile(model, 1, options.boost_threads) if options.boost_threads > 1 else None
        # Only one lane can hold all cores at a time, so one request is enough, whoever uses it.
        self._boost_request = self._boost.create_infer_request() if self._boost is not None else None
        self._hot = {shape: self._compile_shape(shape) for shape in options.hot_shapes}
        self._predictors: dict[int, OpenVinoPredictor] = {}
        self._lock = threading.Lock()

    def predictor(self, lane: int, stream: Any = None) -> OpenVinoPredictor:
        """The predictor of a lane."""
        with self._lock:
            if lane not in self._predictors:
                requests = {shape: compiled.create_infer_request() for shape, compiled in self._hot.items()}
                self._predictors[lane] = OpenVinoPredictor(
                    self._compiled.create_infer_request(), self._boost_request, requests
                )
            return self._predictors[lane]

    def close(self) -> None:
        """Drop the requests and the compiled models."""
        self._predictors.clear()
        self._hot.clear()
        self._boost = self._boost_request = self._compiled = None

    def _compile_shape(self, shape: tuple[int, ...]) -> Any:
        model = self._model.clone()
        model.reshape(list(shape))
        return self._compile(model, self._options.instances, self._options.threads)

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

    def __init__(self, request: Any, boost: Any, hot: dict[tuple[int, ...], Any]) -> None:
        self._request, self._boost, self._hot = request, boost, hot

    def run(self, inputs: Array, *, cores: int = 1) -> list[Array]:
        """Run the network; see :class:`models.backends.base.Predictor`."""
        boosted = cores > 1 and self._boost is not None
        request = self._boost if boosted else self._hot.get(inputs.shape, self._request)
        # shared memory: the input is only read during the call, which does not return before the network has run
        results = request.infer([inputs], share_inputs=True, share_outputs=True)
        return [np.array(results[index]) for index in range(len(results))]
