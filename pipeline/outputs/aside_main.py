"""The process of :mod:`pipeline.outputs.aside`: one order, one answer."""

from __future__ import annotations

import os
import pickle
import resource
import sys
from collections.abc import Callable, Sequence
from typing import Any

import orjson

from schemas.errors import InklaneError, StageFailed

_CPU_S = 120
"""Seconds of computing, after which the kernel ends the process, should nobody else."""


def main() -> None:
    """Do what is ordered."""
    resource.setrlimit(resource.RLIMIT_CPU, (_CPU_S, _CPU_S))
    answer = os.dup(1)
    os.dup2(2, 1)  # what native libraries print must not end up in the answer
    function, arguments, named = pickle.loads(sys.stdin.buffer.read())  # our own parent's
    try:
        results = _FUNCTIONS[function](*arguments, **named)
        head = {"sizes": [len(result) for result in results]}
    except Exception as error:
        told = error if isinstance(error, InklaneError) else StageFailed(f"unexpected {type(error).__name__}: {error}")
        head, results = {"code": told.code, "message": told.message}, []  # type: ignore[dict-item]
    with os.fdopen(answer, "wb") as out:
        out.write(orjson.dumps(head) + b"\n")
        out.writelines(results)


def _render(*arguments: Any, **named: Any) -> Sequence[bytes]:
    from pipeline.outputs import render

    return [render(*arguments, **named)[0]]


def _page_pictures(*arguments: Any, **named: Any) -> Sequence[bytes]:
    from pipeline.outputs.drawings import page_pictures

    return [picture for pair in page_pictures(*arguments, **named) for picture in pair]


_FUNCTIONS: dict[str, Callable[..., Sequence[bytes]]] = {"render": _render, "page_pictures": _page_pictures}
