"""A font without ink, made for the characters of one document.

A text layer needs a font that tells which character stands where and how wide it is; nobody sees it. One that is
embedded works in every viewer, in any language, and offers nothing to be licensed: its glyphs are boxes, a half or a
whole em wide. The tables are those of OpenType (ISO/IEC 14496-22), the map to Unicode that of PDF (ISO 32000-1,
9.10.3).
"""

from __future__ import annotations

import struct
from collections.abc import Iterable

from pipeline.outputs.lines import DESCENT, char_width

EM = 1000
_BELOW = round(DESCENT * EM)
_ABOVE = EM - _BELOW
_MOST = 0xFFFE  # glyphs are numbered in 16 bits
_PER_BLOCK = 100  # entries that one block of a map may have
_CHECKSUM = 0xB1B0AFBA

UNKNOWN = "\N{REPLACEMENT CHARACTER}"


class InvisibleFont:
    """The font of some characters; a character's code is its glyph's number.

    Args:
        characters: all that will be written; beyond 65,000 different ones the rest become U+FFFD.
    """

    def __init__(self, characters: Iterable[str]) -> None:
        chosen = sorted(set(characters) - {UNKNOWN})[: _MOST - 1]
        self._characters = [UNKNOWN, *chosen]
        self._codes = {char: code for code, char in enumerate(self._characters, 1)}

    def codes(self, text: str) -> list[int]:
        """The codes of a text's characters."""
        return [self._codes.get(char, 1) for char in text]

    def to_unicode(self) -> str:
        """The map from codes to characters."""
        lines = [
            "/CIDInit /ProcSet findresource begin",
            "12 dict begin",
            "begincmap",
            "/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def",
            "/CMapName /Adobe-Identity-UCS def",
            "/CMapType 2 def",
            "1 begincodespacerange",
            "<0000> <FFFF>",
            "endcodespacerange",
        ]
        entries = [
            f"<{code:04X}> <{char.encode('utf-16-be').hex().upper()}>" for code, char in enumerate(self._characters, 1)
        ]
        for start in range(0, len(entries), _PER_BLOCK):
            block = entries[start : start + _PER_BLOCK]
            lines += [f"{len(block)} beginbfchar", *block, "endbfchar"]
        return "\n".join([*lines, "endcmap", "CMapName currentdict /CMap defineresource pop", "end", "end", ""])

    def glyph_map(self) -> bytes:
        """The glyph of each code, which is the code itself."""
        return b"".join(struct.pack(">H", code) for code in range(len(self._characters) + 1))

    def file(self) -> bytes:
        """The TrueType file."""
        widths = [EM // 2, *(round(EM * char_width(char)) for char in self._characters)]
        outlines = [_box(width) for width in widths]
        starts = [0]
        for outline in outlines:
            starts.append(starts[-1] + len(outline))
        tables = {
            "OS/2": _os2(self._characters),
            "cmap": _cmap(self._characters),
            "glyf": b"".join(outlines),
            "head": struct.pack(
                ">IIIIHHqqhhhhHHhhh",
                *(0x10000, 0x10000, 0, 0x5F0F3CF5, 0, EM, 0, 0, 0, -_BELOW, EM, _ABOVE, 0, 8, 2, 1, 0),
            ),
            "hhea": struct.pack(">IhhhH11hH", 0x10000, _ABOVE, -_BELOW, 0, EM, *[0] * 3, 1, *[0] * 7, len(widths)),
            "hmtx": b"".join(struct.pack(">Hh", width, 0) for width in widths),
            "loca": struct.pack(f">{len(starts)}I", *starts),
            "maxp": struct.pack(">IHHHHHHHHHHHHHH", 0x10000, len(widths), 4, 1, 0, 0, 1, *[0] * 8),
            "name": _name("InklaneInvisible"),
            "post": struct.pack(">IIhhIIIII", 0x30000, *[0] * 8),
        }
        return _assembled(tables)


def _box(width: int) -> bytes:
    """A rectangle from descent to ascent, so that viewers know what to mark; nothing for marks without a width."""
    if not width:
        return b""
    head = struct.pack(">hhhhh", 1, 0, -_BELOW, width, _ABOVE)
    flags = bytes([0x01] * 4)  # on the curve, coordinates in 16 bits
    xs = struct.pack(">4h", 0, 0, width, 0)
    ys = struct.pack(">4h", -_BELOW, EM, 0, -EM)
    return head + struct.pack(">HH", 3, 0) + flags + xs + ys + b"\0\0"[: (10 + 4 + 4 + 16) % 4]


def _cmap(characters: list[str]) -> bytes:
    groups = sorted((ord(char), glyph) for glyph, char in enumerate(characters, 1))
    body = b"".join(struct.pack(">III", code, code, glyph) for code, glyph in groups)
    table = struct.pack(">HHIII", 12, 0, 16 + len(body), 0, len(groups)) + body
    return struct.pack(">HHHHI", 0, 1, 3, 10, 12) + table


def _os2(characters: list[str]) -> bytes:
    points = sorted(min(ord(char), 0xFFFF) for char in characters)
    return struct.pack(
        ">HhHHHhhhhhhhhhhh10sIIII4sHHHhhhHHIIhhHHH",
        *(4, EM // 2, 400, 5, 0, *[0] * 11, bytes(10), 0, 0, 0, 0, b"    ", 0x40, points[0], points[-1]),
        *(_ABOVE, -_BELOW, 0, _ABOVE, _BELOW, 0, 0, 0, _ABOVE, 0, 32, 1),
    )


def _name(name: str) -> bytes:
    text = name.encode("utf-16-be")
    records = [(3, 1, 0x409, number, len(text), 0) for number in (1, 4, 6)]
    head = struct.pack(">HHH", 0, len(records), 6 + 12 * len(records))
    return head + b"".join(struct.pack(">HHHHHH", *record) for record in records) + text


def _assembled(tables: dict[str, bytes]) -> bytes:
    count = len(tables)
    power = count.bit_length() - 1
    head = struct.pack(">IHHHH", 0x10000, count, 16 << power, power, 16 * count - (16 << power))
    directory, body = b"", b""
    for tag in sorted(tables):
        data = tables[tag]
        padded = data + bytes(-len(data) % 4)
        at = 12 + 16 * count + len(body)
        directory += struct.pack(">4sIII", tag.encode(), _sum(padded), at, len(data))
        body += padded
    font = head + directory + body
    adjust = 12 + 16 * count + sum(len(tables[tag]) + -len(tables[tag]) % 4 for tag in sorted(tables) if tag < "head")
    whole = (_CHECKSUM - _sum(font)) & 0xFFFFFFFF
    return font[: adjust + 8] + struct.pack(">I", whole) + font[adjust + 12 :]


def _sum(padded: bytes) -> int:
    total: int = sum(struct.unpack(f">{len(padded) // 4}I", padded))
    return total & 0xFFFFFFFF
