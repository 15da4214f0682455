"""The decode stage: one page of an open document becomes pixels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from stages.decode.opened import OpenDocument
from stages.page_image import PageImage
from stages.stage import LaneContext, Stage


@dataclass(slots=True)
class DecodeItem:
    """Page ``number`` (from 1) of ``document``."""

    document: OpenDocument
    number: int


class DecodeStage(Stage[DecodeItem, PageImage]):
    """Decodes pages. It has no network; a page that cannot be had raises its ``DocumentError``."""

    name = "decode"

    def split(self, outputs: Any, items: Sequence[DecodeItem], lane: LaneContext) -> list[PageImage]:
        """Decode each item."""
        return [item.document.decode(item.number) for item in items]
