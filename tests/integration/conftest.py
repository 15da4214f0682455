"""One engine with the embedded models for all integration tests that can share it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pipeline.api import Inklane


@pytest.fixture(scope="session")
def inklane() -> Iterator[Inklane]:
    """In this process, in float32, with the models that come with rapidocr."""
    for package in ("openvino", "rapidocr"):
        pytest.importorskip(package, reason=f"needs {package} with its models")
    from pipeline.api import Inklane

    with Inklane(in_process=True, backend="openvino", precision="f32", cores=2, allow_download=False) as made:
        yield made
