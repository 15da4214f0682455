"""A server in a process of its own, with a reader without models: ``python -m tests.factories.jobs_server``.

Arguments: the data folder, a file to which the names of files are written that reading has ended for, and ``hold`` or
``read``. With ``hold``, files called ``hold...`` are never read.
"""

from __future__ import annotations

import sys
from concurrent.futures import Future
from pathlib import Path

from pipeline.server.run import OpenedReader, serve
from schemas.document import Document, Page
from schemas.progress import OnProgress
from schemas.requests import ReadRequest
from schemas.settings import Settings


class TokenReader:
    """Each document's type is its file's content, so that whatever is mixed up shows."""

    def __init__(self, told: Path, hold: bool) -> None:
        self._told = told
        self._hold = hold

    def submit(self, request: ReadRequest, *, on_progress: OnProgress | None = None) -> Future[Document]:
        future: Future[Document] = Future()
        if self._hold and request.name.startswith("hold"):
            return future
        content = request.source if isinstance(request.source, bytes) else request.source.read_bytes()
        with self._told.open("a") as file:
            file.write(f"{request.name}\n")
        future.set_result(Document(request.name, doc_type=content.decode(), pages=[Page(1, 10, 10)]))
        return future

    def close(self) -> None:
        pass


def main() -> None:
    data, told, mode = sys.argv[1:]
    settings = Settings(server={"data_dir": data, "port": 0, "shutdown_s": 5})
    reader = TokenReader(Path(told), mode == "hold")
    serve(settings, lambda: OpenedReader(reader, lambda limit: None), lambda url, took: print(url, flush=True))


if __name__ == "__main__":
    main()
