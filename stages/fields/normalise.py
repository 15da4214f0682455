"""One spelling for what is printed in many: full-width digits, look-alike punctuation, stray spaces."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

_INVISIBLE = re.compile(r"[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff\x00-\x08\x0b-\x1f\x7f-\x9f]")
_SPACES = re.compile(r"\s+")
_IDEOGRAPH = r"\u2e80-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_BETWEEN_IDEOGRAPHS = re.compile(rf"(?<=[{_IDEOGRAPH}]) (?=[{_IDEOGRAPH}])")
_DASHES = dict.fromkeys(map(ord, "‐‑‒–—―−﹣"), "-")
_HAS_IDEOGRAPH = re.compile(rf"[{_IDEOGRAPH}]")


@lru_cache(4096)
def normalise(text: str) -> str:
    """The text in Unicode's NFKC form (full-width becomes half-width), on one line, single-spaced.

    Spaces between two ideographs, which need none, go; so do characters that cannot be seen.
    """
    if text.isascii():
        return " ".join(_INVISIBLE.sub("", text).split())
    text = _SPACES.sub(" ", unicodedata.normalize("NFKC", _INVISIBLE.sub("", text))).strip()
    return unicodedata.normalize("NFC", _BETWEEN_IDEOGRAPHS.sub("", text))


def plain(text: str) -> str:
    """As :func:`normalise`, and every kind of dash becomes a hyphen: for values whose dashes only separate."""
    return normalise(text).translate(_DASHES)


@lru_cache(4096)
def comparable(text: str) -> str:
    """What two spellings of one value have in common: NFKC, upper case, no white space, no punctuation."""
    return "".join(c for c in unicodedata.normalize("NFKC", text).upper() if unicodedata.category(c)[0] in "LNM")


def compact(text: str) -> str:
    """An identifier without what only separates its groups: no spaces, hyphens, dots or slashes; upper case."""
    return re.sub(r"[\s\-./·・]+", "", plain(text)).upper()


def has_ideograph(text: str) -> bool:
    """Whether the text has a Chinese character."""
    return _HAS_IDEOGRAPH.search(text) is not None
