from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree

import pytest

from pipeline.outputs.hocr import to_hocr
from schemas.document import Document, Line, Notice, Page
from tests.factories.read_pages import document, line, page, receipt, word

XHTML = "{http://www.w3.org/1999/xhtml}"


def parsed(shown: Document) -> ElementTree.Element:
    return ElementTree.fromstring(to_hocr(shown))


def of_class(root: ElementTree.Element, name: str) -> list[ElementTree.Element]:
    return [element for element in root.iter() if element.get("class") == name]


def properties(element: ElementTree.Element) -> dict[str, list[str]]:
    found = {}
    for part in re.findall(r'(?:[^;"]|"(?:\\.|[^"\\])*")+', element.get("title", "")):
        name, *values = part.split()
        found[name] = values
    return found


def test_structure() -> None:
    root = parsed(document(receipt(), page(number=2)))
    assert root.tag == f"{XHTML}html"
    names = {meta.get("name"): meta.get("content") for meta in root.iter(f"{XHTML}meta")}
    assert names["ocr-system"] == "inklane"
    assert names["ocr-number-of-pages"] == "2"
    used = {element.get("class") for element in root.iter() if element.get("class")}
    assert used <= set(str(names["ocr-capabilities"]).split())
    pages = of_class(root, "ocr_page")
    assert [properties(shown)["ppageno"] for shown in pages] == [["0"], ["1"]]
    assert properties(pages[0])["bbox"] == ["0", "0", "1000", "800"]
    ids = [element.get("id") for element in root.iter() if element.get("id")]
    assert len(ids) == len(set(ids))


def test_boxes_lie_inside_those_around_them() -> None:
    def check(element: ElementTree.Element, around: list[int]) -> None:
        box = properties(element).get("bbox")
        here = around if box is None else list(map(int, box))
        assert here[0] >= around[0]
        assert here[1] >= around[1]
        assert here[2] <= around[2]
        assert here[3] <= around[3]
        for child in element:
            check(child, here)

    root = parsed(document(receipt()))
    assert len(of_class(root, "ocr_line")) == 11
    for shown in of_class(root, "ocr_page"):
        check(shown, [0, 0, 1000, 800])


def test_words_have_box_and_confidence() -> None:
    read = line("Total 21.07", 100, 200, 300)
    read.words = [word("Total", 100, 200, 120, confidence=0.934), word("21.07", 250, 200, 150, confidence=1.0)]
    total, amount = of_class(parsed(document(page(read))), "ocrx_word")
    assert (total.text, amount.text) == ("Total", "21.07")
    assert properties(total) == {"bbox": ["100", "200", "220", "230"], "x_wconf": ["93"]}
    assert properties(amount) == {"bbox": ["250", "200", "400", "230"], "x_wconf": ["100"]}


def test_baseline_is_relative_to_the_bottom_left_of_the_box() -> None:
    # Rises by 20 px over 200 px; 40 px high, so that letters stand 8 px above the lower edge.
    slanted = Line("rising", 0.9, ((100, 120), (300, 100), (300, 140), (100, 160)))
    (shown,) = of_class(parsed(document(page(slanted))), "ocr_line")
    slope, offset = map(float, properties(shown)["baseline"])
    assert properties(shown)["bbox"] == ["100", "100", "300", "160"]
    assert slope == pytest.approx(-0.1)
    assert 160 + offset == pytest.approx(152)  # at the left end
    assert 160 + offset + 200 * slope == pytest.approx(132)  # at the right end


def test_text_from_the_top_down_has_its_turn_in_place_of_a_baseline() -> None:
    (shown,) = of_class(parsed(document(page(line("竖排文字", 700, 100, 40, 300)))), "ocr_line")
    assert properties(shown)["textangle"] == ["270"]
    assert "baseline" not in properties(shown)


def test_text_upside_down_or_upwards_has_its_turn() -> None:
    upside_down = Line("upside down", 0.9, ((300, 140), (100, 140), (100, 100), (300, 100)))
    upwards = Line("upwards", 0.9, ((400, 300), (400, 100), (440, 100), (440, 300)))
    lines = of_class(parsed(document(page(upside_down, upwards))), "ocr_line")
    assert [properties(shown)["textangle"] for shown in lines] == [["180"], ["90"]]


@pytest.mark.parametrize("name", ['a "b".jpg', "a\\b.jpg", "<x>&.jpg", "\x1b.jpg", "名.jpg", "a;b.jpg"])
def test_whatever_the_file_is_called(name: str) -> None:
    shown = document(receipt(), file=name)
    (sheet,) = of_class(parsed(shown), "ocr_page")
    assert properties(sheet)["bbox"] == ["0", "0", "1000", "800"]


def test_text_is_no_markup() -> None:
    (shown,) = of_class(parsed(document(page(line("<script>&\x00", 0, 0, 90)))), "ocrx_word")
    assert shown.text == "<script>&\N{REPLACEMENT CHARACTER}"


def test_a_page_that_could_not_be_read_is_empty() -> None:
    root = parsed(document(Page(1, 0, 0, error=Notice("too_large", "no", 1)), page(line("x", 0, 0, 20), number=2)))
    first, second = of_class(root, "ocr_page")
    assert len(first) == 0
    assert len(second) == 1


def test_it_is_the_same_under_any_locale(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "C")
    assert "总计" in to_hocr(document(page(line("总计", 0, 0, 90)))).decode("utf-8")


def test_confidence_is_a_whole_number() -> None:
    for confidence in (0.0, 0.005, 0.5, 0.999, 1.0):
        (shown,) = of_class(parsed(document(page(line("x", 0, 0, 20, confidence=confidence)))), "ocrx_word")
        assert 0 <= int(properties(shown)["x_wconf"][0]) <= 100
