"""Draw all samples: ``python -m scripts.samples [FOLDER]`` (default: samples)."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from PIL import Image

from scripts.samples import booklets, forms, letters, receipts
from scripts.samples.sheet import Sheet

_EXIF_ORIENTATION = 0x0112


def main(folder: Path) -> None:
    """Write the pictures to ``folder/images`` and the truth to ``folder/labels.jsonl``."""
    images = folder / "images"
    images.mkdir(parents=True, exist_ok=True)
    records: list[dict[str, Any]] = []

    def add(name: str, pages: Sequence[Sheet], **extra: Any) -> None:
        for number, sheet in enumerate(pages, 1):
            records.append(
                {
                    "image": f"images/{name}",
                    **({"page": number} if len(pages) > 1 else {}),
                    "width": sheet.width,
                    "height": sheet.height,
                    "lines": [
                        {"text": label.text, "polygon": [[round(x, 1), round(y, 1)] for x, y in label.polygon]}
                        for label in sheet.labels
                    ],
                    **(extra if number == 1 else {}),
                }
            )

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
    first, *rest = (page.image.convert("L") for page in pages)
    drawn = time.gmtime(0)  # the same file each time
    first.save(
        images / "lease.pdf",
        save_all=True,
        append_images=rest,
        resolution=120.0,
        quality=70,
        creationDate=drawn,
        modDate=drawn,
    )
    add("lease.pdf", pages)
    pages = booklets.fax()
    first, *rest = (page.image.convert("L").point(lambda v: 255 * (v > 150)).convert("1") for page in pages)
    first.save(images / "fax.tiff", save_all=True, append_images=rest, compression="group4", dpi=(100, 100))
    add("fax.tiff", pages)

    with (folder / "labels.jsonl").open("w", encoding="utf-8") as file:
        file.writelines(json.dumps(record, ensure_ascii=False) + "\n" for record in records)


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "samples"))
