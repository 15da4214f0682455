"""CASE 6 and the selection of pages."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from PIL import Image

from schemas.errors import Cancelled, DamagedFile, InvalidRequest, TooManyPages
from schemas.settings import Limits
from stages.decode.document import OpenDocument, open_document
from tests.factories.images import difference, encode, page_image, page_pixels, tiff_pages
from tests.factories.pdfs import PdfPage, pdf


def shade(number: int) -> int:
    return 250 - 10 * number


def five_page_tiff() -> bytes:
    return tiff_pages([Image.new("L", (40 + number, 30), shade(number)) for number in range(1, 6)])


def five_page_pdf() -> bytes:
    return pdf(
        [
            PdfPage(f"0 0 {40 + number} 30", content=f"{shade(number) / 255} g 0 0 99 99 re f".encode())
            for number in range(1, 6)
        ]
    )


MANY = {"tiff": five_page_tiff(), "pdf": five_page_pdf()}


def open_(
    data: bytes, pages: tuple[int, ...] | None = None, pages_from: int | None = None, **limits: int
) -> OpenDocument:
    return open_document(data, limits=Limits(**limits), dpi=72, pages=pages, pages_from=pages_from)


def test_case_6_a_tiff_with_an_empty_second_page_gives_three_pages() -> None:
    blank = Image.new("1", (240, 160), 1)
    with open_(tiff_pages([page_image("1"), blank, page_image("1")], compression="group4")) as document:
        assert document.page_numbers == (1, 2, 3)
        assert document.warnings == []
        pages = [document.decode(number).pixels for number in document.page_numbers]
    assert (pages[1] == 255).all()
    assert not (pages[0] == 255).all()
    np.testing.assert_array_equal(pages[0], pages[2])


@pytest.mark.parametrize("kind", ["GIF", "WEBP", "PNG"])
def test_case_6_of_an_animation_the_first_frame_and_a_warning(kind: str) -> None:
    frames = [page_image("RGB"), Image.new("RGB", (240, 160), "blue")]
    data = encode(frames[0], kind, save_all=True, append_images=frames[1:], duration=100)
    with open_(data) as document:
        assert document.page_numbers == (1,)
        assert [notice.code for notice in document.warnings] == ["animated_image"]
        assert difference(document.decode(1).pixels, page_pixels()) <= 3


@pytest.mark.parametrize("kind", ["GIF", "WEBP", "PNG"])
def test_a_still_picture_gives_no_warning(kind: str) -> None:
    with open_(encode(page_image("RGB"), kind)) as document:
        assert document.warnings == []


def test_a_reduced_copy_in_a_tiff_is_no_page() -> None:
    small = page_image("L").resize((60, 40))
    small.encoderinfo = {"tiffinfo": {254: 1}}
    data = tiff_pages([page_image("L"), small, Image.new("L", (50, 50), 7)])
    with open_(data) as document:
        assert document.page_numbers == (1, 2)
        assert (document.decode(2).pixels == 7).all()


@pytest.mark.parametrize("kind", MANY)
@pytest.mark.parametrize(
    ("wanted", "got"), [(None, (1, 2, 3, 4, 5)), ((5, 2), (2, 5)), ((3, 3), (3,)), ((1, 2, 3, 4, 5), (1, 2, 3, 4, 5))]
)
def test_selected_pages_come_ascending_and_once(
    kind: str, wanted: tuple[int, ...] | None, got: tuple[int, ...]
) -> None:
    with open_(MANY[kind], wanted) as document:
        assert document.page_numbers == got
        for number in reversed(got):
            page = document.decode(number)
            assert page.number == number
            assert page.width == 40 + number
            assert np.abs(page.pixels.astype(int) - shade(number)).max() <= 1


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        ((6,), "page 6 does not exist: there are 5 pages, numbered from 1"),
        ((9, 6, 9), "pages 6 and 9 do not exist: there are 5 pages, numbered from 1"),
        ((6, 7, 8), "pages 6, 7 and 8 do not exist: there are"),
        (tuple(range(6, 12)), "pages from 6 on do not exist: there are"),
        ((10**12,), f"page {10**12} does not exist: there are 5 pages"),
        ((0,), "no page 0: pages are numbered from 1"),
        ((2, -1), "no page -1: pages are numbered from 1"),
    ],
)
@pytest.mark.parametrize("kind", MANY)
def test_where_no_wanted_page_exists_the_error_says_how_many_there_are(
    kind: str, wanted: tuple[int, ...], said: str
) -> None:
    with pytest.raises(InvalidRequest) as caught:
        open_(MANY[kind], wanted)
    assert said in caught.value.message


@pytest.mark.parametrize(
    ("wanted", "got", "said"),
    [
        ((1, 9), (1,), "page 9 does not exist;"),
        ((6, 4, 5, 8), (4, 5), "pages 6 and 8 do not exist;"),
        ((5, 10**12), (5,), f"page {10**12} does not exist;"),
    ],
)
@pytest.mark.parametrize("kind", MANY)
def test_of_the_wanted_pages_those_that_exist_are_read_and_a_warning_names_the_others(
    kind: str, wanted: tuple[int, ...], got: tuple[int, ...], said: str
) -> None:
    with open_(MANY[kind], wanted) as document:
        assert document.page_numbers == got
        assert [notice.code for notice in document.warnings] == ["pages_missing"]
        assert document.warnings[0].message.startswith(said)
        assert document.warnings[0].page is None


@pytest.mark.parametrize(
    ("wanted", "onward", "got", "warned"),
    [
        (None, 4, (4, 5), 0),
        ((1,), 4, (1, 4, 5), 0),
        ((5,), 3, (3, 4, 5), 0),
        ((1,), 6, (1,), 0),
        ((9,), 5, (5,), 1),
        ((), 1, (1, 2, 3, 4, 5), 0),
    ],
)
@pytest.mark.parametrize("kind", MANY)
def test_from_a_page_on(
    kind: str, wanted: tuple[int, ...] | None, onward: int, got: tuple[int, ...], warned: int
) -> None:
    with open_(MANY[kind], wanted, onward) as document:
        assert document.page_numbers == got
        assert len(document.warnings) == warned


@pytest.mark.parametrize("kind", MANY)
def test_from_a_page_on_that_does_not_exist_or_too_many(kind: str) -> None:
    with pytest.raises(InvalidRequest, match="pages from 6 on do not exist: there are 5 pages"):
        open_(MANY[kind], None, 6)
    with pytest.raises(TooManyPages, match="more than 3 pages"):
        open_(MANY[kind], None, 2, max_pages=3)
    with open_(MANY[kind], None, 3, max_pages=3) as document:
        assert document.page_numbers == (3, 4, 5)


def test_a_picture_has_one_page() -> None:
    with pytest.raises(InvalidRequest, match="there is 1 page"):
        open_(encode(page_image(), "PNG"), (2,))


@pytest.mark.parametrize("data", [*MANY.values(), encode(page_image(), "PNG")], ids=[*MANY, "png"])
def test_an_empty_selection_is_refused(data: bytes) -> None:
    with pytest.raises(InvalidRequest, match="no page was selected"):
        open_(data, ())


@pytest.mark.parametrize("kind", MANY)
def test_too_many_pages(kind: str) -> None:
    with pytest.raises(TooManyPages, match="more than 4 pages"):
        open_(MANY[kind], max_pages=4)
    with pytest.raises(TooManyPages):
        open_(MANY[kind], (1, 2, 3), max_pages=2)
    with open_(MANY[kind], (4, 5), max_pages=2) as document:
        assert document.page_numbers == (4, 5)


@pytest.mark.parametrize("kind", MANY)
def test_pages_decode_alike_from_many_threads(kind: str) -> None:
    with open_(MANY[kind]) as document, ThreadPoolExecutor(4) as pool:
        numbers = [1, 5, 2, 4, 3] * 4
        for number, page in zip(numbers, pool.map(document.decode, numbers), strict=True):
            assert page.width == 40 + number
            assert np.abs(page.pixels.astype(int) - shade(number)).max() <= 1


@pytest.mark.parametrize("data", [*MANY.values(), encode(page_image(), "PNG")], ids=[*MANY, "png"])
def test_a_closed_document_says_so(data: bytes) -> None:
    document = open_(data)
    document.close()
    document.close()
    with pytest.raises(Cancelled):
        document.decode(1)


@pytest.mark.parametrize("data", [*MANY.values(), encode(page_image(), "PNG")], ids=[*MANY, "png"])
@pytest.mark.parametrize("number", [0, 6, -1])
def test_decoding_a_page_that_does_not_exist(data: bytes, number: int) -> None:
    with open_(data) as document, pytest.raises(InvalidRequest):
        document.decode(number)


def test_a_tiff_whose_chain_breaks_gives_its_pages_and_an_error_for_what_is_lost() -> None:
    data = five_page_tiff()
    offset = 4
    for _ in range(3):  # to the pointer that leads to page 4
        at = int.from_bytes(data[offset : offset + 4], "little")
        offset = at + 2 + 12 * int.from_bytes(data[at : at + 2], "little")
    broken = data[:offset] + (2**31).to_bytes(4, "little") + data[offset + 4 :]
    with open_(broken) as document:
        assert document.page_numbers == (1, 2, 3, 4)
        assert document.decode(3).width == 43
        with pytest.raises(DamagedFile, match="from there on are lost"):
            document.decode(4)
        assert document.decode(1).width == 41


def test_a_tiff_whose_chain_runs_in_a_circle_ends() -> None:
    data = five_page_tiff()
    first = int.from_bytes(data[4:8], "little")
    pointer = first + 2 + 12 * int.from_bytes(data[first : first + 2], "little")
    with open_(data[:pointer] + data[4:8] + data[pointer + 4 :]) as document:
        assert document.page_numbers == (1,)
        assert document.decode(1).width == 41
