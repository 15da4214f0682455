from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.server.multipart import Event, MultipartParser, PartEnd, PartStart, file_name
from schemas.errors import MalformedBody, TooLarge


def parsed(pieces: Sequence[bytes], boundary: str = "xyz", max_parts: int = 10) -> list[Event]:
    """Events, neighbouring pieces of content joined."""
    parser = MultipartParser(boundary, max_parts)
    events: list[Event] = []
    for piece in pieces:
        for event in parser.feed(piece):
            if isinstance(event, bytes) and events and isinstance(events[-1], bytes):
                events[-1] += event
            else:
                events.append(event)
    parser.close()
    return events


def part(content: bytes, disposition: str, *headers: str) -> bytes:
    head = "\r\n".join([f"Content-Disposition: form-data; {disposition}", *headers])
    return b"--xyz\r\n" + head.encode() + b"\r\n\r\n" + content + b"\r\n"


BODY = (
    b"whatever stands here\r\nis passed over\r\n"
    + part(b"\r\n--xy\r\n--\r\r\nz\x00\xff", 'name="file"; filename="a b.png"', "Content-Type: image/png")
    + part(b"", 'name="file"; filename="empty"')
    + part(b"text", 'name="output"')
    + b"--xyz--\r\nand this, too"
)
EVENTS = [
    PartStart("file", "a b.png", False),
    b"\r\n--xy\r\n--\r\r\nz\x00\xff",
    PartEnd(),
    PartStart("file", "empty", False),
    PartEnd(),
    PartStart("output", None, False),
    b"text",
    PartEnd(),
]


@given(st.lists(st.integers(1, 40), min_size=1, max_size=20))
def test_however_the_body_is_cut_the_parts_are_the_same(sizes: list[int]) -> None:
    pieces, at, number = [], 0, 0
    while at < len(BODY):
        size = sizes[number % len(sizes)]
        pieces.append(BODY[at : at + size])
        at, number = at + size, number + 1
    assert parsed(pieces) == EVENTS


@given(st.binary(max_size=200).filter(lambda content: b"\r\n--xyz" not in b"\r\n" + content), st.integers(1, 7))
def test_any_content_comes_out_as_it_went_in(content: bytes, size: int) -> None:
    body = part(content, 'name="file"; filename="a"') + b"--xyz--"
    events = parsed([body[at : at + size] for at in range(0, len(body), size)])
    assert b"".join(event for event in events if isinstance(event, bytes)) == content
    assert events[-1] == PartEnd()


def test_large_pieces_hold_many_parts() -> None:
    content = bytes(100_000)
    body = part(content, 'name="file"; filename="a"') + part(content, 'name="file"; filename="b"') + b"--xyz--\r\n"
    events = parsed([body])
    assert [event for event in events if isinstance(event, bytes)] == [content, content]


@pytest.mark.parametrize("boundary", [None, "", "x" * 201, "ä"])
def test_a_boundary_that_cannot_be_is_refused(boundary: str | None) -> None:
    with pytest.raises(MalformedBody):
        MultipartParser(boundary, 1)


@pytest.mark.parametrize(
    ("body", "error"),
    [
        (b"", MalformedBody),
        (b"--xyz\r\n", MalformedBody),
        (b"no boundary", MalformedBody),
        (part(b"cut", 'name="file"')[:-1], MalformedBody),
        (part(b"no end", 'name="file"'), MalformedBody),
        (b"--xyz trailing\r\n\r\n\r\n--xyz--", MalformedBody),
        (b"--xyzz\r\n\r\n\r\n--xyz--", MalformedBody),
        (b"--xyz-\r\n\r\n\r\n--xyz--", MalformedBody),
        (part(b"a", 'name="file"', "Content-Transfer-Encoding: quoted-printable") + b"--xyz--", MalformedBody),
        (b"--xyz\r\n" + b"A: " + b"a" * 20_000, TooLarge),
        (part(b"", 'name="a"') * 11, TooLarge),
    ],
)
@pytest.mark.parametrize("size", [1, 10**6])
def test_what_is_not_built_right_is_refused(body: bytes, error: type[Exception], size: int) -> None:
    with pytest.raises(error):
        parsed([body[at : at + size] for at in range(0, len(body), size)])


def test_an_endless_preamble_is_given_up_and_not_kept() -> None:
    parser = MultipartParser("xyz", 10)
    for _ in range(16):
        assert list(parser.feed(b"\r\n" * 500)) == []
        assert len(parser._buffer) < 2000
    with pytest.raises(TooLarge):
        list(parser.feed(b"\r\n" * 500))


def test_headers_without_anything_and_padding_behind_the_boundary_are_taken() -> None:
    assert parsed([b"--xyz \t \r\n\r\nabc\r\n--xyz--"]) == [PartStart("", None, False), b"abc", PartEnd()]


def test_a_part_says_that_it_is_base64() -> None:
    events = parsed([part(b"YQ==", 'name="file"; filename="a"', "content-transfer-encoding: BASE64") + b"--xyz--"])
    assert events[0] == PartStart("file", "a", True)


@pytest.mark.parametrize(
    ("disposition", "name"),
    [
        ('name="file"; filename="发票 (1) é.png"', "发票 (1) é.png"),  # browsers
        ("name=\"file\"; filename*=utf-8''%E5%8F%91%E7%A5%A8.png", "发票.png"),
        ('name="file"; filename="%E5%8F%91%E7%A5%A8.png"', "发票.png"),  # aiohttp
        ('name="file"; filename="a%22b.png"', 'a"b.png'),
        ('name="file"; filename="100%25.png"', "100%25.png"),
        ('name="file"; filename="%FF.png"', "%FF.png"),
        ('name="file"; filename=""', ""),
    ],
)
def test_file_names_as_different_clients_send_them(disposition: str, name: str) -> None:
    start = parsed([part(b"a", disposition) + b"--xyz--"])[0]
    assert start == PartStart("file", name, False)


def test_a_plain_name_stays() -> None:
    assert file_name("a%zz.png") == "a%zz.png"
