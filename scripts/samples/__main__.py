"""Draw all samples: ``python -m scripts.samples [FOLDER]`` (default: samples)."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from PIL import Image

from models.layout_ner.example import Example
from models.layout_ner.synth.fonts import PACKAGES
from models.layout_ner.synth.write import record
from scripts.samples import booklets, forms, generated, letters, receipts, truth
from scripts.samples.sheet import Sheet

_EXIF_ORIENTATION = 0x0112
_DPI = 120.0
_DRAWN = time.gmtime(0)  # the same file each time


def main(folder: Path) -> None:
    """Write the pictures to ``folder/images`` and the truth to ``folder/labels.jsonl``.

    Raises:
        SystemExit: a font is missing.
    """
    missing = generated.missing_fonts()
    if missing:
        raise SystemExit(f"{missing[0]} is missing: apt-get install {PACKAGES}")
    (folder / "images").mkdir(parents=True, exist_ok=True)
    records = [*_drawn_by_hand(folder / "images"), *_generated(folder / "images")]
    with (folder / "labels.jsonl").open("w", encoding="utf-8") as file:
        file.writelines(json.dumps(each, ensure_ascii=False) + "\n" for each in records)


def records_of(name: str, pages: Sequence[Example]) -> list[dict[str, Any]]:
    """The lines of ``labels.jsonl`` about one file (docs/evaluation.md)."""
    found = []
    for number, page in enumerate(pages, 1):
        whole = record(page, f"images/{name}")
        chosen = {key: whole[key] for key in ("image", "width", "height", "doc_type", "lines")}
        if len(pages) > 1:
            chosen["page"] = number
        if whole["fields"]:
            chosen["fields"] = whole["fields"]
        found.append(chosen)
    return found


def _drawn_by_hand(images: Path) -> list[dict[str, Any]]:
    records: list[dict[str, Any]] = []

    def add(name: str, pages: Sequence[Sheet]) -> None:
        records.extend(records_of(name, truth.example(name, pages)))

    def single(name: str, sheet: Sheet, image: Image.Image | None = None, **save: Any) -> None:
        (image or sheet.image).save(images / name, **save)
        add(name, [sheet])

    single("receipt-cafe.jpg", receipts.cafe(), quality=82)
    sheet = receipts.supermarket()
    single("receipt-long.png", sheet, sheet.image.convert("L").quantize(8), optimize=True)
    single("receipt-photo.jpg", receipts.hardware_photo(), quality=78)
    single("form-allotment.jpg", forms.allotment_form(), quality=72)
    single("form-chinese.jpg", forms.chinese_form(), quality=72)
    single("card-chinese.webp", forms.chinese_card(), quality=78)
    single("newsletter-columns.jpg", letters.newsletter(), quality=72)
    single("invoice-skewed.jpg", letters.invoice(), quality=74)
    sheet = letters.timetable()  # lies on its side: the reader has to turn it by 90 degrees
    single("timetable-turned.jpg", sheet, sheet.image.transpose(Image.Transpose.ROTATE_90), quality=74)
    sheet = letters.memo()
    single("memo-noisy.jpg", sheet, sheet.image.convert("L"), quality=60)
    sheet = letters.notice()
    exif = Image.Exif()
    exif[_EXIF_ORIENTATION] = 6  # "turn clockwise to show", so it is stored turned the other way
    single("notice-exif.jpg", sheet, sheet.image.transpose(Image.Transpose.ROTATE_90), quality=78, exif=exif)

    pages = booklets.lease()
    _pdf(images / "lease.pdf", [page.image.convert("L") for page in pages], quality=70)
    add("lease.pdf", pages)
    pages = booklets.fax()
    first, *rest = (page.image.convert("L").point(lambda v: 255 * (v > 150)).convert("1") for page in pages)
    first.save(images / "fax.tiff", save_all=True, append_images=rest, compression="group4", dpi=(100, 100))
    add("fax.tiff", pages)
    return records


def _generated(images: Path) -> list[dict[str, Any]]:
    records = []
    for entry in generated.ENTRIES:
        image, example = generated.draw(entry)
        if entry.name.endswith(".png"):
            image.quantize(32).save(images / entry.name, optimize=True)
        else:
            (images / entry.name).write_bytes(generated.jpeg(image))
        records += records_of(entry.name, [example])
    pages = [generated.draw(entry) for entry in generated.POLICY]
    name = generated.POLICY[0].name
    _pdf(images / name, [image.convert("L") for image, _ in pages], quality=62)
    return records + records_of(name, [example for _, example in pages])


def _pdf(path: Path, pages: Sequence[Image.Image], quality: int) -> None:
    pages[0].save(
        path,
        save_all=True,
        append_images=pages[1:],
        resolution=_DPI,
        quality=quality,
        creationDate=_DRAWN,
        modDate=_DRAWN,
    )


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "samples"))
