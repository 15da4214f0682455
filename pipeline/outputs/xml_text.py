"""Text and trees for XML 1.0."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree

from schemas.plain import text_of

_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")  # XML 1.0, production 2


def xml_text(text: str) -> str:
    """The text without the characters that XML cannot hold, and on one row."""
    return _FORBIDDEN.sub("\N{REPLACEMENT CHARACTER}", text_of(text)).replace("\r", " ").replace("\n", " ")


def serialised(root: ElementTree.Element, *, doctype: str = "") -> bytes:
    """The tree as an indented UTF-8 file, whatever the locale."""
    ElementTree.indent(root)
    body = ElementTree.tostring(root, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{doctype}{body}\n'.encode()


def number(value: float) -> str:
    """A coordinate: two decimals at most, no exponent."""
    return f"{value:.2f}".rstrip("0").rstrip(".")
