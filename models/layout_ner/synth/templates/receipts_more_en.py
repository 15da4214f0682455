"""More English receipts: printed cash bills, invoices on A4, hotels, taxis, chemists, car parks, cafés, mails, slips."""

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


def _narrow(rng: random.Random, doc: Bill) -> Sheet:
    return chance.close_page(doc.area, least=0.2, most=0.6)


@family("bill_printed", "receipt", weight=1.2)
def bill_printed(rng: random.Random, palette: Palette) -> Sheet:
    """A printed cash bill that is filled in: the firm with a title beside it, M/S, number, a ruled table, the sum below."""
    doc = bill(rng, palette, TillStyle(count=(1, 7), price=(2, 600)), across=(40, 62), countries=("MY", "MY", "UK"))
    area = doc.area
    title = pick(rng, "INVOICE (COPY)|CASH BILL|TAX INVOICE|INVOICE COPY|CASH SALE|INVOICE|OFFICIAL RECEIPT|CASH MEMO|Cash Invoice|BILL (COPY)|DELIVERY ORDER / INVOICE")  # fmt: skip
    place = rng.choice(("beside", "beside", "above", "below"))
    if place == "above":
        doc.title("m", title)
    doc.seller(align=rng.choice("mml"), beside=doc.cased(title) if place == "beside" else "")
    if place == "below":
        doc.title(rng.choice("lmr"), title)
    divide(doc)
    details = doc.details(0, 2)
    if maybe(rng, 0.6):
        left, right = replace(area, width=0.52 * area.width), replace(area, left=area.left + 0.58 * area.width, width=0.42 * area.width)
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
    area.sheet.text(area.left, area.base(), pick(rng, "E. & O. E.|Received by|Goods sold are not returnable"), area.how.value_font, area.size)
    area.sheet.text(area.right, area.base(), pick(rng, "Authorised Signature|for the company|Signature"), area.how.value_font, area.size, anchor="r")
    area.skip(2)
    return chance.close_page(area, least=0.5, most=1.3)


@family("bill_a4", "receipt", weight=1.2)
def bill_a4(rng: random.Random, palette: Palette) -> Sheet:
    """An invoice on A4 or A5: seller and details side by side, bill-to block, a table, sums at the right, bank below."""
    doc = bill(rng, palette, TillStyle(count=(1, 9), price=(5, 900), service=0.1), across=(58, 96), fonts=("sans", "sans", "serif"), upper=0.15)
    area = doc.area
    swap = maybe(rng, 0.4)
    cut = rng.uniform(0.5, 0.6)
    sides = [replace(area, width=(cut - 0.04) * area.width), replace(area, left=area.left + cut * area.width, width=(1 - cut) * area.width)]
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
        blocks.heads(area, [entry for entry in late if entry.label][:5] if all(entry.label for entry in late[:5]) else late[:5], frame=maybe(rng, 0.7))
        if late[5:]:
            blocks.rows(area, late[5:], 2)
    divide(doc)
    doc.goods()
    doc.write_sums(doc.sums(extra=maybe(rng, 0.3)))
    if maybe(rng, 0.6):
        pairs = [Entry("Bank", f"{pick(rng, 'First|Union|City|Metro')} Bank"), Entry(pick(rng, "Account No.|IBAN|A/C"), coded(rng, "##########")), Entry("Terms", pick(rng, "30 days|Net 14|C.O.D."))]
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
        area.line(pick(rng, "Guest signature|I agree that my liability for this bill is not waived|Signature"), align=rng.choice("lr"))
    doc.foot(0, 2)
    return chance.close_page(area, least=0.7, most=1.4)


@family("bill_ride", "receipt")
def bill_ride(rng: random.Random, palette: Palette) -> Sheet:
    """A taxi's or car park's slip, a toll, a filling station: times, distances, a fare; no table of goods."""
    doc = bill(rng, palette, TillStyle(count=(1, 1), price=(1, 120)), across=(16, 28), fonts=("mono", "mono", "sans", "ocr"))
    area = doc.area
    kind = rng.choice(("taxi", "parking", "fuel"))
    title = {"taxi": "TAXI RECEIPT|RECEIPT|Fare Receipt|Trip receipt", "parking": "PARKING RECEIPT|PAY & DISPLAY|RECEIPT|Exit Ticket|Car Park", "fuel": "FUEL RECEIPT|RECEIPT|SALE|Pump Receipt"}[kind]  # fmt: skip
    pieces = ["seller", "title"] if maybe(rng, 0.6) else ["title", "seller"]
    if maybe(rng, 0.3):
        pieces = ["title"]
    for piece in pieces:
        if piece == "title":
            doc.title(text=doc.say(title))
        else:
            doc.seller(parts=rng.choice(("nrapt", "na", "n", "nap")))
    divide(doc)
    minute = f"{rng.randint(0, 23):02d}:{rng.randint(0, 59):02d}"
    own = {
        "taxi": [("Taxi No|Cab|Vehicle|Medallion", coded(rng, "@@####")), ("Distance|Miles|KM", f"{rng.uniform(1, 40):.1f}"), ("Start|From|Pick-up", minute), ("Trip #|Job|Driver ID", coded(rng, "#####")), ("Rate|Tariff", str(rng.randint(1, 4)))],
        "parking": [("Entry|In|Entry time|Time in|Arrived", minute), ("Duration|Stay|Parked", f"{rng.randint(0, 9)}h {rng.randint(0, 59):02d}m"), ("Plate|Vehicle|Reg", coded(rng, "@@@ ####")), ("Lane|Machine|Device|Zone", coded(rng, "##")), ("Exit|Out|Exit time", minute)],
        "fuel": [("Pump|Pump No.|PUMP", str(rng.randint(1, 12))), ("Litres|Volume|Gallons|Qty (L)", f"{rng.uniform(3, 70):.2f}"), ("Price/L|Unit price|PPL|Per gallon", f"{rng.uniform(1, 4):.3f}"), ("Product|Grade|Fuel", pick(rng, "RON95|Diesel|Unleaded|Super|RON97")), ("Odometer|Attendant", coded(rng, "#####"))],
    }[kind]  # fmt: skip
    others = [Entry(doc.say(names), doc.cased(value)) for names, value in rng.sample(own, rng.randint(2, 5))]
    entries = chance.mixed(rng, doc.details(0, 2), others)
    if maybe(rng, 0.35):
        entries += doc.sums()
        chance.scramble(area, entries, halves=0.1)
    else:
        chance.scramble(area, entries, halves=0.1)
        divide(doc)
        doc.write_sums(doc.sums())
    if "seller" not in pieces:
        divide(doc)
        doc.seller(parts=rng.choice(("nrapt", "na", "nap")))
    doc.foot(0, 3)
    return _narrow(rng, doc)


@family("bill_chemist", "receipt")
def bill_chemist(rng: random.Random, palette: Palette) -> Sheet:
    """A chemist's, clinic's or school's receipt: received from, for what, the sum; or a short list of medicines."""
    doc = bill(rng, palette, TillStyle(count=(1, 5), price=(2, 300)), across=(30, 56), upper=0.25)
    area = doc.area
    doc.seller(align=rng.choice("mml"))
    doc.title(text=doc.say("OFFICIAL RECEIPT|Official Receipt|RECEIPT|PRESCRIPTION RECEIPT|Clinic Bill|PAYMENT RECEIPT|RESIT RASMI|Fee Receipt|BILL / RECEIPT|Dispensary Receipt"))  # fmt: skip
    chance.scramble(area, doc.details(0, 2))
    payer = people.english_name(rng)
    person = [
        Entry(doc.say("Received from|Patient|Student|Name|Patient Name|Received with thanks from"), doc.cased(payer)),
        Entry(doc.say("Doctor|Prescriber|Class|Course|Being payment for|In payment of|For"), doc.cased(pick(rng, "Consultation|Year 4|Term fees|Dr. Lim|Medicine|Dental treatment"))),
        Entry(doc.say("ID|NRIC|Patient ID|Matric No.|MRN"), coded(rng, "######-##-####")),
        Entry(doc.say("Payment by|Mode of payment|Paid by"), doc.cased(pick(rng, "Cash|Card|Cheque|Transfer"))),
    ]  # fmt: skip
    blocks.rows(area, rng.sample(person, rng.randint(1, 4)), 1, rng.choice(("beside", "tab", "right")))
    if maybe(rng, 0.7):
        doc.goods()
    divide(doc)
    doc.write_sums(doc.sums())
    if maybe(rng, 0.5):
        area.line(pick(rng, "Cashier's signature|This receipt is valid without a signature|Authorised signatory"), align=rng.choice("lr"))
    doc.foot(0, 2)
    return chance.close_page(area, least=0.4, most=1.2)


@family("bill_cafe", "receipt", weight=1.2)
def bill_cafe(rng: random.Random, palette: Palette) -> Sheet:
    """A café, bar or bakery: who served at any place, table, thanks; the firm above or below everything."""
    doc = bill(rng, palette, TillStyle(count=(1, 8), price=(1, 45), service=0.3), across=(17, 30), upper=0.35)
    area = doc.area
    low = maybe(rng, 0.4)
    served = doc.cased(f"{pick(rng, 'Served by|You were served by|Your server was|Your server today:|Host:|Barista')} {people.english_name(rng).split(' ')[0]}")
    at = rng.choice(("top", "details", "bottom", ""))
    if not low:
        doc.seller(parts=rng.choice(("nrapt", "nap", "na")))
    elif maybe(rng, 0.6):
        area.line(doc.cased(pick(rng, "Welcome!|Enjoy your meal|Take Away|EAT IN|Good morning|Order up|Drinks")), align="m")
    if at == "top":
        area.line(served, align=rng.choice("lm"))
    if maybe(rng, 0.4):
        doc.title()
    divide(doc)
    if at == "details":
        area.line(served, align=rng.choice("lmr"))
    details = [entry for entry in doc.details(0, 2) if not (at and "erved" in str(entry.label))]
    chance.scramble(area, details, halves=0.3)
    divide(doc)
    doc.goods()
    divide(doc)
    doc.write_sums(doc.sums())
    divide(doc)
    if at == "bottom":
        area.line(served, align=rng.choice("lmr"))
    if low:
        doc.foot(0, 1)
        doc.seller(parts=rng.choice(("nrapt", "nap", "na", "nat")), align=rng.choice("mml"))
    doc.foot(0, 2)
    return _narrow(rng, doc)


@family("bill_mail", "receipt")
def bill_mail(rng: random.Random, palette: Palette) -> Sheet:
    """A receipt sent by e-mail or shown by a shop on the web: large total first, order, card, addresses below."""
    doc = bill(rng, palette, TillStyle(count=(1, 6), price=(2, 400), service=0.3), across=(34, 64), fonts=("sans", "sans", "serif"), upper=0.05)
    area = doc.area
    kind = maybe(rng, 0.5)
    if maybe(rng, 0.4):
        area.line(f"From: {coded(rng, '@@@@').lower()}@mail.com", size=max(10, area.size - 3))
        area.line(f"Subject: {pick(rng, 'Your receipt|Order confirmation|Your e-receipt|Payment received')}", size=max(10, area.size - 3))
        chance.rule(area)
    if kind:
        doc.seller(parts="n", align=rng.choice("lm"))
    chance.heading(area, pick(rng, "Thanks for your order|Your receipt|Receipt|Payment receipt|Order receipt|Thank you for your purchase"), 1.3, rng.choice("lm"))
    entries = doc.details(0, 2)
    loud = maybe(rng, 0.4)
    if loud:
        area.line(doc.figure(doc.sale.total, "total", signed=maybe(rng, 0.7)), font=area.bold, size=2 * area.size, align=rng.choice("lm"))
    chance.scramble(area, entries, halves=0.3)
    if maybe(rng, 0.6):
        chance.heading(area, pick(rng, "Order summary|Items|Your order|Summary|Details"), 1.1)
    doc.goods()
    doc.write_sums(doc.sums(extra=False))
    if maybe(rng, 0.5):
        area.line(f"{pick(rng, 'Paid with|Charged to|Payment method:')} {pick(rng, 'Visa|Mastercard|PayPal')} {pick(rng, '····|ending in|****')} {coded(rng, '####')}")
    if maybe(rng, 0.5):
        doc.customer()
    if kind:
        doc.seller(parts="ap", align="l")
    else:
        doc.seller(align=rng.choice("lm"), parts=rng.choice(("nap", "na", "n", "nrapt")))
    doc.foot(0, 2)
    return chance.close_page(area, least=0.6, most=1.5)


@family("bill_card_slip", "receipt", weight=1.2)
def bill_card_slip(rng: random.Random, palette: Palette) -> Sheet:
    """A card terminal's slip: merchant, terminal, batch, approval, a masked card, one amount, merchant or customer copy."""
    doc = bill(rng, palette, TillStyle(count=(1, 1), price=(1, 900)), across=(17, 27), fonts=("mono", "mono", "sans", "ocr"), upper=0.7)
    area, sale = doc.area, doc.sale
    if maybe(rng, 0.4):
        area.line(pick(rng, "MERCHANT COPY|CUSTOMER COPY|*** COPY ***|SALE|Bank Terminal|CARD PAYMENT"), align="m")
    doc.seller(parts=rng.choice(("nap", "na", "n", "na")), align=rng.choice("mml"))
    divide(doc)
    scheme = pick(rng, "VISA|MASTERCARD|AMEX|MAESTRO|UNIONPAY|VISA DEBIT")
    near = [
        ("MID|MERCHANT ID|Merchant|MERCHANT NO|M/C ID", coded(rng, "###############")),
        ("TID|TERMINAL ID|Terminal|TERM ID|TERMINAL NO", coded(rng, "########")),
        ("BATCH|BATCH NO|Batch #|BATCH NUM", coded(rng, "000###")),
        ("TRACE|TRACE NO|STAN|SEQ", coded(rng, "######")),
        ("APPR CODE|APPROVAL CODE|AUTH CODE|AUTH NO|APPROVAL", coded(rng, "######")),
        ("CARD|CARD NO|ACCOUNT|PAN|CARD NUM", f"{pick(rng, '************|XXXXXXXXXXXX|**** **** **** ')}{coded(rng, '####')}"),
        ("CARD TYPE|TYPE|APP|APP LABEL|ISSUER", scheme),
        ("AID", coded(rng, "A00000000#####")),
        ("TC|TVR|TSI|CRYPTOGRAM", coded(rng, "%%%%%%%%%%%%%%%%")),
        ("ENTRY|ENTRY MODE|Entry Method|MODE", pick(rng, "CHIP|CONTACTLESS|SWIPED|ICC")),
        ("EXP|EXPIRY|EXP DATE", "**/**"),
        ("RRN|HOST|RESP CODE|RESP", coded(rng, "############")),
    ]  # fmt: skip
    written = doc.cased(dates.format_date(rng, doc.day, "us" if doc.country == "US" else "en"))
    moment = [Part(written, area.sheet.entity("date", doc.day.isoformat()))]
    joined = maybe(rng, 0.5)
    if joined:
        moment.append(Part(" " + doc.cased(doc.clock)))
    main = [Entry(doc.say("DATE/TIME|DATE|Date|DATE & TIME|TRANS DATE|") if maybe(rng, 0.8) else "", moment)]
    if not joined:
        main.append(Entry(doc.say("TIME|Time|TRANS TIME"), doc.cased(doc.clock)))
    if maybe(rng, 0.85):
        number = coded(rng, rng.choice(("######", "000###", "########", "############", "####")))
        label = doc.say("INVOICE NO|INV NO|INVOICE #|RECEIPT NO|RECEIPT #|REF NO|REF NUM|REFERENCE NO|TRANS #|SLIP NO|INV. NO.|RCPT NO|TRANSACTION ID|TICKET")
        main.append(Entry(label, Part(number, area.sheet.entity("receipt_number", number))))
    entries = chance.mixed(rng, main, [Entry(doc.say(names), value) for names, value in rng.sample(near, rng.randint(4, 10))])
    chance.scramble(area, entries, halves=0.1)
    divide(doc)
    area.line(doc.say("SALE|PURCHASE|SALE - APPROVED|Sale|DEBIT SALE|RETAIL"), align=rng.choice("lm"), font=area.bold)
    rows: list[Entry] = []
    if maybe(rng, 0.3):
        rows.append(Entry(doc.say("BASE|BASE AMT|SUBTOTAL|AMT EXCL TIP"), doc.figure(sale.total)))
        rows.append(Entry(doc.say("TIP|TIPS|GRATUITY"), "0.00" if maybe(rng, 0.5) else "......"))
    signed = maybe(rng, 0.75)
    label = doc.say("TOTAL|AMOUNT|TOTAL AMOUNT|AMT|Amount|PURCHASE AMOUNT|SALE AMOUNT|TOTAL AMT|AMOUNT DUE|TOTAL PAID")
    rows.append(Entry(label, doc.figure(sale.total, "total", signed=signed)))
    doc.write_sums(rows)
    divide(doc)
    for text in rng.sample(("SIGNATURE NOT REQUIRED", "PIN VERIFIED OK", "APPROVED - THANK YOU", "I AGREE TO PAY ABOVE TOTAL AMOUNT ACCORDING TO CARD ISSUER AGREEMENT", "CUSTOMER COPY", "MERCHANT COPY", "NO REFUND", "X______________", "TRANSACTION APPROVED"), rng.randint(1, 4)):  # fmt: skip
        area.block(text, align=rng.choice("ml"))
    return _narrow(rng, doc)


@family("bill_booking", "receipt", weight=0.8)
def bill_booking(rng: random.Random, palette: Palette) -> Sheet:
    """A receipt of a courier, cinema, gym or utility: account details in boxes, a few charges, the sum in a box."""
    doc = bill(rng, palette, TillStyle(count=(1, 4), price=(3, 300), service=0.2), across=(36, 72), fonts=("sans", "serif"), upper=0.2)
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
    ]  # fmt: skip
    entries = chance.mixed(rng, doc.details(0, 1), [Entry(doc.say(names), value) for names, value in rng.sample(near, rng.randint(2, 6))])
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
