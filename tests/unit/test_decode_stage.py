from __future__ import annotations

import pytest

from schemas.errors import InvalidRequest
from schemas.settings import Limits
from stages.decode.document import open_document
from stages.decode.stage import DecodeItem, DecodeStage
from stages.devices.cpu import CpuDevice
from stages.stage import LaneContext
from tests.factories.images import encode, page_image, tiff_pages


def test_the_stage_decodes_each_item_in_order() -> None:
    stage = DecodeStage()
    device = CpuDevice(1)
    lane = LaneContext(device, device.stream())
    many = open_document(tiff_pages([page_image("L"), page_image("L", 50, 60)]), limits=Limits(), dpi=72)
    one = open_document(encode(page_image("L", 70, 80), "PNG"), limits=Limits(), dpi=72)
    items = [DecodeItem(many, 2), DecodeItem(one, 1), DecodeItem(many, 1)]
    batch = stage.predict(stage.collate([stage.prepare(item, lane) for item in items], lane), lane)
    pages = stage.split(batch, items, lane)
    assert [(page.number, page.width, page.height) for page in pages] == [(2, 50, 60), (1, 70, 80), (1, 240, 160)]
    with pytest.raises(InvalidRequest):
        stage.split(None, [DecodeItem(one, 2)], lane)
