"""Fonts of Debian's packages: measuring, breaking and drawing text.

Which fonts may be used for training and which are kept for validation stands here, so that no template can mix them.
"""

from __future__ import annotations

import random
import re
import warnings
from functools import cache, lru_cache
from pathlib import Path

from PIL import ImageDraw, ImageFont

from schemas.errors import DatasetError

ROOT = Path("/usr/share/fonts")
PACKAGES = (
    "fonts-liberation fonts-wqy-zenhei fonts-wqy-microhei fonts-arphic-uming fonts-arphic-gbsn00lp "
    "fonts-arphic-gkai00mp fonts-arphic-ukai fonts-noto-cjk fonts-dejavu fonts-ocr-b fonts-ocr-a"
)
_REFERENCE = 1000  # widths are measured at this size and scaled: hinting rounds advances to whole pixels
_INK = 100  # the ink's height is measured at this size
_PROBE = 24  # a missing glyph is recognised by its picture at this size

Source = tuple[str, int, float]  # path below ROOT, face within a collection, weight added (fraction of the size)

_LIBERATION = "truetype/liberation/Liberation"
_DEJAVU = "truetype/dejavu/DejaVu"
_ZENHEI: Source = ("truetype/wqy/wqy-zenhei.ttc", 0, 0.0)
_MICROHEI: Source = ("truetype/wqy/wqy-microhei.ttc", 0, 0.0)
_UMING: Source = ("truetype/arphic/uming.ttc", 0, 0.0)
_SUNGTI: Source = ("truetype/arphic-gbsn00lp/gbsn00lp.ttf", 0, 0.0)
_KAITI: Source = ("truetype/arphic-gkai00mp/gkai00mp.ttf", 0, 0.0)
_UKAI: Source = ("truetype/arphic/ukai.ttc", 0, 0.0)
_NOTO_SANS: Source = ("opentype/noto/NotoSansCJK-Regular.ttc", 2, 0.0)
_NOTO_SANS_BOLD: Source = ("opentype/noto/NotoSansCJK-Bold.ttc", 2, 0.0)
_NOTO_SERIF: Source = ("opentype/noto/NotoSerifCJK-Regular.ttc", 2, 0.0)
_NOTO_SERIF_BOLD: Source = ("opentype/noto/NotoSerifCJK-Bold.ttc", 2, 0.0)


def _bold(source: Source) -> Source:
    return source[0], source[1], 0.016


def _plain(*names: str) -> tuple[Source, ...]:
    return tuple((name + ".ttf", 0, 0.0) for name in names)


CHINESE = ("song", "hei", "hei_bold", "kai")

# By role, the fonts to choose from. Nothing of "val" may ever be used for training.
SOURCES: dict[str, dict[str, tuple[Source, ...]]] = {
    "train": {
        "sans": _plain(_LIBERATION + "Sans-Regular", _LIBERATION + "Sans-Regular", _LIBERATION + "SansNarrow-Regular"),
        "sans_bold": _plain(_LIBERATION + "Sans-Bold", _LIBERATION + "Sans-Bold", _LIBERATION + "SansNarrow-Bold"),
        "serif": _plain(_LIBERATION + "Serif-Regular", _LIBERATION + "Serif-Regular", _LIBERATION + "Serif-Bold"),
        "mono": _plain(_LIBERATION + "Mono-Regular", _LIBERATION + "Mono-Bold"),
        "song": (_UMING, _SUNGTI, _bold(_SUNGTI)),
        "hei": (_ZENHEI, _MICROHEI),
        "hei_bold": (_bold(_ZENHEI), _bold(_MICROHEI)),
        "kai": (_KAITI,),
        "ocr": (("opentype/ocr-b/OCRB.otf", 0, 0.0),),
    },
    "val": {
        "sans": _plain(_DEJAVU + "Sans", _DEJAVU + "SansCondensed"),
        "sans_bold": _plain(_DEJAVU + "Sans-Bold", _DEJAVU + "SansCondensed-Bold"),
        "serif": _plain(_DEJAVU + "Serif", _DEJAVU + "SerifCondensed"),
        "mono": _plain(_DEJAVU + "SansMono", _DEJAVU + "SansMono-Bold"),
        "song": (_NOTO_SERIF, _NOTO_SERIF_BOLD),
        "hei": (_NOTO_SANS,),
        "hei_bold": (_NOTO_SANS_BOLD,),
        "kai": (_UKAI,),
        "ocr": _plain("truetype/ocr-a/OCRA", "truetype/ocr-a/OCRABold"),
    },
}

# Where a font lacks a character, these are asked in turn.
_FALLBACKS: dict[str, tuple[Source, ...]] = {
    "train": (_ZENHEI, _UMING, *_plain(_LIBERATION + "Sans-Regular")),
    "val": (_NOTO_SANS, *_plain(_DEJAVU + "Sans")),
}

_TOKEN = re.compile(r"[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]|[^\s\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]+|\s+")
_CLOSING = "，。、；：！？）】》」』”’％,.;:!?)%"  # no line begins with these


class _Face:
    """One font file; what is measured is kept per character."""

    def __init__(self, path: Path, index: int) -> None:
        self._path, self._index = path, index
        self._wide, self._tall, self._small = self.at(_REFERENCE), self.at(_INK), self.at(_PROBE)
        missing = self._small.getmask("\U0010fffe")
        self._missing = (missing.size, bytes(missing))
        self._advances: dict[str, float] = {}
        self._extents: dict[str, tuple[float, float]] = {}
        self._has: dict[str, bool] = {}

    @lru_cache(maxsize=64)  # noqa: B019  (faces live as long as the process)
    def at(self, size: int) -> ImageFont.FreeTypeFont:
        """The font at a size in pixels; without kerning, so that a text is as long as its characters together."""
        return ImageFont.truetype(str(self._path), size, index=self._index, layout_engine=ImageFont.Layout.BASIC)

    def advance(self, char: str) -> float:
        """How far a character moves the pen, as a fraction of the size."""
        advance = self._advances.get(char)
        if advance is None:
            advance = self._advances[char] = self._wide.getlength(char) / _REFERENCE
        return advance

    def extent(self, char: str) -> tuple[float, float]:
        """How far a character's ink reaches above and below the baseline, as fractions of the size."""
        extent = self._extents.get(char)
        if extent is None:
            _, top, _, bottom = self._tall.getbbox(char, anchor="ls")
            extent = self._extents[char] = (-top / _INK, bottom / _INK)
        return extent

    def has(self, char: str) -> bool:
        """Whether the font draws this character (white space always counts)."""
        found = self._has.get(char)
        if found is None:
            mask = self._small.getmask(char)
            found = char.isspace() or (mask.size[0] > 0 and (mask.size, bytes(mask)) != self._missing)
            self._has[char] = found
        return found


class Font:
    """A font with others behind it for the characters it lacks. Sizes are pixels per em.

    ``ascent`` and ``descent`` tell how far ordinary text reaches above and below its baseline, as fractions of the
    size: the ink of letters, not the font's line spacing, for these are what a text detector sees.
    """

    def __init__(self, faces: tuple[_Face, ...], *, bold: float = 0.0) -> None:
        self._faces = faces
        self._bold = bold
        self._where: dict[str, _Face] = {}
        self._advances: dict[str, float] = {}
        sample = "国" if faces[0].has("国") else "Ag"
        self.ascent, self.descent = self.extent(sample)

    def covers(self, text: str) -> bool:
        """Whether this font, with those behind it, draws every character."""
        return all(self._face(char).has(char) for char in text)

    def length(self, text: str, size: float) -> float:
        """The width of a text in pixels."""
        try:
            return sum(map(self._advances.__getitem__, text)) * size
        except KeyError:
            self._advances.update({char: self._face(char).advance(char) for char in text})
            return self.length(text, size)

    def extent(self, text: str) -> tuple[float, float]:
        """How far a text's ink reaches above and below the baseline, as fractions of the size."""
        extents = [self._face(char).extent(char) for char in set(text) if not char.isspace()]
        if not extents:
            return 0.0, 0.0
        above, below = max(extent[0] for extent in extents), max(extent[1] for extent in extents)
        return above + self._bold, below + self._bold

    def broken(self, text: str, size: float, first_width: float, width: float) -> list[str]:
        """Break a text into lines: Latin text at spaces, Chinese anywhere, words too long for a line anywhere.

        The first line may be empty, when nothing fits into ``first_width`` pixels that would fit into ``width``.
        """
        lines: list[str] = []
        line, room = "", first_width
        for token in self._tokens(text, size, width):
            fits = self.length(line + token.rstrip(), size) <= room
            if fits or (line and token in _CLOSING) or (not line and (lines or first_width >= width)):
                line += token
            else:
                lines.append(line.rstrip())
                line, room = token.lstrip(), width
        return [*lines, line.rstrip()]

    def draw(
        self, canvas: ImageDraw.ImageDraw, x: float, y: float, text: str, size: int, colour: int | tuple[int, int, int]
    ) -> None:
        """Draw a text from ``x`` on, with its baseline at ``y``; every character where :meth:`length` says.

        ``colour`` is RGB, or one number on a grey picture.
        """
        stroke = self._bold * size
        for char in text:
            face = self._face(char)
            if not char.isspace():
                canvas.text((x, y), char, fill=colour, font=face.at(size), anchor="ls", stroke_width=stroke)
            x += face.advance(char) * size

    def _face(self, char: str) -> _Face:
        face = self._where.get(char)
        if face is None:
            face = next((face for face in self._faces if face.has(char)), self._faces[0])
            self._where[char] = face
        return face

    def _tokens(self, text: str, size: float, width: float) -> list[str]:
        tokens: list[str] = []
        for token in _TOKEN.findall(text):
            if token.isspace():
                if tokens:
                    tokens[-1] += token
            elif self.length(token, size) <= width:
                tokens.append(token)
            else:
                tokens.extend(token)
        return tokens


class Palette:
    """The fonts of one document, one for each role, chosen by chance among those of its split.

    Args:
        split: ``train`` or ``val``.
        rng: Decides.

    Raises:
        DatasetError: No Latin or no Chinese font is installed.
    """

    __slots__ = ("sans", "sans_bold", "serif", "mono", "song", "hei", "hei_bold", "kai", "ocr", "split")

    def __init__(self, split: str, rng: random.Random) -> None:
        if split not in SOURCES:
            raise ValueError(f"split must be train or val, not {split!r}")
        self.split = split
        self.sans = _choose(split, "sans", rng)
        self.sans_bold = _choose(split, "sans_bold", rng)
        self.serif = _choose(split, "serif", rng)
        self.mono = _choose(split, "mono", rng)
        self.song = _choose(split, "song", rng)
        self.hei = _choose(split, "hei", rng)
        self.hei_bold = _choose(split, "hei_bold", rng)
        self.kai = _choose(split, "kai", rng)
        self.ocr = _choose(split, "ocr", rng)


def _choose(split: str, role: str, rng: random.Random) -> Font:
    return font(rng.choice(_available(split, role)), split)


@cache
def font(source: Source, split: str) -> Font:
    """The font of a source, with the split's fallbacks behind it."""
    others = _FALLBACKS[split]
    if "arphic" in source[0]:  # brush strokes go with brush strokes
        others = tuple(sorted(others, key=lambda other: "arphic" not in other[0]))
    behind = tuple(_face(other[:2]) for other in others if (ROOT / other[0]).exists())
    return Font((_face(source[:2]), *behind), bold=source[2])


@cache
def _face(source: tuple[str, int]) -> _Face:
    return _Face(ROOT / source[0], source[1])


@cache
def _available(split: str, role: str) -> tuple[Source, ...]:
    """The installed fonts for a role; where there are none, others of the same script, of this split if possible."""
    other = "val" if split == "train" else "train"
    alike = CHINESE if role in CHINESE else tuple(name for name in SOURCES[split] if name not in CHINESE)
    for place, roles in ((split, (role,)), (split, alike), (other, (role,)), (other, alike)):
        found = tuple(source for name in roles for source in SOURCES[place][name] if (ROOT / source[0]).exists())
        if found:
            if place != split:
                warnings.warn(
                    f"no font of the {split} split for {role!r}; taking one of {place}. Install: {PACKAGES}",
                    stacklevel=2,
                )
            return found
    script = "Chinese" if role in CHINESE else "Latin"
    raise DatasetError(f"no {script} font found below {ROOT}; install the Debian packages {PACKAGES}")
