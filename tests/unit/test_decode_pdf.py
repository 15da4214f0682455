"""CASE 7: passwords, /Rotate, CCITT scans, all pages, and what is drawn on top of a page."""

from __future__ import annotations

import gc
import threading

import numpy as np
import pypdfium2
import pytest

from schemas.errors import Cancelled, PasswordRequired
from schemas.settings import Limits
from stages.decode.document import open_document
from tests.factories.images import Pixels, difference, encode, group4, page_image, page_pixels
from tests.factories.pdfs import PdfPage, image_object, pdf

TOP_LEFT = np.full((100, 200), 255, np.uint8)
TOP_LEFT[:30, :60] = 0


def decode(data: bytes, number: int = 1, dpi: int = 72) -> Pixels:
    with open_document(data, limits=Limits(), dpi=dpi) as document:
        page = document.decode(number)
    assert page.dpi == dpi
    assert page.number == number
    return page.pixels


def test_case_7_a_user_password_is_asked_for() -> None:
    with pytest.raises(PasswordRequired, match="without"):
        open_document(pdf([PdfPage()], user="secret", owner="boss"), limits=Limits(), dpi=72)


def test_case_7_an_owner_password_alone_opens() -> None:
    data = pdf([PdfPage()], owner="boss")
    assert b"/Encrypt" in data
    assert difference(decode(data), TOP_LEFT) == 0


@pytest.mark.parametrize("angle", [0, 90, 180, 270, -90, 450])
def test_case_7_rotate(angle: int) -> None:
    # The content is turned against /Rotate, so that the page as shown is always the same.
    turn = {
        0: b"", 90: b"0 1 -1 0 100 0 cm ", 180: b"-1 0 0 -1 200 100 cm ", 270: b"0 -1 1 0 0 200 cm ",
    }[angle % 360]  # fmt: skip
    box = "0 0 100 200" if angle % 180 else "0 0 200 100"
    page = PdfPage(box, f"/Rotate {angle}", turn + PdfPage().content)
    assert difference(decode(pdf([page])), TOP_LEFT) == 0


def test_case_7_rotate_is_inherited_and_boxes_need_not_start_at_zero() -> None:
    page = PdfPage("-100 50 100 150", content=b"1 0 0 1 -100 50 cm " + PdfPage().content)
    assert difference(decode(pdf([page])), TOP_LEFT) == 0


def test_case_7_ccitt_group_4_scans() -> None:
    scan = image_object(
        group4(page_image("1")), 240, 160,
        "/ColorSpace /DeviceGray /BitsPerComponent 1 /Filter /CCITTFaxDecode "
        "/DecodeParms << /K -1 /Columns 240 /Rows 160 /BlackIs1 true >>",
    )  # fmt: skip
    page = PdfPage("0 0 240 160", "/Resources << /XObject << /A 3 0 R >> >>", b"240 0 0 160 0 0 cm /A Do")
    expected = np.asarray(page_image("1").convert("L"))
    assert difference(decode(pdf([page], extra=[scan])), expected) < 1


def test_case_7_jpeg_scans() -> None:
    scan = image_object(
        encode(page_image("L"), "JPEG", quality=95),
        240,
        160,
        "/ColorSpace /DeviceGray /BitsPerComponent 8 /Filter /DCTDecode",
    )
    page = PdfPage("0 0 240 160", "/Resources << /XObject << /A 3 0 R >> >>", b"240 0 0 160 0 0 cm /A Do")
    assert difference(decode(pdf([page], extra=[scan])), page_pixels()) < 2


def test_case_7_all_pages_not_the_first_ten() -> None:
    pages = [PdfPage(f"0 0 {50 + number} 40") for number in range(1, 26)]
    with open_document(pdf(pages), limits=Limits(), dpi=72) as document:
        assert document.page_numbers == tuple(range(1, 26))
        assert [document.decode(number).width for number in document.page_numbers] == list(range(51, 76))


@pytest.mark.parametrize("dpi", [36, 72, 100, 200, 300])
def test_pages_are_rendered_at_the_resolution(dpi: int) -> None:
    pixels = decode(pdf([PdfPage("0 0 36 18")]), dpi=dpi)
    assert pixels.shape == (-(-18 * dpi // 72), 36 * dpi // 72, 3)


def test_colours_come_as_blue_green_red() -> None:
    pixels = decode(pdf([PdfPage(content=b"1 0 0 rg 0 0 200 100 re f")]))
    assert (pixels == (0, 0, 255)).all()


def test_transparency_is_over_white() -> None:
    page = PdfPage(entries="/Resources << /ExtGState << /H << /ca 0.5 >> >> >>", content=b"/H gs 0 g 0 0 200 100 re f")
    pixels = decode(pdf([page]))
    assert np.abs(pixels.astype(int) - 127).max() <= 1


def form_xobject(size: str, content: bytes) -> bytes:
    head = f"<< /Type /XObject /Subtype /Form /BBox [{size}] /Length {len(content)} >>"
    return head.encode() + b"\nstream\n" + content + b"\nendstream"


@pytest.mark.parametrize(
    ("kind", "catalog"),
    [
        ("/Subtype /Stamp", ""),
        ("/Subtype /Widget /FT /Tx /T (name) /V (x)", "/AcroForm << /Fields [4 0 R] >>"),
    ],
    ids=["annotation", "form field"],
)
def test_annotations_and_form_fields_are_drawn(kind: str, catalog: str) -> None:
    field = f"<< /Type /Annot {kind} /Rect [0 70 60 100] /F 4 /AP << /N 3 0 R >> >>".encode()
    data = pdf(
        [PdfPage(entries="/Annots [4 0 R]", content=b"")],
        extra=[form_xobject("0 0 60 30", b"0 g 0 0 60 30 re f"), field],
        catalog=catalog,
    )
    assert difference(decode(data), TOP_LEFT) < 2


def test_a_user_unit_does_not_change_the_pixels() -> None:
    assert difference(decode(pdf([PdfPage(entries="/UserUnit 2")])), TOP_LEFT) == 0


@pytest.mark.parametrize("box", ["0 0 0 0", "5 5 1", "0 0 nan 9", "200 100 0 0", "0 0 0.01 0.01"])
def test_odd_media_boxes_give_a_page(box: str) -> None:
    pixels = decode(pdf([PdfPage(box)]))
    assert pixels.shape[0] >= 1
    assert pixels.shape[1] >= 1


def test_documents_render_alike_from_many_threads_and_leave_without_being_closed() -> None:
    data = pdf([PdfPage()] * 3)
    failures: list[object] = []

    def work() -> None:
        for _ in range(5):
            document = open_document(data, limits=Limits(), dpi=72)  # collected, never closed
            for number in document.page_numbers:
                if difference(document.decode(number).pixels, TOP_LEFT):
                    failures.append(number)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    gc.collect()
    assert failures == []


def test_pixels_outlive_their_document() -> None:
    pixels = decode(pdf([PdfPage()]))
    gc.collect()
    assert difference(pixels, TOP_LEFT) == 0
    pixels[:] = 7  # and may be written to


@pytest.mark.parametrize("collected", [False, True], ids=["closed", "collected"])
def test_closing_never_waits_for_a_page_that_is_being_rendered(
    monkeypatch: pytest.MonkeyPatch, collected: bool
) -> None:
    """A page may take minutes, and a client that goes away must not hold up the others meanwhile."""
    rendering, go_on = threading.Event(), threading.Event()
    closed: list[str] = []
    render, close = pypdfium2.PdfPage.render, pypdfium2.PdfDocument.close

    def slow(page: pypdfium2.PdfPage, **options: object) -> object:
        rendering.set()
        assert go_on.wait(30)
        closed.append("rendered")
        return render(page, **options)

    def noted(document: pypdfium2.PdfDocument, **options: object) -> None:
        closed.append("closed")
        close(document, **options)

    monkeypatch.setattr(pypdfium2.PdfPage, "render", slow)
    monkeypatch.setattr(pypdfium2.PdfDocument, "close", noted)
    first = open_document(pdf([PdfPage()]), limits=Limits(), dpi=72)
    other = open_document(pdf([PdfPage()]), limits=Limits(), dpi=72)
    thread = threading.Thread(target=first.decode, args=(1,))
    thread.start()
    assert rendering.wait(30)
    first.close()
    if collected:
        del other
        gc.collect()
    else:
        other.close()
    assert closed == [], "PDFium is not thread-safe: nothing is closed while a page is being rendered"
    go_on.set()
    thread.join(30)
    assert closed == ["rendered", "closed", "closed"]
    with pytest.raises(Cancelled):
        first.decode(1)
