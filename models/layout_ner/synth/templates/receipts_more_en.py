"""More English receipts: printed cash bills, invoices on A4, hotels, taxis, chemists, car parks, cafés, mails."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import timedelta

from models.layout_ner.synth.fonts import Palette
from models.layout_ner.synth.registry import family
from models.layout_ner.synth.sheet import Part, Sheet
from models.layout_ner.synth.templates import bill_words_en as words
from models.layout_ner.synth.templates import pair_blocks as blocks
from models.layout_ner.synth.templates import scramble as chance
from models.layout_ner.synth.templates.bill_kit_en import Bill, bill
from models.layout_ner.synth.templates.labels import maybe
from models.layout_ner.synth.templates.pair_blocks import Entry
from models.layout_ner.synth.templates.parts import coded, pick
from models.layout_ner.synth.templates.receipt_style import TillStyle
from models.layout_ner.synth.templates.receipts_scrambled_en import divide
from models.layout_ner.synth.values import dates, identifiers, people, places


@family("bill_printed", "receipt", weight=1.2)
def bill_printed(rng: random.Random, palette: Palette) -> Sheet:
    """A printed cash bill that is filled in: the firm with a title beside it, a ruled table."""
    doc = bill(rng, palette, TillStyle(count=(1, 7), price=(2, 600)), across=(40, 62), countries=("MY", "MY", "UK"))
    area = doc.area
    title = pick(
        rng,
        (
            "INVOICE (COPY)|CASH BILL|TAX INVOICE|INVOICE COPY|CASH SALE|INVOICE|OFFICIAL RECEIPT|CASH MEMO|"
            "Cash Invoice|BILL (COPY)|DELIVERY ORDER / INVOICE"
        ),
    )
    place = rng.choice(("beside", "beside", "above", "below"))
    if place == "above":
        doc.title("m", title)
    doc.seller(align=rng.choice("mml"), beside=doc.cased(title) if place == "beside" else "")
    if place == "below":
        doc.title(rng.choice("lmr"), title)
    divide(doc)
    details = doc.details(0, 2)
    if maybe(rng, 0.6):
        left, right = (
            replace(area, width=0.52 * area.width),
            replace(area, left=area.left + 0.58 * area.width, width=0.42 * area.width),
        )
        Bill.customer(replace(doc, area=left))
        blocks.rows(right, details, 1, rng.choice(("beside", "tab", "ends", "right")))
        area.y = max(left.y, right.y)
    else:
        blocks.rows(area, details, rng.choice((1, 2)), rng.choice(("beside", "tab")))
        if maybe(rng, 0.7):
            area.line([Part(pick(rng, "M/S |To: |Messrs. |Sold to ")), Part(people.english_name(rng))])
    area.skip(0.4)
    doc.goods()
    rows = doc.sums(extra=maybe(rng, 0.3))
    doc.write_sums(rows)
    area.skip(rng.uniform(0.3, 2))
    area.sheet.text(
        area.left,
        area.base(),
        pick(rng, "E. & O. E.|Received by|Goods sold are not returnable"),
        area.how.value_font,
        area.size,
    )
    area.sheet.text(
        area.right,
        area.base(),
        pick(rng, "Authorised Signature|for the company|Signature"),
        area.how.value_font,
        area.size,
        anchor="r",
    )
    area.skip(2)
    return chance.close_page(area, least=0.5, most=1.3)


@family("bill_a4", "receipt", weight=1.2)
def bill_a4(rng: random.Random, palette: Palette) -> Sheet:
    """An invoice on A4 or A5: seller and details side by side, bill-to block, a table, sums, bank."""
    doc = bill(
        rng,
        palette,
        TillStyle(count=(1, 9), price=(5, 900), service=0.1),
        across=(58, 96),
        fonts=("sans", "sans", "serif"),
        upper=0.15,
    )
    area = doc.area
    swap = maybe(rng, 0.4)
    cut = rng.uniform(0.5, 0.6)
    sides = [
        replace(area, width=(cut - 0.04) * area.width),
        replace(area, left=area.left + cut * area.width, width=(1 - cut) * area.width),
    ]
    if swap:
        sides.reverse()
    seller, other = (replace(doc, area=side) for side in sides)
    top_title = maybe(rng, 0.3)
    if top_title:
        doc.title(rng.choice("lmr"))
        for side in sides:
            side.y = area.y
    seller.seller(align=rng.choice("lllr") if not swap else rng.choice("lr"))
    if not top_title:
        other.title(rng.choice("lr"))
    if maybe(rng, 0.8):
        blocks.rows(other.area, doc.details(0, 3), 1, rng.choice(("beside", "tab", "ends", "right")))
        late: list[Entry] = []
    else:
        late = doc.details(0, 3)
    area.y = max(side.y for side in sides) + rng.uniform(0.3, 1.5) * area.size
    if maybe(rng, 0.85):
        box = replace(area, width=0.55 * area.width)
        Bill.customer(replace(doc, area=box))
        area.y = box.y + 0.5 * area.size
    if late:
        blocks.heads(
            area,
            [entry for entry in late if entry.label][:5] if all(entry.label for entry in late[:5]) else late[:5],
            frame=maybe(rng, 0.7),
        )
        if late[5:]:
            blocks.rows(area, late[5:], 2)
    divide(doc)
    doc.goods()
    doc.write_sums(doc.sums(extra=maybe(rng, 0.3)))
    if maybe(rng, 0.6):
        pairs = [
            Entry("Bank", f"{pick(rng, 'First|Union|City|Metro')} Bank"),
            Entry(pick(rng, "Account No.|IBAN|A/C"), coded(rng, "##########")),
            Entry("Terms", pick(rng, "30 days|Net 14|C.O.D.")),
        ]
        blocks.rows(area, pairs, 1, rng.choice(("beside", "tab")))
    if maybe(rng, 0.4):
        later = doc.day + timedelta(days=rng.randint(7, 60))
        area.line(f"{pick(rng, 'Due date|Payment due|Please pay by')}: {dates.format_date(rng, later, 'en')}")
    doc.foot()
    return chance.close_page(area, least=0.7, most=1.42)


@family("bill_hotel", "receipt")
def bill_hotel(rng: random.Random, palette: Palette) -> Sheet:
    """A hotel's folio: guest and room, arrival and departure, charges by day; one date is the bill's."""
    doc = bill(rng, palette, TillStyle(count=(2, 8), price=(8, 400), service=0.5), across=(46, 80), upper=0.2)
    area = doc.area
    doc.seller(align=rng.choice("lmr"))
    doc.title(text=pick(rng, "GUEST FOLIO|INVOICE|Tax Invoice|INFORMATION INVOICE|Guest Bill|FINAL BILL|Hotel Receipt"))
    arrival = doc.day - timedelta(days=rng.randint(1, 9))
    stay = [
        Entry(pick(rng, "Guest|Guest Name|Name|Bill to"), people.english_name(rng)),
        Entry(pick(rng, "Room|Room No.|Room Number"), str(rng.randint(100, 2400))),
        Entry(pick(rng, "Arrival|Check-in|Arrival Date|Arr."), dates.format_date(rng, arrival, "en")),
        Entry(pick(rng, "Nights|Persons|Rate Plan|Pax"), str(rng.randint(1, 9))),
        Entry(pick(rng, "Conf. No.|Membership|Account"), coded(rng, "########")),
    ]
    entries = chance.mixed(rng, doc.details(0, 1), rng.sample(stay, rng.randint(2, 5)))
    chance.scramble(area, entries, halves=0.4)
    divide(doc)
    if maybe(rng, 0.5):
        charges = doc.sale.items
        font = area.how.value_font
        for item in charges:
            y = area.base()
            day = dates.format_date(rng, arrival, "en")
            area.sheet.text(area.left, y, day, font, area.size)
            area.sheet.text(area.left + 0.24 * area.width, y, doc.cased(item.name), font, area.size)
            area.sheet.text(area.right, y, doc.money(item.amount), font, area.size, anchor="r")
            area.skip(1.5)
    else:
        doc.goods()
    divide(doc)
    doc.write_sums(doc.sums())
    if maybe(rng, 0.6):
        area.line(
            pick(rng, "Guest signature|I agree that my liability for this bill is not waived|Signature"),
            align=rng.choice("lr"),
        )
    doc.foot(0, 2)
    return chance.close_page(area, least=0.7, most=1.4)


@family("bill_chemist", "receipt")
def bill_chemist(rng: random.Random, palette: Palette) -> Sheet:
    """A chemist's, clinic's or school's receipt: received from, for what, the sum; or a short list of medicines."""
    doc = bill(rng, palette, TillStyle(count=(1, 5), price=(2, 300)), across=(30, 56), upper=0.25)
    area = doc.area
    doc.seller(align=rng.choice("mml"))
    doc.title(
        text=doc.say(
            "OFFICIAL RECEIPT|Official Receipt|RECEIPT|PRESCRIPTION RECEIPT|Clinic Bill|PAYMENT RECEIPT|"
            "RESIT RASMI|Fee Receipt|BILL / RECEIPT|Dispensary Receipt"
        )
    )
    chance.scramble(area, doc.details(0, 2))
    payer = people.english_name(rng)
    person = [
        Entry(doc.say("Received from|Patient|Student|Name|Patient Name|Received with thanks from"), doc.cased(payer)),
        Entry(
            doc.say("Doctor|Prescriber|Class|Course|Being payment for|In payment of|For"),
            doc.cased(pick(rng, "Consultation|Year 4|Term fees|Dr. Lim|Medicine|Dental treatment")),
        ),
        Entry(doc.say("ID|NRIC|Patient ID|Matric No.|MRN"), coded(rng, "######-##-####")),
        Entry(doc.say("Payment by|Mode of payment|Paid by"), doc.cased(pick(rng, "Cash|Card|Cheque|Transfer"))),
    ]
    blocks.rows(area, rng.sample(person, rng.randint(1, 4)), 1, rng.choice(("beside", "tab", "right")))
    if maybe(rng, 0.7):
        doc.goods()
    divide(doc)
    doc.write_sums(doc.sums())
    if maybe(rng, 0.5):
        area.line(
            pick(rng, "Cashier's signature|This receipt is valid without a signature|Authorised signatory"),
            align=rng.choice("lr"),
        )
    doc.foot(0, 2)
    return chance.close_page(area, least=0.4, most=1.2)


@family("bill_booking", "receipt", weight=0.8)
def bill_booking(rng: random.Random, palette: Palette) -> Sheet:
    """A receipt of a courier, cinema, gym or utility: account details in boxes, a few charges, the sum in a box."""
    doc = bill(
        rng,
        palette,
        TillStyle(count=(1, 4), price=(3, 300), service=0.2),
        across=(36, 72),
        fonts=("sans", "serif"),
        upper=0.2,
    )
    area = doc.area
    beside = doc.say(words.TITLES) if maybe(rng, 0.5) else ""
    doc.seller(beside=beside, align=rng.choice("lmr"))
    if not beside:
        doc.title()
    near = [
        ("Account No.|Customer No.|Membership No.|Consignment No.|Meter No.", coded(rng, "##########")),
        ("Service Address|Deliver to|Address|Recipient", places.address_en(rng, doc.country)),
        ("Customer|Name|Member|Sender|Account Name", people.english_name(rng)),
        ("Weight|Usage|Units used|Screen|Seats|Plan", pick(rng, "1.20 kg|245 kWh|Hall 3|F12, F13|Standard|12 m3")),
        ("Phone|Contact|Mobile", identifiers.phone_en(rng)),
        ("Billing Period|Show Time|Valid for|Service", pick(rng, "1 month|19:45|Express|Next day|Annual")),
        ("Next due|Previous balance|Deposit", doc.money(doc.sale.items[0].price)),
    ]
    entries = chance.mixed(
        rng, doc.details(0, 1), [Entry(doc.say(names), value) for names, value in rng.sample(near, rng.randint(2, 6))]
    )
    chance.scramble(area, entries, halves=0.4)
    if maybe(rng, 0.7):
        doc.goods()
    rows = doc.sums(extra=maybe(rng, 0.4))
    if maybe(rng, 0.4):
        blocks.under(area, rows, rng.choice((1, 2, 3)), framed=True)
    else:
        doc.write_sums(rows)
    doc.foot(0, 3)
    return chance.close_page(area, least=0.5, most=1.3)
