"""``/ocr`` and ``/layout-parsing``, asked as PaddleX's clients ask."""

from __future__ import annotations

import asyncio
import base64
import io
from collections.abc import AsyncIterator
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pytest
from aiohttp.test_utils import TestClient, TestServer
from PIL import Image

from pipeline.server import paddlex
from pipeline.server.app import make_app
from schemas.document import Document, Notice, Page
from schemas.errors import DamagedFile, InklaneError, QueueFull
from schemas.progress import OnProgress
from schemas.requests import ReadRequest
from schemas.settings import load_settings
from tests.factories.images import encode, page_image
from tests.factories.pdfs import PdfPage, pdf
from tests.factories.read_pages import document, line, page, receipt, word

JPEG = encode(page_image("L"), "JPEG")
Client = TestClient[Any, Any]


class Script:
    """A reader that gives what the test says, and remembers what it was asked."""

    def __init__(self) -> None:
        unsure = line("smudge", 60, 90, 60, confidence=0.4)
        self.result: Document | InklaneError = document(
            page(line("Total", 15.4, 35, 130, 45), unsure, width=240, height=160)
        )
        self.requests: list[ReadRequest] = []
        self.contents: list[bytes] = []

    def submit(self, request: ReadRequest, *, on_progress: OnProgress | None = None) -> Future[Document]:
        self.requests.append(request)
        self.contents.append(request.source if isinstance(request.source, bytes) else request.source.read_bytes())
        future: Future[Document] = Future()
        if isinstance(self.result, InklaneError):
            future.set_exception(self.result)
        else:
            future.set_result(self.result)
        return future

    def close(self) -> None:
        return


@pytest.fixture
def reader() -> Script:
    return Script()


@pytest.fixture
async def client(tmp_path: Path, reader: Script) -> AsyncIterator[Client]:
    app = make_app(load_settings(server={"data_dir": tmp_path}), reader)
    async with TestClient(TestServer(app)) as client:
        yield client


def in_base64(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")


async def ask(client: Client, path: str = "/ocr", **payload: Any) -> tuple[int, dict[str, Any], Any]:
    """The file without pictures, unless the test wants others."""
    body = {"file": in_base64(JPEG), "visualize": False, **payload}
    async with client.post(path, json=body) as response:
        return response.status, await response.json(), response.headers


async def test_the_client_of_its_documentation(client: Client, tmp_path: Path) -> None:
    """Step by step what PaddleX's own example does: it saves ``ocrImage`` without asking for it."""
    payload = {"file": in_base64(JPEG), "fileType": 1}
    async with client.post("/ocr", json=payload) as response:
        assert response.status == 200
        answer = await response.json()
    result = answer["result"]
    for i, res in enumerate(result["ocrResults"]):
        assert res["prunedResult"]["rec_texts"] == ["Total", "smudge"]
        (tmp_path / f"ocr_{i}.jpg").write_bytes(base64.b64decode(res["ocrImage"]))
        assert Image.open(tmp_path / f"ocr_{i}.jpg").size == (480, 160)
        assert Image.open(io.BytesIO(base64.b64decode(res["inputImage"]))).size == (240, 160)
    assert (answer["errorCode"], answer["errorMsg"]) == (0, "Success")


async def test_the_whole_answer(client: Client, reader: Script) -> None:
    status, answer, headers = await ask(client, fileType=1, logId="mine-1")
    assert status == 200
    assert reader.contents == [JPEG]
    assert reader.requests[0].options.doc_type == "none"
    assert "X-Ignored-Params" not in headers
    assert answer == {
        "logId": "mine-1",
        "errorCode": 0,
        "errorMsg": "Success",
        "result": {
            "ocrResults": [
                {
                    "prunedResult": {
                        "model_settings": {"use_doc_preprocessor": True, "use_textline_orientation": True},
                        "doc_preprocessor_res": {
                            "model_settings": {"use_doc_orientation_classify": True, "use_doc_unwarping": False},
                            "angle": 0,
                        },
                        "dt_polys": [
                            [[15, 35], [145, 35], [145, 80], [15, 80]],
                            [[60, 90], [120, 90], [120, 120], [60, 120]],
                        ],
                        "text_type": "general",
                        "textline_orientation_angles": [0, 0],
                        "text_rec_score_thresh": 0.0,
                        "return_word_box": False,
                        "rec_texts": ["Total", "smudge"],
                        "rec_scores": [0.97, 0.4],
                        "rec_polys": [
                            [[15, 35], [145, 35], [145, 80], [15, 80]],
                            [[60, 90], [120, 90], [120, 120], [60, 120]],
                        ],
                        "rec_boxes": [[15, 35, 145, 80], [60, 90, 120, 120]],
                    }
                }
            ],
            "dataInfo": {"width": 240, "height": 160, "type": "image"},
        },
    }


async def test_unsure_lines_are_left_out_on_request(client: Client) -> None:
    _, answer, _ = await ask(client, textRecScoreThresh=0.5)
    pruned = answer["result"]["ocrResults"][0]["prunedResult"]
    assert pruned["rec_texts"] == ["Total"]
    assert len(pruned["rec_boxes"]) == len(pruned["rec_polys"]) == len(pruned["rec_scores"]) == 1
    assert len(pruned["dt_polys"]) == 2


async def test_words_on_request_chinese_by_the_character(client: Client, reader: Script) -> None:
    read = line("合计 A12", 100, 0, 600, 40)
    read.words = [word("合计", 100, 0, 200, 40), word("A12", 400, 0, 300, 40)]
    reader.result = document(page(read))
    _, answer, _ = await ask(client, returnWordBox=True)
    assert reader.requests[0].options.words
    pruned = answer["result"]["ocrResults"][0]["prunedResult"]
    assert pruned["text_word"] == [["合", "计", "A12"]]
    assert pruned["text_word_boxes"] == [[[100, 0, 200, 40], [200, 0, 300, 40], [400, 0, 700, 40]]]
    assert pruned["text_word_region"][0][1] == [[200, 0], [300, 0], [300, 40], [200, 40]]


async def test_a_pdf(client: Client, reader: Script) -> None:
    broken = Page(2, 0, 0, error=Notice("damaged_file", "it ends early", 2))
    reader.result = document(page(line("a", 0, 0, 20), width=100, height=200, angle=90), broken)
    _, answer, _ = await ask(client, file=in_base64(pdf([PdfPage(), PdfPage()])), fileType=0)
    assert answer["result"]["dataInfo"] == {
        "numPages": 2,
        "pages": [{"width": 200, "height": 100}, {"width": 0, "height": 0}],
        "type": "pdf",
    }
    first, second = (entry["prunedResult"] for entry in answer["result"]["ocrResults"])
    assert first["doc_preprocessor_res"]["angle"] == 270  # PaddleX counts the other way round
    assert second["rec_texts"] == []
    assert second["error"]["code"] == "damaged_file"


@pytest.mark.parametrize("file_type", [0, 1, None])
async def test_the_content_says_what_a_file_is(client: Client, file_type: int | None) -> None:
    status, answer, _ = await ask(client, fileType=file_type)
    assert status == 200
    assert answer["result"]["dataInfo"]["type"] == "image"


async def test_what_has_no_meaning_here_is_told(client: Client) -> None:
    odd: dict[str, Any] = {"odd\r\nname": 1, "other": {}}
    status, _, headers = await ask(
        client, useDocOrientationClassify=True, useTextlineOrientation=False, useDocUnwarping=True,
        textDetLimitSideLen=960, textDetThresh=None, **odd,
    )  # fmt: skip
    assert status == 200
    assert headers["X-Ignored-Params"] == "useTextlineOrientation, useDocUnwarping, textDetLimitSideLen, other"


async def test_layout_parsing(client: Client, reader: Script) -> None:
    reader.result = document(receipt())
    _, answer, _ = await ask(client, "/layout-parsing", useTableRecognition=True)
    (entry,) = answer["result"]["layoutParsingResults"]
    blocks = entry["prunedResult"]["parsing_res_list"]
    assert [block["block_label"] for block in blocks] == ["text", "table", "text"]
    assert blocks[0] == {
        "block_label": "text", "block_content": "Harbour Bean Coffee", "block_bbox": [300, 40, 700, 80],
        "block_id": 0, "block_order": 1,
    }  # fmt: skip
    assert "<tr><td>Bagel</td><td></td><td>14.07</td></tr>" in blocks[1]["block_content"]
    assert entry["prunedResult"]["overall_ocr_res"]["rec_texts"][0] == "Harbour Bean Coffee"
    assert "| Flat white | 2 | 7.00 |" in entry["markdown"]["text"]
    assert (entry["markdown"]["images"], entry["markdown"]["isStart"], entry["markdown"]["isEnd"]) == ({}, True, True)


async def test_layout_parsing_with_pictures(client: Client) -> None:
    _, answer, _ = await ask(client, "/layout-parsing", visualize=True)
    (entry,) = answer["result"]["layoutParsingResults"]
    picture = Image.open(io.BytesIO(base64.b64decode(entry["outputImages"]["ocr_res_img"])))
    assert picture.format == "JPEG"
    assert entry["inputImage"]


@pytest.mark.parametrize(
    ("payload", "message"),
    [
        ({"file": "https://example.com/a.jpg"}, "URLs are not fetched; send the file itself"),
        ({"file": "HTTP://example.com/a.jpg?" + "x" * 100}, "URLs are not fetched"),
        ({"file": "file:///etc/passwd"}, "URLs are not fetched"),
        ({"file": None}, '"file" must be the base64'),
        ({"file": 7}, '"file" must be the base64'),
        ({"file": ""}, '"file" must be the base64'),
        ({"file": "%%%"}, "not base64"),
        ({"fileType": 2}, '"fileType" must be 0'),
        ({"fileType": True}, '"fileType" must be 0'),
        ({"visualize": "yes"}, '"visualize" must be true'),
        ({"returnWordBox": 1}, '"returnWordBox" must be true'),
        ({"textRecScoreThresh": "high"}, '"textRecScoreThresh" must be a number'),
        ({"textRecScoreThresh": False}, '"textRecScoreThresh" must be a number'),
    ],
)
async def test_what_is_wrong_with_a_request(
    client: Client, reader: Script, payload: dict[str, Any], message: str
) -> None:
    status, answer, _ = await ask(client, **payload)
    assert status == 422
    assert answer.keys() == {"logId", "errorCode", "errorMsg"}
    assert answer["errorCode"] == 422
    assert message in answer["errorMsg"]
    assert answer["logId"]
    assert not reader.requests


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b'"a"', b"null"])
async def test_a_body_that_is_no_object(client: Client, body: bytes) -> None:
    async with client.post("/ocr", data=body, headers={"Content-Type": "application/json"}) as response:
        assert response.status == 422
        assert (await response.json())["errorCode"] == 422


async def test_faults_of_the_file_and_of_ours(client: Client, reader: Script) -> None:
    reader.result = DamagedFile("the file ends early")
    status, answer, _ = await ask(client)
    assert (status, answer["errorCode"]) == (422, 422)
    assert answer["errorMsg"] == "the file ends early [damaged_file]"
    reader.result = InklaneError("unexpected")
    status, answer, _ = await ask(client)
    assert (status, answer["errorCode"]) == (500, 500)


async def test_come_back_later(client: Client, reader: Script, monkeypatch: pytest.MonkeyPatch) -> None:
    reader.result = QueueFull("no room")
    status, answer, headers = await ask(client)
    assert (status, answer["errorCode"]) == (429, 429)
    assert int(headers["Retry-After"]) >= 1
    reader.requests.clear()

    def full() -> None:
        raise QueueFull("too many pictures")

    assert client.app is not None
    monkeypatch.setattr(client.app[paddlex.ASIDE], "check", full)
    status, _, _ = await ask(client, visualize=True)
    assert status == 429
    assert not reader.requests  # nothing is read in vain


async def test_nothing_is_left_behind(client: Client, tmp_path: Path) -> None:
    big = encode(page_image("RGB", 3000, 2000), "BMP")  # beyond what is kept in memory
    status, _, _ = await ask(client, file=in_base64(big))
    assert status == 200
    assert large_files(tmp_path) == []


def large_files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file() and path.stat().st_size > 1_000_000]


async def test_many_clients_get_their_own(client: Client, reader: Script) -> None:
    answers = await asyncio.gather(*(ask(client, logId=f"id-{number}") for number in range(20)))
    assert [answer["logId"] for _, answer, _ in answers] == [f"id-{number}" for number in range(20)]
