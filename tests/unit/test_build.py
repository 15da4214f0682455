"""What is set for the whole process before models are loaded."""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import pytest

from pipeline import build as module
from pipeline import build_models
from schemas.errors import ModelError
from schemas.settings import load_settings


@pytest.fixture
def opencv() -> Iterator[None]:
    """OpenCV as it is when nobody has set anything, and as it was afterwards."""
    threads, level = cv2.getNumThreads(), cv2.utils.logging.getLogLevel()
    cv2.setNumThreads(2)
    cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_WARNING)
    yield
    cv2.setNumThreads(threads)
    cv2.utils.logging.setLogLevel(level)


@pytest.mark.usefixtures("opencv")
def test_opencv_is_single_threaded_and_quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise ModelError("stop here")

    monkeypatch.setattr(build_models, "resolve", refuse)
    with pytest.raises(ModelError, match="stop here"):
        module.build(load_settings(cores=2))
    assert cv2.getNumThreads() == 1
    assert cv2.utils.logging.getLogLevel() == cv2.utils.logging.LOG_LEVEL_SILENT
