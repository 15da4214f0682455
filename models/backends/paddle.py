"""Paddle Inference on the CPU: one clone of the predictor for each lane, oneDNN where it works."""

from __future__ import annotations

import logging
import re
import tempfile
import threading
import warnings
from collections.abc import Callable, Hashable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from models.backends.base import (
    Array,
    CtcHead,
    InputFormat,
    Inputs,
    LoadedModel,
    LoadOptions,
    ModelFiles,
    Predictor,
    in_order,
    one_for_each,
    to_float_nchw,
)
from models.backends.paddle_files import check_program, check_weights
from models.backends.paddle_gil_free import KnownShapes, LockFreeRuns
from models.backends.paddle_graph import edit_program
from models.backends.reduce import reduce_ctc
from models.extras import how_to_install
from schemas.errors import BackendUnavailable, ModelError, OutOfDeviceMemory, SettingsError

log = logging.getLogger(__name__)

_FORMATS = ("paddle", "paddle-json")
# Input shapes whose oneDNN preparations are kept. Without a bound, or with 0, memory grows with each new shape.
_ONEDNN_SHAPES = 10
# Height and width of the image that a model is tried on, where the model leaves them open.
_TRIAL_SIZES = {"recognition": (48, 320), "orientation": (48, 192), "detection": (320, 320)}
_TRIAL_SIZE = (224, 224)
_ERROR_LINE = re.compile(r"\w+Error: |\([A-Z]\w+\) ")
_OUT_OF_MEMORY = ("ResourceExhausted", "Out of memory", "bad_alloc", "Fail to alloc")


class PaddleBackend:
    """Runs Paddle programs (``.pdmodel`` and ``.json``) in float32, or in bf16 on request."""

    name = "paddle"

    def load(self, files: ModelFiles, options: LoadOptions) -> LoadedModel:
        """Load a model and make a clone for every lane, before any of them runs.

        Bytes in and the CTC reduction are edited into the program where Paddle lets it be edited, else done on the
        host. oneDNN is used where the model runs with it. Hot shapes, the bound on shapes and the boost are ignored.
        A k larger than the number of classes is cut down to it.

        Raises:
            BackendUnavailable: paddlepaddle is not installed or does not work.
            ModelError: the files do not load.
            SettingsError: a precision that this backend or this processor lacks.
        """
        paddle = _runtime()
        if files.format not in _FORMATS or files.weights is None:
            raise ModelError(f"{files.name}: the paddle backend reads Paddle programs with weights, not {files.format}")
        for path in (files.model, files.weights):
            if not path.is_file():
                raise ModelError(f"{files.name}: {path} is missing")
        check_program(files.model)
        check_weights(files.weights)
        precision = _precision(options.precision)
        opened = _open(paddle, files, options, precision)
        return PaddleModel(files.name, opened, options, precision, _library(paddle))


@dataclass(slots=True)
class _Opened:
    """A predictor that has run once, its clones, and what of the work around them remains for the host."""

    predictors: list[Any]
    inputs: list[str]
    trial: tuple[Inputs, Inputs] | None
    host_input: InputFormat | None
    host_ctc: CtcHead | None
    onednn: bool


class PaddleModel:
    """The lanes' predictors. They share the weights."""

    def __init__(self, name: str, opened: _Opened, options: LoadOptions, precision: str, library: Path | None) -> None:
        self.precision = precision
        self.in_network = opened.host_input is None and opened.host_ctc is None
        self.onednn = opened.onednn
        self._name = name
        runs = _lock_free(opened.predictors[0], opened.inputs, opened.trial, library)
        self.native = runs.native if runs is not None else False
        shapes = KnownShapes()
        takes_bytes = options.input is not None
        self._predictors = [
            PaddlePredictor(
                clone,
                opened.inputs,
                runs.bind(clone, shapes) if runs is not None else _plain_run(clone),
                takes_bytes,
                opened.host_input,
                opened.host_ctc,
            )
            for clone in opened.predictors
        ]

    def predictor(self, lane: int, stream: Any = None) -> Predictor:
        """The predictor of a lane. The stream has no meaning on a CPU.

        Raises:
            IndexError: the model was not loaded for so many lanes, or it is closed.
        """
        if not 0 <= lane < len(self._predictors):
            raise IndexError(f"{self._name}: no lane {lane} among {len(self._predictors)}")
        return self._predictors[lane]

    def close(self) -> None:
        """Free the model once the lanes let go of their predictors."""
        self._predictors.clear()


class PaddlePredictor:
    """One clone. Two threads inside it would mix their results, so the second one is refused."""

    def __init__(
        self,
        predictor: Any,
        inputs: list[str],
        run: Callable[[Hashable], None],
        takes_bytes: bool,
        host_input: InputFormat | None,
        host_ctc: CtcHead | None,
    ) -> None:
        self._inputs = [predictor.get_input_handle(name) for name in inputs]
        self._output_names = list(predictor.get_output_names())
        self._predictor = predictor
        self._run = run
        self._takes_bytes = takes_bytes
        self._host_input = host_input
        self._host_ctc = host_ctc
        self._busy = threading.Lock()

    def run(self, inputs: Inputs, *, cores: int = 1) -> list[Array]:
        """See :class:`models.backends.base.Predictor`.

        Raises:
            ValueError: an input is empty or, for a model that takes images, not uint8 (N, H, W, 3).
            RuntimeError: another thread is using this predictor.
        """
        arrays = one_for_each(inputs, len(self._inputs))
        for array in arrays:
            if array.size == 0:
                raise ValueError(f"an empty batch: shape {array.shape}")
            if self._takes_bytes and (array.dtype != np.uint8 or array.ndim != 4 or array.shape[3] != 3):
                raise ValueError(f"expected uint8 images (N, H, W, 3), not {array.dtype} {array.shape}")
        if not self._busy.acquire(blocking=False):
            raise RuntimeError("this predictor is in use by another thread; each lane owns one")
        try:
            if self._host_input is not None:
                arrays = [to_float_nchw(array, self._host_input) for array in arrays]
            for handle, array in zip(self._inputs, arrays, strict=True):
                _feed(handle, array)
            self._run(tuple(array.shape for array in arrays))
            outputs = [self._predictor.get_output_handle(name).copy_to_cpu() for name in self._output_names]
        except MemoryError as error:
            raise OutOfDeviceMemory("not enough memory for this batch") from error
        except RuntimeError as error:  # Paddle's own errors
            if any(sign in str(error) for sign in _OUT_OF_MEMORY):
                raise OutOfDeviceMemory("not enough memory for this batch") from error
            raise
        finally:
            self._busy.release()
        return outputs if self._host_ctc is None else reduce_ctc(outputs[0], self._host_ctc)


def _runtime() -> Any:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about compilers that inference has no use for
            import paddle
            import paddle.inference
    except ImportError as error:
        raise BackendUnavailable(
            f"the backend paddle is not installed or does not load ({error}): {how_to_install('paddle')}"
        ) from error
    with suppress(AttributeError):
        paddle.disable_signal_handler()  # it takes SIGTERM too, which is for the process's owner to handle
    return paddle


def _library(paddle: Any) -> Path | None:
    with suppress(Exception):  # a private module; without it, run() is all there is
        from paddle.base import libpaddle

        return Path(libpaddle.__file__)
    return None


def _precision(wanted: str) -> str:
    if wanted in ("auto", "f32"):
        return "f32"
    if wanted != "bf16":
        raise SettingsError(f"precision: the paddle backend computes in f32 or bf16 on a CPU, not in {wanted}")
    from paddle.base import core

    if not core.supports_bfloat16():
        raise SettingsError("precision: this processor has no bf16 instructions; use f32 or auto")
    return "bf16"


def _open(paddle: Any, files: ModelFiles, options: LoadOptions, precision: str) -> _Opened:
    """The first way of these that runs: losing oneDNN costs more than doing a little on the host."""
    needs_edit = options.input is not None or options.ctc is not None
    ways = [(edit, onednn) for onednn in (True, False) for edit in ((True, False) if needs_edit else (False,))]
    if precision == "bf16":
        ways = [way for way in ways if way[1]]  # bf16 is oneDNN's
    failures: list[str] = []
    shape: Sequence[int] = ()
    with tempfile.TemporaryDirectory(prefix="inklane-paddle-") as folder:
        for edit, onednn in ways:
            try:
                program = files.model
                if edit:
                    program = Path(folder, f"edited{files.model.suffix}")
                    shape = edit_program(files.model, program, options.input, options.ctc)
                predictor = _create(paddle, program, files, options.threads, precision, onednn)
                own = list(predictor.get_input_names())
                names = [own[position] for position in in_order(options.inputs, [[name] for name in own], files.name)]
                trial = options.trial  # what a network that takes no images takes is not known here
                if options.input is not None:
                    trial = _trial_inputs(shape, files.task, edit)
                if trial is not None:
                    _feed_all(predictor, names, trial[1])
                    predictor.run()
            except ModelError:
                raise
            except Exception as error:  # Paddle raises whatever its C++ code did, and OSError and more on its own
                failures.append(_reason(error))
                continue
            if failures:
                doing = "as wanted" if edit or not needs_edit else "normalising and reducing on the host"
                log.warning(
                    "%s: runs %s, %s oneDNN: %s", files.name, doing, "with" if onednn else "without", failures[0]
                )
            if options.ctc is not None and not edit:
                _check_on_host(predictor, options.ctc, files)
            # Here, because cloning while another clone runs can crash the process; and because a clone reads a .json
            # program again, which is gone soon.
            predictors = [predictor] + [predictor.clone() for _ in range(options.instances - 1)]
            host = (None, None) if edit else (options.input, options.ctc)
            return _Opened(predictors, names, trial, *host, onednn)
    advice = "; use precision f32" if precision == "bf16" else ""
    raise ModelError(f"{files.name}: Paddle cannot load or run {files.model}: {failures[0]}{advice}")


def _create(paddle: Any, program: Path, files: ModelFiles, threads: int, precision: str, onednn: bool) -> Any:
    config = paddle.inference.Config(str(program), str(files.weights))
    config.disable_gpu()
    config.disable_glog_info()
    config.set_cpu_math_library_num_threads(max(1, threads))
    if files.format == "paddle":  # with PIR programs, creating the predictor fails
        config.enable_memory_optim()
    if onednn:
        config.enable_mkldnn()
        config.set_mkldnn_cache_capacity(_ONEDNN_SHAPES)
        if precision == "bf16":
            config.enable_mkldnn_bfloat16()
    else:
        with suppress(AttributeError):  # on by default in some releases, off in those that lack the method
            config.disable_mkldnn()
    return paddle.inference.create_predictor(config)


def _trial_inputs(shape: Sequence[int], task: str, as_bytes: bool) -> tuple[Array, Array]:
    """A dark image and a random one, as the network takes them; ``shape`` is (N, H, W, 3) as far as known."""
    usual = (1, *_TRIAL_SIZES.get(task, _TRIAL_SIZE), 3)
    given = shape if len(shape) == 4 else (-1, -1, -1, -1)
    n, h, w, c = (d if d > 0 else default for d, default in zip(given, usual, strict=True))
    noise = np.random.default_rng(0).integers(0, 256, (n, h, w, c), dtype=np.uint8)
    dark = np.zeros_like(noise)
    if as_bytes:
        return dark, noise
    return to_float_nchw(dark, InputFormat()), to_float_nchw(noise, InputFormat())


def _check_on_host(predictor: Any, ctc: CtcHead, files: ModelFiles) -> None:
    """What the edit would have found: the classes to keep exist. The trial has just filled the output."""
    names = predictor.get_output_names()
    shape = predictor.get_output_handle(names[0]).shape()
    if not shape:
        return  # not tried: it has to be believed
    if len(names) != 1 or len(shape) != 3:
        raise ModelError(f"{files.name}: expected one output (N, T, classes), a CTC recogniser's")
    if ctc.keep is not None and (not ctc.keep or min(ctc.keep) < 0 or max(ctc.keep) >= shape[2]):
        raise ModelError(f"{files.name}: the classes to keep must be between 0 and {shape[2] - 1}, and at least one")


def _lock_free(
    predictor: Any, inputs: list[str], trial: tuple[Inputs, Inputs] | None, library: Path | None
) -> LockFreeRuns | None:
    if trial is None:
        return None
    names = predictor.get_output_names()
    feeds = (lambda: _feed_all(predictor, inputs, trial[1]), lambda: _feed_all(predictor, inputs, trial[0]))
    return LockFreeRuns(
        predictor, feeds, lambda: [predictor.get_output_handle(name).copy_to_cpu() for name in names], library
    )


def _plain_run(predictor: Any) -> Callable[[Hashable], None]:
    def run(_shape: Hashable) -> None:
        predictor.run()

    return run


def _feed_all(predictor: Any, names: Sequence[str], inputs: Inputs) -> None:
    for name, array in zip(names, one_for_each(inputs, len(names)), strict=True):
        _feed(predictor.get_input_handle(name), array)


def _feed(handle: Any, array: Array) -> None:
    handle.reshape(list(array.shape))
    handle.copy_from_cpu(np.ascontiguousarray(array))


def _reason(error: BaseException) -> str:
    """The line of Paddle's report that says what is wrong; it comes after two stack traces."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    named = [line for line in lines if _ERROR_LINE.match(line)]
    return (named or lines or [type(error).__name__])[-1][:300]
