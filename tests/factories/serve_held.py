"""A server in a process of its own, whose reader has no models: a document called ``hang`` is never read.

``python tests/factories/serve_held.py DATA_DIR SHUTDOWN_S START``; START is ok, fails or hangs.
"""

from __future__ import annotations

import sys
import threading
from concurrent.futures import Future
from pathlib import Path

from pipeline.cli.serve import announce
from pipeline.server.run import OpenedReader, serve
from schemas.document import Document
from schemas.errors import InklaneError, ModelError
from schemas.progress import OnProgress
from schemas.requests import ReadRequest
from schemas.settings import load_settings


def _answer(future: Future[Document]) -> None:
    sys.stdin.read(1)
    future.set_result(Document("waited"))


class Reader:
    """Documents whose content begins with "hang" wait for ever, those that begin with "wait" for SIGTERM."""

    def __init__(self) -> None:
        self.closed: float | None = None

    def submit(self, request: ReadRequest, *, on_progress: OnProgress | None = None) -> Future[Document]:
        future: Future[Document] = Future()
        content = request.source.read_bytes() if isinstance(request.source, Path) else request.source
        if content.startswith(b"wait"):
            print("waiting", flush=True)
            threading.Thread(target=_answer, args=(future,)).start()
        elif content.startswith(b"hang"):
            print("hanging", flush=True)
        else:
            future.set_result(Document(request.name))
        return future

    def close(self) -> None:
        print("closed", flush=True)


def main(data: str, shutdown_s: str, start: str) -> None:
    def open_reader() -> OpenedReader:
        if start == "fails":
            raise ModelError("there is no model")
        if start == "hangs":
            print("opening", flush=True)
            threading.Event().wait()
        reader = Reader()
        return OpenedReader(reader, lambda timeout: reader.close())

    settings = load_settings(server={"data_dir": data, "port": 0, "shutdown_s": float(shutdown_s), "playground": False})
    try:
        serve(settings, open_reader, announce)
    except InklaneError as error:
        print(error.message, file=sys.stderr)
        sys.exit(1)


if __name__ == "__main__":
    main(*sys.argv[1:])
