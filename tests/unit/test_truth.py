from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from schemas.errors import DatasetError
from schemas.truth import load_truth

BOX = [[0, 0], [9, 0], [9, 4], [0, 4]]


def record(image: str = "images/a.png", **changes: Any) -> dict[str, Any]:
    return {"image": image, "width": 10, "height": 20, "lines": [{"text": "a", "polygon": BOX}]} | changes


def dataset(folder: Path, *records: dict[str, Any] | str) -> Path:
    (folder / "images").mkdir(exist_ok=True)
    for name in ("a.png", "b.png", "c.tiff"):
        (folder / "images" / name).touch()
    lines = [entry if isinstance(entry, str) else json.dumps(entry) for entry in records]
    (folder / "labels.jsonl").write_text("\n".join(lines), encoding="utf-8")
    return folder


def test_reads_a_folder_or_its_labels(tmp_path: Path) -> None:
    folder = dataset(tmp_path, record(doc_type="receipt", fields={"total": "1.00"}), "", record("images/b.png"))
    documents = load_truth(folder)
    assert [(d.name, d.doc_type, d.fields) for d in documents] == [
        ("images/a.png", "receipt", {"total": "1.00"}),
        ("images/b.png", None, {}),
    ]
    assert documents[0].path == folder / "images" / "a.png"
    page = documents[0].pages[0]
    assert (page.page, page.width, page.height) == (1, 10, 20)
    assert page.lines[0].polygon == ((0.0, 0.0), (9.0, 0.0), (9.0, 4.0), (0.0, 4.0))
    assert load_truth(folder / "labels.jsonl") == documents


def test_pages_of_one_file_are_one_document_in_order(tmp_path: Path) -> None:
    folder = dataset(
        tmp_path,
        record("images/c.tiff", page=3),
        record(),
        record("images/c.tiff", page=1, lines=[]),
        record("images/b.png"),
    )
    documents = load_truth(folder, limit=2)
    assert [d.name for d in documents] == ["images/c.tiff", "images/a.png"]
    assert [(p.page, len(p.lines)) for p in documents[0].pages] == [(1, 0), (3, 1)]


def test_white_space_in_a_text_is_one_space(tmp_path: Path) -> None:
    folder = dataset(tmp_path, record(lines=[{"text": " a\t b\n", "polygon": BOX}]))
    assert load_truth(folder)[0].pages[0].lines[0].text == "a b"


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        ("{", "line 2: Invalid JSON"),
        ("[]", "line 2: "),
        (record(lines=[{"text": "a", "polygon": BOX[:3]}]), r"line 2: lines\.0\.polygon"),
        (record(lines=[{"text": "a", "polygon": [*BOX, [1, 1]]}]), r"line 2: lines\.0\.polygon"),
        (record(lines=[{"text": "a", "polygon": [[1], *BOX[1:]]}]), r"line 2: lines\.0\.polygon\.0"),
        ('{"image":"images/b.png","width":NaN,"height":1,"lines":[]}', "line 2: width"),
        (record(width=0), "line 2: width"),
        (record(height=-4), "line 2: height"),
        (record("images/b.png", page=0), "line 2: page"),
        (record(), "line 2: page 1 of images/a.png is labelled twice"),
        (record("images/missing.png"), "line 2: the image images/missing.png does not exist"),
        (record("images"), "line 2: the image images does not exist"),
        (record("../a.png"), "line 2: the image ../a.png lies outside"),
        (record("/etc/hostname"), "line 2: the image /etc/hostname lies outside"),
        ({"image": "images/b.png"}, "line 2: width: Field required"),
    ],
)
def test_what_does_not_fit_is_refused_with_its_line(tmp_path: Path, bad: dict[str, Any] | str, message: str) -> None:
    with pytest.raises(DatasetError, match=message):
        load_truth(dataset(tmp_path, record(), bad))


@pytest.mark.parametrize("content", [b"", b"\n  \n", b"\xef\xbb\xbf\n"])
def test_labels_of_nothing_are_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "labels.jsonl").write_bytes(content)
    with pytest.raises(DatasetError, match="it labels no document"):
        load_truth(tmp_path)


def test_labels_that_are_no_text_are_refused(tmp_path: Path) -> None:
    (tmp_path / "labels.jsonl").write_bytes(b"\xff\xd8\xff\xe0")
    with pytest.raises(DatasetError, match="not UTF-8"):
        load_truth(tmp_path)


@pytest.mark.parametrize("name", ["", "nowhere"])
def test_a_folder_without_labels_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(DatasetError, match=r"no labels\.jsonl there"):
        load_truth(tmp_path / name)


@pytest.mark.parametrize("name", ["sroie_val", "sroie_train", "funsd_dev", "xfund_zh_dev"])
def test_real_labels_load(shared_data: Path, name: str) -> None:
    documents = load_truth(shared_data / name)
    assert all(page.lines for document in documents for page in document.pages)
