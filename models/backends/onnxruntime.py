"""ONNX Runtime: one session that all lanes share. It releases Python's lock and may be run by several threads."""

from __future__ import annotations

from typing import Any

from models.backends.base import Array, Inputs, LoadedModel, LoadOptions, ModelFiles, Predictor, in_order, one_for_each
from models.backends.onnx_graph import edited
from models.extras import how_to_install
from schemas.errors import BackendUnavailable, ModelError, OutOfDeviceMemory, SettingsError

_OUT_OF_MEMORY = ("Failed to allocate memory", "bad_alloc", "bad allocation")


class OnnxRuntimeBackend:
    """Runs ONNX models on the CPU, in float32."""

    name = "onnxruntime"

    def load(self, files: ModelFiles, options: LoadOptions) -> LoadedModel:
        """Load a model; bytes in and the CTC reduction are edited into its graph.

        Hot shapes and the bound on shapes are ignored: a session prepares nothing per shape. A k larger than the
        number of classes is cut down to it.

        Raises:
            BackendUnavailable: onnxruntime, or onnx for the edit, is not installed.
            ModelError: the file is not a readable ONNX model, or its graph is of another kind.
            SettingsError: a precision other than float32.
        """
        runtime = _runtime()
        if files.format != "onnx":
            raise ModelError(f"{files.name}: the onnxruntime backend reads ONNX files, not {files.format}")
        if options.precision not in ("auto", "f32"):
            raise SettingsError(
                f"precision: the onnxruntime backend computes in f32 on a CPU, not in {options.precision}; "
                "use f32 or auto, or the openvino backend"
            )
        if not files.model.is_file():
            raise ModelError(f"{files.name}: {files.model} is missing")
        needs_edit = options.input is not None or options.ctc is not None
        model = edited(files.model, options.input, options.ctc) if needs_edit else str(files.model)
        # A session of n threads adds n - 1 of its own to each caller's: so lanes times threads in all.
        sessions = [_session(runtime, files, model, 1 + max(1, options.instances) * (max(1, options.threads) - 1))]
        if options.boost_threads > options.threads:
            sessions.append(_session(runtime, files, model, options.boost_threads))
        return OnnxRuntimeModel(files.name, sessions, options)


class OnnxRuntimeModel:
    """A session (and one with more threads, for runs that may use more cores) and its lanes' predictors."""

    precision = "f32"

    def __init__(self, name: str, sessions: list[Any], options: LoadOptions) -> None:
        self._name = name
        own = [node.name for node in sessions[0].get_inputs()]
        names = [own[position] for position in in_order(options.inputs, [[name] for name in own], name)]
        self._predictors = [OnnxRuntimePredictor(sessions, names) for _ in range(options.instances)]

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


class OnnxRuntimePredictor:
    """A lane's way to the shared session."""

    def __init__(self, sessions: list[Any], names: list[str]) -> None:
        self._sessions = sessions
        self._inputs = names

    def run(self, inputs: Inputs, *, cores: int = 1) -> list[Array]:
        """See :class:`models.backends.base.Predictor`."""
        session = self._sessions[-1 if cores > 1 else 0]
        feed = dict(zip(self._inputs, one_for_each(inputs, len(self._inputs)), strict=True))
        try:
            outputs: list[Array] = session.run(None, feed)
        except Exception as error:  # ONNX Runtime has a class for each of its status codes, and no common one
            if isinstance(error, MemoryError) or any(sign in str(error) for sign in _OUT_OF_MEMORY):
                raise OutOfDeviceMemory("not enough memory for this batch") from error
            raise
        return outputs


def _runtime() -> Any:
    try:
        import onnxruntime
    except ImportError as error:
        raise BackendUnavailable(
            f"the backend onnxruntime is not installed or does not load ({error}): {how_to_install('onnxruntime')}"
        ) from error
    return onnxruntime


def _session(runtime: Any, files: ModelFiles, model: bytes | str, threads: int) -> Any:
    options = runtime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    # Idle threads that spin would take the cores from other lanes.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    # Plans of memory are kept for every shape ever seen, and allocate the peak of each as one block.
    options.enable_mem_pattern = False
    try:
        return runtime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    except Exception as error:  # likewise
        reason = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
        raise ModelError(f"{files.name}: onnxruntime cannot load {files.model}: {reason}") from error
