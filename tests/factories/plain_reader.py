"""A reader that only reads."""

from __future__ import annotations

from concurrent.futures import Future

from schemas.document import Document
from schemas.requests import ReadRequest


class PlainReader:
    """Neither commands nor figures nor progress."""

    def __init__(self, settings: object) -> None:
        pass

    def submit(self, request: ReadRequest) -> Future[Document]:
        future: Future[Document] = Future()
        future.set_result(Document(request.name))
        return future

    def close(self) -> None:
        pass
