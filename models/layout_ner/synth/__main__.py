"""Write synthetic documents with their truth: ``python -m models.layout_ner.synth --out DIR --count N``."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from models.layout_ner.synth.write import write
from schemas.errors import InklaneError


def main(arguments: list[str] | None = None) -> int:
    """Run the command; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m models.layout_ner.synth", description=__doc__)
    parser.add_argument("--out", type=Path, required=True, help="folder for images/ and labels.jsonl")
    parser.add_argument("--count", type=int, default=100, help="how many documents (100)")
    parser.add_argument("--split", choices=("train", "val"), default="train", help="which templates and fonts (train)")
    parser.add_argument("--seed", type=int, default=0, help="other seeds give other documents (0)")
    parser.add_argument("--types", nargs="+", metavar="TYPE", help="document types, in turn; 'other' for none of them")
    parser.add_argument("--clean", action="store_true", help="no camera, scanner, folds or shadows")
    given = parser.parse_args(arguments)
    if given.count < 1:
        parser.error("--count must be at least 1")
    written = 0
    try:
        for _ in write(given.out, given.count, given.split, given.seed, given.types, effects=not given.clean):
            written += 1
            if written % 50 == 0:
                print(f"{written} of {given.count}", file=sys.stderr)
    except InklaneError as error:
        print(error.message, file=sys.stderr)
        return 1
    print(f"{written} documents in {given.out}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
