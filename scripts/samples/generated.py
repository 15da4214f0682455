"""Documents of every type out of the generator that also makes the training pages (models/layout_ner/synth).

Only template families and fonts that are kept out of training are used, so that these pages are new to the network.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from io import BytesIO

import numpy as np
from PIL import Image

from models.layout_ner.example import Example, TextLine
from models.layout_ner.synth import fonts
from models.layout_ner.synth.effects import distort
from models.layout_ner.synth.fonts import Palette
from models.layout_ner.synth.generate import families, generator
from models.layout_ner.synth.sheet import Part, Sheet

SPLIT = "val"
LARGEST_SIDE = 1440  # pixels
LARGEST_FILE = 160_000  # bytes
_QUALITIES = (86, 80, 74, 68, 62, 56, 50)


@dataclass(slots=True, frozen=True)
class Entry:
    """One file: which template, which of its documents, and which picture of it (None: clean, as from a computer)."""

    name: str
    family: str
    seed: int
    picture: int | None


ENTRIES = (
    Entry("receipt-takeaway.jpg", "val_cafe", 4, 4),
    Entry("receipt-counter.jpg", "val_cafe", 6, 1),
    Entry("receipt-cash-bill.jpg", "val_cash_bill", 2, 0),
    Entry("receipt-copy.jpg", "val_cash_bill", 4, 2),
    Entry("receipt-chinese-shop.jpg", "val_zh_counter", 4, 1),
    Entry("receipt-chinese-card-slip.jpg", "val_zh_card", 4, 0),
    Entry("id-card-both-sides.jpg", "id_val_page", 6, 0),
    Entry("id-card-copy.jpg", "id_val_page", 5, 4),
    Entry("id-card-register.jpg", "id_val_table", 2, None),
    Entry("id-card-reader.jpg", "id_val_table", 4, 2),
    Entry("vat-invoice-electronic.jpg", "val_vat_boxes", 5, None),
    Entry("vat-invoice-paper.jpg", "val_vat_boxes", 10, 2),
    Entry("vat-invoice-digital.png", "val_vat_stacked", 3, None),
    Entry("vat-invoice-special.jpg", "val_vat_stacked", 7, 2),
    Entry("policy-transport.jpg", "policy_val_zh_parts", 6, 1),
    Entry("policy-vehicle.jpg", "policy_val_zh_vehicle", 1, 5),
    Entry("policy-certificate.jpg", "policy_val_en_columns", 1, 11),
    Entry("policy-declarations.jpg", "policy_val_en_declarations", 3, None),
    Entry("bank-card-photo.jpg", "card_val_centred", 13, 13),
    Entry("bank-card-groups.jpg", "card_val_centred", 35, None),
    Entry("bank-card-credit.jpg", "card_val_strip", 13, 3),
    Entry("bank-card-debit.jpg", "card_val_strip", 32, 1),
    Entry("licence-upright.jpg", "licence_val_upright", 6, 7),
    Entry("licence-upright-scan.jpg", "licence_val_upright", 5, 2),
    Entry("licence-duplicate.jpg", "licence_val_wide", 1, 12),
    Entry("licence-original.jpg", "licence_val_wide", 3, None),
    Entry("train-ticket.jpg", "val_train_early", 2, 2),
    Entry("train-ticket-copy.jpg", "val_train_early", 5, 3),
    Entry("train-order.png", "val_train_itinerary", 4, None),
    Entry("train-confirmation.jpg", "val_train_itinerary", 1, 7),
    Entry("form-checklist.jpg", "form_val_en_halves", 2, 1),
    Entry("form-shipment.jpg", "form_val_en_halves", 3, None),
    Entry("form-proposal.jpg", "form_val_en_office", 6, 0),
    Entry("form-chinese-approval.jpg", "form_val_zh_mixed", 5, 0),
    Entry("form-chinese-record.jpg", "form_val_zh_thirds", 6, None),
    Entry("other-essay.jpg", "val_essay", 2, 0),
    Entry("other-newspaper.jpg", "val_newspaper", 2, 6),
    Entry("other-parcel.jpg", "val_parcel", 1, 5),
    Entry("other-parcel-chinese.jpg", "val_parcel", 5, None),
)

# A policy of two pages: the second has no fields, and nothing should be invented there.
POLICY = (Entry("policy-two-pages.pdf", "policy_val_zh_parts", 3, 4), Entry("policy-two-pages.pdf", "terms", 0, 0))

_TERMS = (
    ("第一条 保险责任", "在保险期间内，被保险人发生本合同约定的保险事故，保险人按照约定的保险金额承担给付责任。"),
    ("第二条 责任免除", "因战争、核辐射、故意行为或者违法行为造成的损失，保险人不承担责任。"),
    ("第三条 保险费", "投保人应当按时交纳保险费。逾期未交的，宽限期为六十日，宽限期内发生的事故仍予承保。"),
    ("第四条 通知义务", "保险事故发生后，投保人、被保险人或者受益人应当及时通知保险人，并说明事故的原因和经过。"),
    ("第五条 索赔材料", "申请给付时，应当提交申请书、身份证明、医疗记录以及与事故有关的其他材料的原件或者复印件。"),
    ("第六条 合同解除", "投保人可以书面通知解除合同。保险人自收到通知之日起三十日内退还现金价值。"),
    ("第七条 争议处理", "因履行本合同发生的争议，由双方协商解决；协商不成的，依法向人民法院起诉。"),
)


def missing_fonts() -> list[str]:
    """Paths of the fonts needed that are not installed: without them the pages would come out with others."""
    paths = sorted({source[0] for sources in fonts.SOURCES[SPLIT].values() for source in sources})
    return [str(fonts.ROOT / path) for path in paths if not (fonts.ROOT / path).exists()]


def draw(entry: Entry) -> tuple[Image.Image, Example]:
    """The picture (RGB) and its truth."""
    rng = generator(entry.seed, 0, entry.family)
    palette = Palette(SPLIT, rng)
    doc_type: str | None = "insurance_policy"
    if entry.family == "terms":
        sheet = _terms(palette)
    else:
        chosen = next(f for known in families(SPLIT).values() for f in known if f.name == entry.family)
        sheet, doc_type = chosen.template(rng, palette), chosen.doc_type
    example = sheet.example(entry.family, doc_type)
    pixels = np.asarray(sheet.draw(), dtype=np.uint8)
    if entry.picture is not None:
        pixels, example = distort(pixels, example, generator(entry.picture, 0, f"picture of {entry.family}"))
    return _fitted(Image.fromarray(pixels), example)


def jpeg(image: Image.Image) -> bytes:
    """As JPEG, in the best quality that is small enough."""
    for quality in _QUALITIES:
        buffer = BytesIO()
        image.save(buffer, "JPEG", quality=quality)
        if buffer.tell() <= LARGEST_FILE:
            break
    return buffer.getvalue()


def _fitted(image: Image.Image, example: Example) -> tuple[Image.Image, Example]:
    """Made smaller where it is too large."""
    scale = LARGEST_SIDE / max(image.size)
    if scale >= 1:
        return image, example
    width, height = round(image.width * scale), round(image.height * scale)
    across, down = width / image.width, height / image.height
    lines = []
    for line in example.lines:
        a, b, c, d = ((x * across, y * down) for x, y in line.polygon)
        lines.append(TextLine(line.text, (a, b, c, d)))
    small = image.resize((width, height), Image.Resampling.LANCZOS)
    return small, replace(example, width=float(width), height=float(height), lines=lines)


def _terms(palette: Palette) -> Sheet:
    """The second page of a policy: what it says about everybody's policy, nothing about this one."""
    sheet = Sheet(1000, 1280)
    sheet.text(500, 130, "保险条款（摘要）", palette.hei_bold, 40, anchor="m")
    y = 230.0
    for title, text in _TERMS:
        sheet.text(90, y, title, palette.hei_bold, 26)
        y = sheet.wrapped(90, y + 46, Part(text), palette.song, 25, width=820, leading=1.55) + 22
    sheet.text(500, 1230, "第2页 共2页", palette.song, 20, anchor="m")
    return sheet
