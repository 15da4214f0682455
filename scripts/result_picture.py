"""Draw the picture of a result that the README shows: ``python -m scripts.result_picture [DOCUMENT] [PNG]``.

Draw it anew when the models or the look of pictures change, and look at it.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from PIL import Image

from pipeline.api import Inklane
from pipeline.visualise import draw, upright
from schemas.settings import Limits
from stages.decode.document import open_document

DOCUMENT = Path("samples/images/receipt-photo.jpg")
PICTURE = Path("docs/images/result.png")
WIDTH = 1152  # pixels; the README shows it so wide
_COLOURS = 256
_DPI = 150  # of PDFs; nothing else has a choice


def main(document: Path, picture: Path) -> None:
    """Read the first page of a document, draw lines and fields over it and the text beside it.

    Raises:
        InklaneError: the document cannot be read.
    """
    with Inklane(in_process=True) as inklane:
        result = inklane.read_one(document)
    page = result.pages[0]
    with open_document(document, limits=Limits(), dpi=_DPI) as opened:
        image = opened.decode(page.page)
    pixels = upright(image.pixels, page.angle - image.angle)
    drawn = draw(pixels, page, fields=result.fields, panel=True, legend=True)
    whole = Image.fromarray(np.ascontiguousarray(drawn[..., ::-1]))
    small = whole.resize((WIDTH, round(whole.height * WIDTH / whole.width)), Image.Resampling.LANCZOS)
    few = small.quantize(_COLOURS, Image.Quantize.MAXCOVERAGE)  # the legend's colours must survive
    few.save(picture, optimize=True)
    print(f"{picture}: {result.doc_type or 'no known type'}, fields: {', '.join(result.fields) or 'none'}")


if __name__ == "__main__":
    given = [Path(text) for text in sys.argv[1:]]
    main(given[0] if given else DOCUMENT, given[1] if len(given) > 1 else PICTURE)
