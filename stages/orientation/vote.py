"""From the classifier's opinions on a page's lines to a turn of the page.

Turning an upright page spoils it, while most pages come upright: so without strong agreement a page stays as it is.
"""

from __future__ import annotations

from collections.abc import Sequence

LOOKS = (3, 9, 18)
"""Pieces of text seen at first, and after each look that leaves a doubt."""

MIN_VOTES = 2
"""A single piece of text never turns a page."""

MIN_TALL_LINES = 3
"""One column of vertical text, or a lone tall glyph, is no turned page."""


def lead(upside_down: Sequence[float]) -> float:
    """How far the votes agree: 1 for all surely upside down, -1 for all surely upright, 0 for none or a tie."""
    return 2 * sum(upside_down) / len(upside_down) - 1 if upside_down else 0.0


def lead_to_turn(votes: int) -> float:
    """The lead that turns a page: the fewer votes, the more they must agree.

    On 100 forms and receipts, English and Chinese, every page had a lead of at least 0.4 towards the truth after 9
    votes; three votes drawn at random stood above 0.75 for the wrong side on fewer than 2 draws in 10,000.
    """
    return 0.35 + 1.2 / max(1, votes)


def decide(tall: bool, upside_down: Sequence[float], lines: int) -> int:
    """How far the page must be turned clockwise to stand upright: 0, 90, 180 or 270 degrees.

    Args:
        tall: the page's lines run up or down, and were shown turned a quarter counterclockwise.
        upside_down: for each piece shown, the probability that it stands on its head.
        lines: from how many lines the pieces come.
    """
    ahead = lead(upside_down)
    if len(upside_down) < MIN_VOTES or abs(ahead) < lead_to_turn(len(upside_down)):
        return 0
    if not tall:
        return 180 if ahead > 0 else 0
    if lines < MIN_TALL_LINES:
        return 0
    return 90 if ahead > 0 else 270


def is_settled(tall: bool, upside_down: Sequence[float]) -> bool:
    """Whether looking at more lines is not worth it.

    Three votes are enough to leave a page of level lines as it is, not to turn one.
    """
    if not tall and upside_down and max(upside_down) < 0.9 and lead(upside_down) < -0.6:
        return True
    return len(upside_down) >= LOOKS[1] and abs(lead(upside_down)) > 0.75


MAX_UPRIGHT = 0.17
"""Columns whose characters, written side by side, are upside down with less than this mean probability are vertical
text on an upright page (0.00 to 0.13 on columns of Chinese; 0.66 to 1 for Chinese forms turned clockwise, and 0.22 to
0.65 for English ones, whose letters lie on their side)."""


def is_vertical_text(upside_down: Sequence[float]) -> bool:
    """Whether columns that run down hold upright characters, from :func:`samples.upright_characters`' opinions."""
    return bool(upside_down) and sum(upside_down) / len(upside_down) < MAX_UPRIGHT
