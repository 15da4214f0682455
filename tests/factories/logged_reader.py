"""A reader for a worker process that says too much; its worker writes as a service's does."""

from __future__ import annotations

import logging
import sys
import traceback
from concurrent.futures import Future

from pipeline.worker_log import configure_worker
from schemas.document import Document
from schemas.requests import ReadRequest


class TalkativeReader:
    """Logs and prints the name of each document, in every way there is."""

    def submit(self, request: ReadRequest) -> Future[Document]:
        """The document, at once."""
        logging.getLogger("pipeline.engine").error("document %s failed", request.name)
        print(request.name, file=sys.stderr)
        try:
            raise ValueError(request.name)
        except ValueError:
            traceback.print_exc()
            logging.getLogger("stages.lane").exception("stage %s failed", "recognition")
        future: Future[Document] = Future()
        future.set_result(Document(request.name))
        return future

    def close(self) -> None:
        """Nothing to do."""


def build(settings: object) -> TalkativeReader:
    """Built in the worker process."""
    configure_worker()
    return TalkativeReader()
