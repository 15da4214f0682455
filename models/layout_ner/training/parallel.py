"""Several processes that share the work of each training step.

Paddle computes these small networks on one core whatever the number of threads it is given. So each process takes a
stream of batches of its own, all compute gradients with the same weights, and the first one adds them up and steps. The
sum is always taken in the same order, so that a run can be repeated.
"""

from __future__ import annotations

import ctypes
import signal
import traceback
from collections.abc import Callable, Iterator
from multiprocessing import get_context
from multiprocessing.shared_memory import SharedMemory
from multiprocessing.synchronize import Barrier
from typing import Any

import numpy as np
import numpy.typing as npt

from models.layout_ner.training.stream import Batch

Flat = npt.NDArray[np.float32]
Gradients = Callable[[Flat, Batch], tuple[Flat, float]]
"""Weights and a batch to gradients and the loss."""

MakeGradients = Callable[[], tuple[Gradients, int]]
"""Builds a network; gives what computes its gradients, and the number of its weights."""

MakeStream = Callable[[int, int], Iterator[Batch]]
"""The batches of process number ``rank`` of ``count``."""

_TIMEOUT_S = 600.0
_PR_SET_PDEATHSIG = 1


class Team:
    """The other processes of a training run; with ``count`` 1 there are none.

    Args:
        count: processes in all, this one included.
        size: how many weights the network has.
        make_gradients: called once in each other process; it must be picklable.
        make_stream: the same.
    """

    def __init__(self, count: int, size: int, make_gradients: MakeGradients, make_stream: MakeStream) -> None:
        if count < 1:
            raise ValueError(f"a training run needs at least one process, not {count}")
        self._count, self._size = count, size
        self._memory = SharedMemory(create=True, size=4 * (size + 1) * count)
        context = get_context("spawn")
        self._barrier: Barrier = context.Barrier(count)
        self._processes = [
            context.Process(
                target=_work,
                args=(self._memory.name, self._barrier, rank, count, size, make_gradients, make_stream),
                daemon=True,
            )
            for rank in range(1, count)
        ]
        for process in self._processes:
            process.start()

    def gradients(self, weights: Flat, own: Callable[[], tuple[Flat, float]]) -> tuple[Flat, float]:
        """Mean gradients and loss over all processes' batches.

        Args:
            weights: (size,), sent to the others.
            own: computes this process's share meanwhile.

        Raises:
            RuntimeError: another process has failed; it has said why.
        """
        rows = _rows(self._memory, self._count, self._size)
        rows[0, :-1] = weights
        self._meet()
        total, loss = own()
        self._meet()
        for row in rows[1:]:
            total = total + row[:-1]
            loss += float(row[-1])
        self._meet()  # the sums are taken: the rows may be written again
        return (total / self._count).astype(np.float32), loss / self._count

    def close(self) -> None:
        """Stop the other processes."""
        self._barrier.abort()
        for process in self._processes:
            process.join(5)
            if process.is_alive():
                process.terminate()
        self._memory.close()
        self._memory.unlink()

    def _meet(self) -> None:
        try:
            self._barrier.wait(_TIMEOUT_S)
        except Exception as error:
            raise RuntimeError("a training process has stopped; see above for its reason") from error


def _rows(memory: SharedMemory, count: int, size: int) -> Any:
    """Row 0 holds the weights, the others a process's gradients each; the last number of a row is the loss."""
    return np.ndarray((count, size + 1), np.float32, memory.buf)


def _end_with_parent() -> None:
    """Ask the kernel to end this process with the one that started it, however that ends (Linux: prctl(2))."""
    try:
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    except (AttributeError, OSError):  # not Linux: it ends when the barrier's time is up
        return


def _work(
    name: str,
    barrier: Barrier,
    rank: int,
    count: int,
    size: int,
    make_gradients: MakeGradients,
    make_stream: MakeStream,
) -> None:
    _end_with_parent()
    memory = SharedMemory(name)
    rows = _rows(memory, count, size)
    try:
        gradients, _ = make_gradients()
        stream = make_stream(rank, count)
        while True:
            batch = next(stream)
            barrier.wait(_TIMEOUT_S)
            own, loss = gradients(rows[0, :-1].copy(), batch)
            rows[rank, :-1], rows[rank, -1] = own, loss
            barrier.wait(_TIMEOUT_S)
            barrier.wait(_TIMEOUT_S)
    except Exception as error:
        if not barrier.broken:  # else the run is over
            traceback.print_exception(error)
            barrier.abort()
