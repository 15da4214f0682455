"""A train ticket while it is written: places in hundredths of its width, and the fields every ticket has."""

from __future__ import annotations

import random
from dataclasses import dataclass

from models.layout_ner.synth.fonts import Font
from models.layout_ner.synth.sheet import INK, Colour, Part, Sheet
from models.layout_ner.synth.templates.parts import fitting, maybe
from models.layout_ner.synth.templates.train_parts import Journey, arrow, departure_parts, spelling


@dataclass(slots=True)
class Ticket:
    """A ticket while it is written; ``u`` is a hundredth of its width."""

    sheet: Sheet
    rng: random.Random
    font: Font
    u: float
    trip: Journey

    def put(
        self,
        x: float,
        y: float,
        parts: str | Part | list[Part],
        size: float,
        *,
        font: Font | None = None,
        colour: Colour = INK,
        anchor: str = "l",
        room: float = 60,
    ) -> float:
        """Write at a place given in hundredths of the width (``y`` is a baseline), ``room`` wide at most."""
        font = font or self.font
        shown = [parts] if isinstance(parts, (str, Part)) else parts
        pieces = [Part(part) if isinstance(part, str) else part for part in shown]
        text = "".join(part.text for part in pieces)
        whole = fitting(font, text, max(9, round(size * self.u)), room * self.u, 8)
        return self.sheet.text(x * self.u, y * self.u, pieces, font, whole, colour=colour, anchor=anchor) / self.u

    def named(self, name: str, text: str, value: str | None = None) -> Part:
        """A value as a field."""
        return Part(text, self.sheet.entity(name, text if value is None else value))

    def moment(self, y: float, x: float, size: float, *, apart: bool, ending: str = "开") -> None:
        """When the train leaves; date and time in one run or in two."""
        key = self.sheet.entity("departure", self.trip.leaves.isoformat(timespec="minutes"))
        day, clock = departure_parts(self.rng, self.trip.leaves)
        if apart:
            end = self.put(x, y, Part(day, key), size, room=34)
            self.put(end + 1.0 * size, y, [Part(clock, key), Part(ending)], size, room=16)
        else:
            self.put(
                x,
                y,
                [Part(day, key), Part(self.rng.choice((" ", "", "  "))), Part(clock, key), Part(ending)],
                size,
                room=48,
            )

    def seat(self, x: float, y: float, size: float, *, anchor: str = "l", apart: bool = False) -> None:
        """Carriage and place."""
        key = self.sheet.entity("seat", f"{self.trip.carriage}{self.trip.place}")
        if apart:
            end = self.put(x, y, Part(self.trip.carriage, key), size, room=14)
            self.put(end + 1.0 * size, y, Part(self.trip.place, key), size, room=16)
        else:
            self.put(x, y, Part(f"{self.trip.carriage}{self.trip.place}", key), size, anchor=anchor, room=28)

    def stations(
        self,
        y: float,
        size: float,
        left: float,
        right: float,
        *,
        suffix: str,
        apart: bool,
        spelled: bool,
        colour: Colour,
    ) -> None:
        """Origin, train and destination in one row."""
        trip, ends = self.trip, []
        for name, station, x, anchor in (
            ("origin", trip.origin, left, "l"),
            ("destination", trip.destination, right, "r"),
        ):
            part = self.named(name, station)
            start = (
                x
                if anchor == "l"
                else x - size * (len(station) + (1.4 if suffix and apart else 1.0 if suffix else 0.0))
            )
            if suffix and apart:
                end = self.put(start, y, part, size, room=24)
                self.put(end + 0.55 * size, y, suffix, size * 0.7, room=6)
                end += 1.4 * size
            else:
                end = self.put(start, y, [part, Part(suffix)] if suffix else part, size, room=27)
            if spelled:
                self.put(start, y + size * 0.75, spelling(self.rng, station), size * 0.55, room=24)
            ends.append((start, end))
        middle = (ends[0][1] + ends[1][0]) / 2
        train_size = min(size * 1.05, (ends[1][0] - ends[0][1]) * 0.25)
        self.put(middle, y - 0.25 * size, self.named("train", trip.train), train_size, anchor="m", room=16)
        arrow(self.sheet, (middle - 7) * self.u, (middle + 7) * self.u, (y + 0.25 * size) * self.u, colour)

    def price(self, x: float, y: float, size: float, *, label: str = "") -> None:
        """The price, its sign outside of the field."""
        text = f"{self.trip.price:.1f}" if maybe(self.rng, 0.6) else f"{self.trip.price:.2f}"
        sign = self.rng.choice(("￥", "¥", "￥"))
        self.put(
            x,
            y,
            [
                Part(label + sign),
                self.named("price", text, f"{self.trip.price}"),
                Part(self.rng.choice(("元", "元", ""))),
            ],
            size,
            room=30,
        )

    def person(self, x: float, y: float, size: float, *, number: str, name_first: bool, apart: bool) -> None:
        """Passenger and identity number."""
        parts = [self.named("id_number", number), self.named("passenger", self.trip.passenger)]
        if name_first:
            parts.reverse()
        if apart:
            end = self.put(x, y, parts[0], size, room=40)
            self.put(end + 1.1 * size, y, parts[1], size, room=30)
        else:
            self.put(x, y, [parts[0], Part(self.rng.choice((" ", "", "  "))), parts[1]], size, room=62)
