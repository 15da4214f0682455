"""Words for English forms: questions put together from parts, and answers of many kinds.

Thousands of combinations, so that a network learns where questions stand and not what they say.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import date

from models.layout_ner.synth.templates.listing import listed
from models.layout_ner.synth.values import companies, dates, identifiers, money, people, places

_WHO = listed(
    "Applicant Employee Customer Supplier Patient Student Owner Tenant "
    "Sender Recipient Manager Supervisor Agent Client "
    "Contractor Buyer Seller Requester Originator Operator Analyst Inspector Consignee Shipper Guarantor Spouse Parent "
    "Vendor Dealer Distributor Respondent Interviewer Author Reviewer Approver Technician Driver Carrier Claimant "
    "Borrower Member Sponsor Landlord Nominee Representative Coordinator Director Chemist Buyer Salesman"
)
_WHAT = listed(
    "Sample Product Project Order Shipment Account Contract Invoice "
    "Material Machine Vehicle Batch Lot Test Brand Package "
    "Store Market Region Department Division Section Plant Warehouse "
    "Job Task Budget Program Study Report Survey Course "
    "Policy Claim Loan Property Equipment Instrument Formula Blend Carton Case Label Display Promotion Coupon Campaign "
    "Journal Article Manuscript Patent License Permit Request Meeting "
    "Event Trip Flight Hotel Room Unit Part Item Asset "
    "Chain Outlet Territory Wholesaler Panel Batch Drum Container Tank Filter Paper Film Coating Solvent Compound"
)
_PROPERTY = listed(
    "Name|Number|No.|Code|Type|Title|Date|Address|Status|Location|"
    "Description|Size|Weight|Length|Width|Color|Quantity|Cost|"
    "Price|Amount|Rate|Class|Category|Grade|Model|Source|Origin|Purpose|Condition|Period|Duration|Volume|ID|Ref.|"
    "Reference|Total|Balance|Version|Level|Priority|Method|Objective|Result|Rating|Value|Percentage|Signature|Initials|"
    "Comments|Remarks|Manager|Style|Capacity|Density|Temperature|Moisture|Count|Frequency|Target|Schedule|Distribution",
    "|",
)
_ACTED = listed(
    "Received Approved Prepared Submitted Requested Issued Completed Reviewed Shipped Ordered Tested Inspected Checked "
    "Revised Authorized Paid Delivered Filed Signed Collected Recorded "
    "Verified Initiated Assigned Closed Opened Entered "
    "Recommended Reported Conducted Returned Typed Mailed Released Accepted Rejected Sampled Analyzed Written Printed"
)
_SINGLE = listed(
    "Name|Date|To|From|Subject|Re|Title|Address|Telephone|Phone|Fax|Company|City|State|Zip|Country|Department|Position|"
    "Occupation|Age|Sex|Marital Status|Nationality|E-mail|Attention|"
    "Copies|Copy|cc|Pages|Time|Location|Remarks|Comments|"
    "Notes|Purpose|Reason|Description|Signature|Quantity|Amount|Total|Price|Brand|Style|Size|Status|Type|Code|Account|"
    "Project|Budget|Duration|Objective|Background|Conclusion|Recommendation|Instructions|Supplier|Manufacturer|Origin|"
    "Destination|Terms|Via|Weight|Volume|Color|Temperature|Source|Category|Region|District|Year|Month|Week|Report No.|"
    "File No.|Ext.|Mail Stop|Social Security No.|Date of Birth|Place of Birth|Home Phone|Work Phone|Mobile|Website|"
    "Employer|Annual Income|Religion|Blood Type|Emergency Contact|Relationship|Years Employed|Licence No.|Expiry Date|"
    "Effective Date|Due Date|Start Date|End Date|Closing Date|Number of Pages|Message|Frequency|Coverage|Circulation|"
    "Media|Market|Method|Result|Conditions|Equipment|Storage|Charge To|Ship To|Bill To|Sold To|Cost Center|Approval|"
    "Distribution|Enclosures|Classification|Investigator|Institution|Principal|Population|Design|Sponsor|Length|Width",
    "|",
)
_QUALIFIER = listed(
    "Full|Current|Previous|Permanent|Mailing|Home|Business|Total|Estimated|Actual|Proposed|Original|Final|Net|Gross|"
    "Annual|Monthly|Weekly|Daily|Average|Maximum|Minimum|Primary|"
    "Secondary|Other|Special|New|Old|Local|Foreign|Internal|"
    "External|Standard|Target|Initial|Additional|Next|Last|Preferred|Legal|Official|Expected|Planned|Base|Overall",
    "|",
)
_ASKS = listed(
    "Have you {did} a {what} before?|Do you own a {what}?|Is the {what} {state}?|How many {what}s were {did}?|"
    "Has the {who} been informed?|Who {did} the {what}?|Where was the {what} {did}?|When was the {what} {did}?|"
    "What is the {prop} of the {what}?|Why was this {what} {did}?|Are there any {what}s left?|"
    "Would you recommend this {what}?|Which {what} do you prefer?|Is a {what} attached?",
    "|",
)
_STATE = listed("new available complete correct damaged approved acceptable confidential ready urgent insured")
_ADJECTIVES = listed(
    "new final second regular special recent limited complete "
    "additional current small large early local direct general "
    "technical annual initial standard revised detailed separate average similar common primary open clear dry light"
)
_VERBS = listed(
    "requires shows includes replaces supports covers follows needs "
    "improves exceeds confirms describes affects reduces "
    "contains meets changes allows extends completes"
)
_NOUNS = listed(
    "sample report supplier schedule material customer machine process order paper budget result office market study "
    "program letter container label price analysis agreement filter department storage quantity policy shipment method "
    "test line product service team account region display contract water glass steel cotton sugar formula agency"
)
_ENDS = listed(
    "as agreed|before the end of the month|in all regions|for further review|without delay|at no extra cost|"
    "by the end of the quarter|under normal conditions|until further notice|as soon as possible|in the attached copy|"
    "on a trial basis|where possible|with the usual terms|during the first week|at the same time",
    "|",
)
_TITLES = listed(
    "Request|Report|Application|Form|Survey|Questionnaire|Record|Sheet|Checklist|Summary|Notice|Order|Authorization|"
    "Registration|Evaluation|Specification|Agreement|Statement|Certificate|Log|Memorandum|Proposal|Analysis|Worksheet|"
    "Declaration|Requisition|Schedule|Approval|Transmittal|Inventory|Profile|Bulletin",
    "|",
)
_SECTIONS = listed(
    "Personal Information|General Information|Contact Details|For Office Use Only|Employment|Education|Background|"
    "Results|Approvals|Terms and Conditions|Details|Instructions|Section {n}|Part {n}|Summary|Financial Information|"
    "Shipping Information|Physical Data|Test Conditions|Declaration|Comments and Recommendations|References|"
    "Materials|Measurements|Costs|Distribution|History|Requirements|Attachments|Other Information",
    "|",
)
_UNITS = listed("mm cm kg g lbs oz ml % pcs cases cartons units hrs days weeks months sq.ft. gal ppm mg/l psi rpm F C")
_SYLLABLES = listed(
    "ba be bi bo ca co da de di do fa fe fi ga go ha he ja jo ka ke ki la le li lo lu ma me mi mo na ne ni no pa pe po "
    "ra re ri ro sa se si so ta te ti to va ve vi wa we za zo ran ton ner lis mar ven sol dex pol tri con bel"
)
_OPTIONS = (
    ("Yes", "No"),
    ("Male", "Female"),
    ("Approved", "Rejected", "Pending"),
    ("Single", "Married", "Divorced"),
    ("New", "Renewal"),
    ("Cash", "Cheque", "Card", "Transfer"),
    ("Urgent", "Normal"),
    ("High", "Medium", "Low"),
    ("Full time", "Part time", "Casual"),
    ("Owned", "Rented"),
    ("Excellent", "Good", "Fair", "Poor"),
    ("Mail", "Phone", "Fax", "E-mail"),
    ("Domestic", "Export"),
    ("Original", "Copy"),
    ("Daily", "Weekly", "Monthly"),
)


def coined(rng: random.Random) -> str:
    """A word nobody knows."""
    return "".join(rng.choice(_SYLLABLES) for _ in range(rng.randint(2, 3))).capitalize()


def question(rng: random.Random) -> str:
    """What a form asks, without a colon."""
    kind = rng.random()
    if kind < 0.34:
        text = rng.choice(_SINGLE)
    elif kind < 0.46:
        text = f"{rng.choice(_WHO)} {rng.choice(_PROPERTY)}"
    elif kind < 0.64:
        text = f"{rng.choice(_WHAT)} {rng.choice(_PROPERTY)}"
    elif kind < 0.74:
        text = rng.choice(("{} By", "Date {}", "{} Date", "Amount {}", "Date {} By", "{} From")).format(
            rng.choice(_ACTED)
        )
    elif kind < 0.82:
        text = f"{rng.choice(_PROPERTY)} of {rng.choice(_WHO + _WHAT)}"
    elif kind < 0.9:
        text = f"{rng.choice(_QUALIFIER)} {rng.choice(_SINGLE + _WHAT)}"
    elif kind < 0.95:
        text = f"{coined(rng)} {rng.choice(_PROPERTY)}"
    else:
        text = f"{rng.choice(_WHAT)} {rng.choice(_WHAT)} {rng.choice(_PROPERTY)}"
    if rng.random() < 0.04:
        text += rng.choice(
            (" (optional)", " (if any)", " (US$)", " (years)", " (please print)", "*", " (kg)", "(s)", " #")
        )
    return text


def long_question(rng: random.Random) -> str:
    """A whole sentence that asks."""
    return rng.choice(_ASKS).format(
        did=rng.choice(_ACTED).lower(),
        what=rng.choice(_WHAT).lower(),
        who=rng.choice(_WHO).lower(),
        prop=rng.choice(_PROPERTY).lower(),
        state=rng.choice(_STATE),
    )


def cased(rng: random.Random, text: str, case: str) -> str:
    """Text in a document's manner: ``upper``, ``lower`` (first letter only) or as it is."""
    if case == "upper":
        return text.upper()
    if case == "lower":
        return text[:1] + text[1:].lower()
    return text


def options(rng: random.Random) -> tuple[str, ...]:
    """Choices of a question with boxes to tick."""
    if rng.random() < 0.7:
        return rng.choice(_OPTIONS)
    pool = rng.choice((_WHAT, _WHO, _STATE, _QUALIFIER))
    return tuple(rng.sample(pool, rng.randint(2, 4)))


def phrase(rng: random.Random) -> str:
    """A few words."""
    text = f"{rng.choice(_ADJECTIVES)} {rng.choice(_NOUNS)}"
    if rng.random() < 0.3:
        text += f" {rng.choice(('and', 'for', 'with', 'from', 'or', 'in'))} {rng.choice(_NOUNS)}"
    return text[:1].upper() + text[1:] if rng.random() < 0.8 else text


def sentence(rng: random.Random) -> str:
    """A plain sentence."""
    text = f"the {rng.choice(_ADJECTIVES)} {rng.choice(_NOUNS)} {rng.choice(_VERBS)} the {rng.choice(_NOUNS)}"
    if rng.random() < 0.5:
        text += (
            f" {rng.choice(('and', 'because', 'but', 'while', 'if'))} the {rng.choice(_NOUNS)} {rng.choice(_VERBS)} "
        )
        text += f"{rng.choice(('a', 'every', 'no', 'one'))} {rng.choice(_ADJECTIVES)} {rng.choice(_NOUNS)}"
    if rng.random() < 0.5:
        text += f" {rng.choice(_ENDS)}"
    return text[:1].upper() + text[1:] + "."


def paragraph(rng: random.Random, low: int = 2, high: int = 4) -> str:
    """Some sentences."""
    return " ".join(sentence(rng) for _ in range(rng.randint(low, high)))


def title(rng: random.Random) -> str:
    """The head of a form."""
    kind = rng.random()
    if kind < 0.4:
        text = f"{rng.choice(_WHAT)} {rng.choice(_TITLES)}"
    elif kind < 0.6:
        text = f"{rng.choice(_WHAT)} {rng.choice(_WHAT)} {rng.choice(_TITLES)}"
    elif kind < 0.75:
        text = f"{rng.choice(_WHO)} {rng.choice(_TITLES)}"
    elif kind < 0.9:
        text = f"{rng.choice(_QUALIFIER)} {rng.choice(_WHAT)} {rng.choice(_TITLES)}"
    else:
        text = f"{rng.choice(_TITLES)} for {rng.choice(_WHAT)} {rng.choice(_PROPERTY)}"
    return text


def section(rng: random.Random) -> str:
    """The head of a part of a form."""
    if rng.random() < 0.35:
        what = rng.choice(("Information", "Data", "Details", "Characteristics", "History", "Results"))
        return f"{rng.choice(_WHAT)} {what}"
    return rng.choice(_SECTIONS).format(n=rng.choice(("A", "B", "C", "I", "II", "III", "1", "2", "3")))


def code(rng: random.Random) -> str:
    """A number of the kind that offices give out."""
    digits = "".join(rng.choice("0123456789") for _ in range(rng.randint(2, 8)))
    letters = "".join(rng.choice("ABCDEFGHJKLMNPRSTUVWX") for _ in range(rng.randint(1, 3)))
    return rng.choice(
        (
            digits,
            f"{letters}{digits}",
            f"{letters}-{digits}",
            f"{digits}-{letters}",
            f"#{digits}",
            f"{digits[:2]}-{digits}",
        )
    )


def _day(rng: random.Random) -> str:
    return dates.format_date(rng, dates.date_between(rng, date(1970, 1, 1), date(2026, 12, 31)), "en")


def _measure(rng: random.Random) -> str:
    number = rng.choice((str(rng.randint(1, 999)), f"{rng.uniform(0.1, 99):.1f}", f"{rng.uniform(0.01, 20):.2f}"))
    return f"{number} {rng.choice(_UNITS)}"


def _sum(rng: random.Random) -> str:
    value = f"{money.amount(rng, 5, 250_000):,.2f}"
    return rng.choice(("{}", "${}", "$ {}", "US$ {}", "RM {}", "£{}", "EUR {}")).format(value)


_ANSWERS: tuple[tuple[Callable[[random.Random], str], float], ...] = (
    (people.english_name, 2.2),
    (_day, 2.0),
    (companies.company_en, 1.2),
    (code, 2.0),
    (phrase, 2.4),
    (_measure, 1.4),
    (_sum, 1.0),
    (identifiers.phone_en, 1.0),
    (coined, 0.8),
    (
        lambda rng: rng.choice(("Yes", "No", "N/A", "None", "Same", "OK", "X", "-", "See attached", "Unknown", "TBD")),
        0.9,
    ),
    (lambda rng: str(rng.randint(0, 400)), 1.0),
    (lambda rng: f"{coined(rng)}, {coined(rng)}", 0.5),
    (lambda rng: f"{rng.randint(1, 100)}%", 0.3),
    (lambda rng: f"{coined(rng).lower()}.{coined(rng).lower()}@{coined(rng).lower()}.com", 0.4),
    (lambda rng: places.address_en(rng).replace("\n", ", "), 0.7),
    (lambda rng: f"{rng.choice(_WHAT)} {rng.choice(_WHO)}", 0.5),
)
_MAKERS = [maker for maker, _ in _ANSWERS]
_WEIGHTS = [weight for _, weight in _ANSWERS]


def answer(rng: random.Random, asked: str = "") -> str:
    """What somebody fills in; mostly of the kind that ``asked`` calls for."""
    lower = asked.lower()
    if rng.random() < 0.75:
        for words, maker in _KINDS:
            if any(word in lower for word in words):
                return maker(rng)
    return rng.choices(_MAKERS, _WEIGHTS)[0](rng)


def short(rng: random.Random) -> str:
    """An answer for a narrow cell."""
    return rng.choice(
        (
            lambda r: str(r.randint(0, 999)),
            code,
            coined,
            lambda r: f"{r.uniform(0, 99):.1f}",
            lambda r: f"{r.uniform(0, 9):.2f}",
            lambda r: f"{r.randint(1, 99)}%",
            people.english_name,
        )
    )(rng)


_KINDS: tuple[tuple[tuple[str, ...], Callable[[random.Random], str]], ...] = (
    (("date", "when"), _day),
    (("phone", "fax", "mobile", "ext."), identifiers.phone_en),
    (("e-mail",), lambda rng: f"{coined(rng).lower()}@{coined(rng).lower()}.com"),
    (("address", "ship to", "bill to", "sold to"), lambda rng: places.address_en(rng).replace("\n", ", ")),
    (("company", "supplier", "vendor", "manufacturer", "agency"), companies.company_en),
    ((" by", "name", "manager", "from", "to", "attention", "signature"), people.english_name),
    (("no.", "number", "code", "ref", "#", " id", "account"), code),
    (("amount", "price", "cost", "total", "balance", "income", "budget"), _sum),
    (("weight", "length", "width", "volume", "size", "temperature", "density", "quantity"), _measure),
    (("purpose", "reason", "description", "objective", "subject", "title", "remarks", "comments"), phrase),
    (("country", "city", "state", "location", "origin", "destination", "brand"), coined),
)
