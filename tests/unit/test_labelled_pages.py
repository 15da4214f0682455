"""Labelled pages from files: receipts, forms, the generator's own, PPOCRLabel's."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from models.layout_ner.datasets import load_examples
from models.layout_ner.example import Entity, Example, Span, TextLine
from models.layout_ner.label_records import record_of
from models.layout_ner.read_page import ReadPage, load_read_pages, to_json
from schemas.errors import DatasetError
from schemas.truth import load_truth


def quad(x: float, y: float, width: float = 100) -> list[list[float]]:
    return [[x, y], [x + width, y], [x + width, y + 20], [x, y + 20]]


def labelled(text: str, y: float, **rest: Any) -> dict[str, Any]:
    return {"text": text, "polygon": quad(0, y, 10 * len(text)), **rest}


def record(**values: Any) -> dict[str, Any]:
    return {"image": "a.png", "width": 400, "height": 200, "doc_type": "receipt", "lines": [], **values}


Write = Callable[..., Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def write(*records: dict[str, Any]) -> Path:
        (tmp_path / "labels.jsonl").write_text("\n".join(map(json.dumps, records)) + "\n", encoding="utf-8")
        return tmp_path

    return write


RECEIPT = record(
    lines=[labelled("OLD SHOP", 0), labelled("TOTAL 12.00", 30), labelled("CASH 12.00", 60), labelled(" ", 90)],
    fields={"company": "OLD SHOP", "total": {"content": "12.00", "value": "12.0"}, "address": "", "date": "1/2/2020"},
)


class TestFields:
    def test_found_on_the_labelled_lines(self, write: Write) -> None:
        (page,) = load_examples(write(RECEIPT))
        assert (page.name, page.doc_type, page.width, page.height) == ("a.png", "receipt", 400, 200)
        assert [line.text for line in page.lines] == ["OLD SHOP", "TOTAL 12.00", "CASH 12.00"]
        assert page.entities == [
            Entity("company", (Span(0, 0, 8),)),
            Entity("total", (Span(1, 6, 11),), value="12.0"),
        ]
        assert page.values == {"company": ["OLD SHOP"], "total": ["12.00"], "date": ["1/2/2020"]}

    def test_what_the_labels_do_not_say_or_is_not_found_is_unknown(self, write: Write) -> None:
        (page,) = load_examples(write(RECEIPT | {"unknown": ["company"]}))
        assert page.unknown == {"company", "address", "date", "tax", "currency", "receipt_number"}

    def test_rows_of_a_group(self, write: Write) -> None:
        names = ("RED INK", "PEN", "PEN")
        items = [{"amount": "5.00", "name": name} for name in names]
        texts = [("PEN", 0), ("5.00", 3), ("PEN", 30), ("5.00", 33), ("RED INK", 60), ("5.00", 63)]
        lines = [labelled(text, y) for text, y in texts]
        (page,) = load_examples(write(record(doc_type="vat_invoice", lines=lines, fields={"items": items})))
        found = {(e.name, e.group): [span.line for span in e.spans] for e in page.entities}
        assert found == {
            ("items.name", 0): [4],
            ("items.amount", 0): [5],
            ("items.name", 1): [0],
            ("items.amount", 1): [1],
            ("items.name", 2): [2],
            ("items.amount", 2): [3],
        }
        assert page.values == {"items.name": list(names), "items.amount": ["5.00"] * 3}
        assert "seller_name" in page.unknown
        assert "items.name" not in page.unknown

    def test_a_region_tells_which(self, write: Write) -> None:
        value = {"content": "5.00", "regions": [{"page": 1, "polygon": quad(0, 30, 40)}]}
        lines = [labelled("5.00", 0), labelled("5.00", 30)]
        (page,) = load_examples(write(record(lines=lines, fields={"tax": value})))
        assert page.entities == [Entity("tax", (Span(1, 0, 4),))]

    def test_reading_order(self, write: Write) -> None:
        lines = [labelled("ELM STREET 5", 30), labelled("OXFORD", 60), labelled("OLD SHOP", 0)]
        folder = write(record(lines=lines, fields={"company": "OLD SHOP", "address": "ELM STREET 5, OXFORD"}))
        (page,) = load_examples(folder, order=lambda quads, size: [2, 0, 1])
        assert [line.text for line in page.lines] == ["OLD SHOP", "ELM STREET 5", "OXFORD"]
        assert [e.spans[0].line for e in page.entities] == [0, 1]

    def test_without_a_type(self, write: Write) -> None:
        folder = write(record(doc_type=None, lines=[labelled("A", 0)]))
        with pytest.raises(DatasetError, match=r"labels\.jsonl, line 1: doc_type is missing"):
            load_examples(folder)
        assert load_examples(folder, doc_type="receipt")[0].doc_type == "receipt"
        assert load_examples(folder, doc_type="other")[0].doc_type is None


class TestReadLines:
    @pytest.fixture
    def cache(self, tmp_path: Path) -> Path:
        return tmp_path / "read.jsonl"

    def save(self, cache: Path, name: str, width: int, height: int, *lines: tuple[str, list[list[float]]]) -> None:
        texts = [TextLine(text, tuple(map(tuple, polygon))) for text, polygon in lines]  # type: ignore[arg-type]
        page = ReadPage(name, "k", width, height, 0, texts, [0.9] * len(texts))
        with cache.open("ab") as file:
            file.write(to_json(page))

    def test_fields_on_read_lines_in_the_frame_of_the_labels(self, write: Write, cache: Path) -> None:
        self.save(cache, "a.png", 800, 400, ("0LD SHOP", quad(0, 0, 160)), ("TOTAL 12.00", quad(0, 60, 220)))
        (page,) = load_examples(write(RECEIPT), cache)
        assert [(e.name, page.text_of(e)) for e in page.entities] == [("company", "0LD SHOP"), ("total", "12.00")]
        assert page.lines[1].polygon == ((0, 30), (110, 30), (110, 40), (0, 40))

    def test_labelled_characters_on_read_lines(self, write: Write, cache: Path) -> None:
        entities = [{"name": "total", "spans": [[1, 6, 11]], "value": "12.00"}]
        self.save(cache, "a.png", 400, 200, ("TOTAL", quad(0, 30, 50)), ("12.O0", quad(60, 30, 50)))
        (page,) = load_examples(write(RECEIPT | {"entities": entities, "fields": {}}), cache)
        assert page.entities == [Entity("total", (Span(1, 0, 5),), value="12.00")]
        assert page.values == {"total": ["12.00"]}

    def test_a_page_that_was_not_read(self, write: Write, cache: Path) -> None:
        self.save(cache, "b.png", 400, 200)
        with pytest.raises(DatasetError, match=r"line 1: a\.png is not in .*read\.jsonl"):
            load_examples(write(RECEIPT), cache)

    def test_labels_in_another_frame(self, write: Write, cache: Path) -> None:
        self.save(cache, "a.png", 200, 400)
        with pytest.raises(DatasetError, match="labelled as 400 x 200 pixels, but the image has 200 x 400"):
            load_examples(write(RECEIPT), cache)

    def test_records_survive(self, cache: Path) -> None:
        self.save(cache, "b.png", 9, 8, ("€ 男\u2028", quad(1.25, 2)))
        (page,) = load_read_pages(cache).values()
        assert page.lines == [TextLine("€ 男\u2028", ((1.25, 2), (101.25, 2), (101.25, 22), (1.25, 22)))]
        assert (page.name, page.key, page.width, page.height, page.confidences) == ("b.png", "k", 9, 8, [0.9])

    def test_a_damaged_record(self, cache: Path) -> None:
        self.save(cache, "b.png", 9, 8)
        with cache.open("ab") as file:
            file.write(b'{"name": "c.png", "wid')
        assert list(load_read_pages(cache, broken_end=True)) == ["b.png"]
        with pytest.raises(DatasetError, match=r"read\.jsonl, line 2"):
            load_read_pages(cache)


class TestForms:
    LINES = (
        labelled("APPLICATION", 0, label="header", id=1),
        labelled("Name:", 30, label="question", id=2, linking=[[2, 3], [1, 2]]),
        labelled("Ann Lee", 30, label="answer", id=3, linking=[[2, 3]]),
        labelled("page 1", 60, label="other", id=4),
        labelled("", 90, label="answer", id=5, linking=[[2, 5]]),
        labelled("Date", 120, label="question", id=6, linking=[[7, 6]]),
        labelled("May", 120, label="answer", id=7),
    )

    def test_entities_and_links(self, write: Write) -> None:
        (page,) = load_examples(write(record(doc_type=None, lines=list(self.LINES))))
        assert page.doc_type == "form"
        assert [(e.name, page.text_of(e)) for e in page.entities] == [
            ("header", "APPLICATION"),
            ("question", "Name:"),
            ("answer", "Ann Lee"),
            ("question", "Date"),
            ("answer", "May"),
        ]
        assert page.links == [(1, 2), (3, 4)]
        assert page.unknown == frozenset()

    def test_a_block_of_several_rows(self, write: Write) -> None:
        words = [
            {"text": "5 Elm", "polygon": quad(0, 0, 50)},
            {"text": "St", "polygon": quad(60, 2, 20)},
            {"text": "Oxford", "polygon": quad(0, 21, 60)},
        ]
        block = labelled("5 Elm St Oxford", 0, label="answer", id=1, words=words)
        (page,) = load_examples(write(record(doc_type=None, lines=[block])))
        assert [line.text for line in page.lines] == ["5 Elm St", "Oxford"]
        assert list(page.lines[0].polygon) == [(0, 0), (80, 0), (80, 22), (0, 22)]
        assert page.entities == [Entity("answer", (Span(0, 0, 8), Span(1, 0, 6)))]

    def test_real_forms(self, shared_data: Path) -> None:
        for folder, answers in (("funsd_dev", 614), ("xfund_zh_dev", 852)):
            pages = load_examples(shared_data / folder)
            entities = [entity for page in pages for entity in page.entities]
            assert sum(entity.name == "answer" for entity in entities) == answers
            assert all(
                (page.entities[a].name, page.entities[b].name) == ("question", "answer")
                for page in pages
                for a, b in page.links
            )


class TestGenerated:
    PAGE = Example(
        "x",
        "vat_invoice",
        400,
        200,
        [TextLine("Total: 5.00", tuple(map(tuple, quad(0, 0)))), TextLine("PEN 5.00", tuple(map(tuple, quad(0, 40))))],  # type: ignore[arg-type]
        [
            Entity("total", (Span(0, 7, 11),), value="5.00"),
            Entity("items.name", (Span(1, 0, 3),), 0),
            Entity("items.amount", (Span(1, 4, 8),), 0, "5.00"),
        ],
        frozenset({"tax"}),
        values={"total": ["5.00"], "items.name": ["PEN"], "items.amount": ["5.00"]},
    )

    def test_there_and_back(self, write: Write) -> None:
        (page,) = load_examples(write(record_of(self.PAGE, "x")))
        assert page == self.PAGE

    def test_the_record_is_ground_truth_too(self, write: Write) -> None:
        folder = write(record_of(self.PAGE, "x.png"))
        Image.new("RGB", (400, 200)).save(folder / "x.png")
        (document,) = load_truth(folder)
        assert document.fields == {
            "total": {"content": "5.00", "value": "5.00"},
            "items": [{"name": {"content": "PEN"}, "amount": {"content": "5.00", "value": "5.00"}}],
        }

    def test_a_page_of_no_known_type(self, write: Write) -> None:
        page = Example("x", None, 40, 20, [TextLine("A", tuple(map(tuple, quad(0, 0))))])  # type: ignore[arg-type]
        assert load_examples(write(record_of(page, "x"))) == [page]

    def test_links(self, write: Write) -> None:
        lines = [labelled("Name", 0), labelled("Ann", 30)]
        entities = [{"name": "question", "spans": [[0, 0, 4]]}, {"name": "answer", "spans": [[1, 0, 3]]}]
        folder = write(record(doc_type="form", lines=lines, entities=entities, links=[[0, 1]]))
        (page,) = load_examples(folder)
        assert page.links == [(0, 1)]
        assert record_of(page, "a.png")["links"] == [[0, 1]]


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"entities": [{"name": "total", "spans": [[1, 0, 1]]}]}, "entities.0: there are no characters 0 to 1"),
        ({"entities": [{"name": "total", "spans": [[0, 2, 5]]}]}, "entities.0: there are no characters 2 to 5"),
        ({"entities": [{"name": "total", "spans": [[0, 1, 1]]}]}, "entities.0: there are no characters 1 to 1"),
        ({"entities": [], "links": [[0, 1]]}, "links: an entity that is not there"),
        ({"entities": [{"name": "tipp", "spans": [[0, 0, 1]]}]}, "a receipt has no field 'tipp'; it has address"),
        ({"doc_type": "recipe"}, "there is no document type 'recipe'; known are .*receipt"),
        ({"fields": {"total": 5}}, "fields: .*total"),
        ({"width": 0}, "width"),
    ],
)
def test_labels_that_do_not_fit(write: Write, values: dict[str, Any], message: str) -> None:
    folder = write(
        RECEIPT, record(lines=[labelled("ABCD", 0)], **values) if "width" not in values else record(**values)
    )
    with pytest.raises(DatasetError, match=rf"labels\.jsonl, line 2: .*{message}"):
        load_examples(folder)


def test_no_labels(tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match=r"neither labels\.jsonl nor Label\.txt"):
        load_examples(tmp_path)
    (tmp_path / "labels.jsonl").write_bytes(b"\n")
    with pytest.raises(DatasetError, match="empty"):
        load_examples(tmp_path)
    (tmp_path / "labels.jsonl").write_bytes(b'{"image": "\xff"}')
    with pytest.raises(DatasetError, match="not UTF-8"):
        load_examples(tmp_path)


class TestPpocrLabel:
    @pytest.fixture
    def folder(self, tmp_path: Path) -> Path:
        folder = tmp_path / "train"
        folder.mkdir()
        Image.new("RGB", (40, 30)).save(folder / "a.png")
        return folder

    def write(self, folder: Path, *boxes: dict[str, Any], name: str = "train/a.png") -> None:
        whole = [{"points": quad(0, 30 * number), "difficult": False, **box} for number, box in enumerate(boxes)]
        (folder / "Label.txt").write_text(f"{name}\t{json.dumps(whole, ensure_ascii=False)}\n", encoding="utf-8")

    def test_fields_over_lines(self, folder: Path) -> None:
        self.write(
            folder,
            {"transcription": "老王餐饮", "key_cls": "company"},
            {"transcription": "漕溪北路", "key_cls": "Address"},
            {"transcription": "###", "key_cls": "date"},
            {"transcription": "88号", "key_cls": "address"},
            {"transcription": "谢谢", "key_cls": "None"},
        )
        (page,) = load_examples(folder, doc_type="receipt")
        assert (page.name, page.width, page.height) == ("train/a.png", 40, 30)
        assert page.entities == [
            Entity("company", (Span(0, 0, 4),)),
            Entity("address", (Span(1, 0, 4), Span(2, 0, 3))),
        ]
        assert page.values == {"company": ["老王餐饮"], "address": ["漕溪北路 88号"]}

    def test_a_form(self, folder: Path) -> None:
        self.write(
            folder,
            {"transcription": "Name", "label": "question", "id": 1, "linking": [[1, 2]]},
            {"transcription": "Ann", "label": "answer", "id": 2, "linking": [[1, 2]]},
            {"transcription": "Lee", "label": "answer", "id": 3, "points": [[0, 0], [5, 1], [9, 0], [9, 9], [0, 9]]},
            name="a.png",
        )
        (page,) = load_examples(folder)
        assert page.doc_type == "form"
        assert [(e.name, page.text_of(e)) for e in page.entities] == [
            ("question", "Name"),
            ("answer", "Ann"),
            ("answer", "Lee"),
        ]
        assert page.links == [(0, 1)]
        assert page.lines[2].polygon == ((0, 0), (9, 0), (9, 9), (0, 9))

    def test_fields_need_a_type(self, folder: Path) -> None:
        self.write(folder, {"transcription": "A", "key_cls": "company"})
        with pytest.raises(DatasetError, match=r"Label\.txt, line 1: 'company' is a field; say which document type"):
            load_examples(folder)

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("a.png []", "a tab"),
            ("b.png\t[]", r"the image b\.png is not in"),
            ("../../a.png\t[]", "is not in"),
            ('a.png\t[{"transcription": "A"}]', r"0\.points"),
            ('a.png\t[{"transcription": "A", "points": [[0, 0]]}]', r"0\.points"),
            ("a.png\t{", "Invalid JSON"),
            ("Label.txt\t[]", "cannot be opened"),
        ],
    )
    def test_a_row_that_does_not_fit(self, folder: Path, text: str, message: str) -> None:
        (folder / "Label.txt").write_text(f"a.png\t[]\n{text}\n")
        with pytest.raises(DatasetError, match=rf"Label\.txt, line 2: .*{message}"):
            load_examples(folder)
