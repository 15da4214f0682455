"""A page that is written but not yet drawn: text runs with the fields they carry, lines, boxes and seals.

Laying out costs a few milliseconds, drawing a hundred; training mostly needs no pixels.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from PIL import Image, ImageDraw

from models.layout_ner.example import Entity, Example, Span, TextLine
from models.layout_ner.synth.fonts import Font
from schemas.document import Polygon

Colour = tuple[int, int, int]
Paint = Callable[[Image.Image, ImageDraw.ImageDraw], None]

INK: Colour = (32, 34, 38)
MARGIN = 0.08  # of the font's size, between text and polygon, as people leave who label by hand
SMALLEST = 0.5  # of the font's size: a box reaches at least so far above the baseline, even round a row of dots


@dataclass(slots=True, frozen=True)
class Part:
    """A piece of a line. ``key`` names the entity the characters belong to (see :meth:`Sheet.entity`)."""

    text: str
    key: int | None = None


@dataclass(slots=True)
class Run:
    """One printed line: what a text detector should find as one box. ``x`` and ``y``: left end of the baseline."""

    parts: tuple[Part, ...]
    x: float
    y: float
    font: Font
    size: int
    colour: Colour

    @property
    def text(self) -> str:
        """All characters."""
        return "".join(part.text for part in self.parts)


@dataclass(slots=True)
class _Named:
    name: str
    value: str | None
    group: int | None


@dataclass(slots=True)
class Sheet:
    """A page under construction; sizes in pixels. ``paint`` holds what is drawn under and over the text."""

    width: int
    height: int
    paper: Colour = (255, 255, 255)
    runs: list[Run] = field(default_factory=list)
    under: list[Paint] = field(default_factory=list)
    over: list[Paint] = field(default_factory=list)
    links: list[tuple[int, int]] = field(default_factory=list)
    named: list[_Named] = field(default_factory=list)

    def entity(self, name: str, value: str | None = None, group: int | None = None) -> int:
        """Announce an occurrence of a field; the number goes into the :class:`Part` objects that spell it."""
        self.named.append(_Named(name, value, group))
        return len(self.named) - 1

    def link(self, question: int, answer: int) -> None:
        """Say that one entity is the answer to another (forms)."""
        self.links.append((question, answer))

    def text(
        self,
        x: float,
        y: float,
        content: str | Part | Sequence[Part],
        font: Font,
        size: int,
        *,
        colour: Colour = INK,
        anchor: str = "l",
    ) -> float:
        """Write one line with its baseline at ``y``; ``anchor`` l, m or r says what ``x`` is. Returns its right end."""
        if isinstance(content, str):
            content = Part(content)
        parts = (content,) if isinstance(content, Part) else tuple(content)
        length = font.length("".join(part.text for part in parts), size)
        left = x - {"l": 0.0, "m": length / 2, "r": length}[anchor]
        self.runs.append(Run(parts, left, y, font, size, colour))
        return left + length

    def wrapped(
        self,
        x: float,
        y: float,
        content: str | Part,
        font: Font,
        size: int,
        *,
        width: float,
        leading: float = 1.35,
        colour: Colour = INK,
        anchor: str = "l",
        first: Sequence[Part] = (),
        hanging: bool = True,
    ) -> float:
        """Write text broken to ``width`` pixels; returns the baseline after the last line.

        ``first`` are parts that stand before the text on its first line (a label, say); with ``hanging``, later lines
        begin where the text began, else at ``x``.
        """
        part = Part(content) if isinstance(content, str) else content
        indent = font.length("".join(piece.text for piece in first), size)
        later = indent if hanging else 0.0
        for number, piece in enumerate(font.broken(part.text, size, width - indent, width - later)):
            head = tuple(first) if number == 0 else ()
            shift = 0.0 if number == 0 else later
            self.text(x + shift, y, (*head, Part(piece, part.key)), font, size, colour=colour, anchor=anchor)
            y += leading * size
        return y

    def example(self, name: str, doc_type: str | None) -> Example:
        """What is written on the page, run by run, in the order of writing. Empty runs are left out."""
        lines: list[TextLine] = []
        spans: dict[int, list[Span]] = {}
        for run in self.runs:
            text = run.text
            if not text.strip():
                continue
            lines.append(TextLine(text, self.polygon(run)))
            start = 0
            for part in run.parts:
                end = start + len(part.text)
                if part.key is not None and part.text.strip():
                    lead = len(part.text) - len(part.text.lstrip())
                    spans.setdefault(part.key, []).append(
                        Span(len(lines) - 1, start + lead, start + len(part.text.rstrip()))
                    )
                start = end
        entities: list[Entity] = []
        numbers: dict[int, int] = {}
        for key, named in enumerate(self.named):
            if key in spans:
                numbers[key] = len(entities)
                entities.append(Entity(named.name, tuple(spans[key]), named.group, named.value))
        links = [(numbers[a], numbers[b]) for a, b in self.links if a in numbers and b in numbers]
        example = Example(name, doc_type, self.width, self.height, lines, entities, links=links)
        for entity in entities:
            example.values.setdefault(entity.name, []).append(example.text_of(entity))
        return example

    def polygon(self, run: Run) -> Polygon:
        """The box of a run, kept inside the page: the ink of its characters with a little space around."""
        margin = MARGIN * run.size
        above, below = run.font.extent(run.text)
        above, below = max(above, SMALLEST), max(below, 0.0)
        left, right = run.x - margin, run.x + run.font.length(run.text, run.size) + margin
        top, bottom = run.y - above * run.size - margin, run.y + below * run.size + margin
        left, right = max(0.0, left), min(float(self.width), right)
        top, bottom = max(0.0, top), min(float(self.height), bottom)
        return (left, top), (right, top), (right, bottom), (left, bottom)

    def draw(self) -> Image.Image:
        """Draw the page as RGB."""
        image = Image.new("RGB", (self.width, self.height), self.paper)
        canvas = ImageDraw.Draw(image)
        for paint in self.under:
            paint(image, canvas)
        for run in self.runs:
            run.font.draw(canvas, run.x, run.y, run.text, run.size, run.colour)
        for paint in self.over:
            paint(image, canvas)
        return image

    # --- what is not text -----------------------------------------------------------------------------------------

    def rule(self, x0: float, y0: float, x1: float, y1: float, width: int = 2, colour: Colour = INK) -> None:
        """A straight line."""
        self.under.append(lambda _, canvas: canvas.line((x0, y0, x1, y1), fill=colour, width=width))

    def frame(
        self,
        x0: float,
        y0: float,
        x1: float,
        y1: float,
        width: int = 2,
        colour: Colour = INK,
        fill: Colour | None = None,
    ) -> None:
        """A rectangle."""
        self.under.append(lambda _, canvas: canvas.rectangle((x0, y0, x1, y1), outline=colour, width=width, fill=fill))
