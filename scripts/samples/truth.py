"""What is what on the pages that are drawn by hand: their type, their fields, the questions and answers of forms.

Texts are looked up among the page's lines, each in the first one that has it and that is not taken yet (whole lines
first), so that nothing can be labelled that is not printed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from models.layout_ner.example import Entity, Example, Span, TextLine
from schemas.document import Polygon
from scripts.samples.sheet import Sheet

Texts = str | tuple[str, ...]


@dataclass(slots=True, frozen=True)
class Truth:
    """One page.

    ``fields``: name and text, and the typed value where it is written otherwise; a text over several lines is a tuple.
    ``pairs``: question and answer, None where it is not answered; a question with several answers is named with each.
    """

    doc_type: str | None
    fields: tuple[tuple[str, Texts] | tuple[str, Texts, str], ...] = ()
    headers: tuple[str, ...] = ()
    pairs: tuple[tuple[str, Texts | None], ...] = ()


OTHER = Truth(None)

_ORDER = (
    ("T-104", "Tomato Red Lantern", "250"),
    ("B-221", "Runner bean Tall White", "1500"),
    ("L-030", "Lettuce Winter Crisp", "120"),
    ("C-415", "Carrot Long Amber", "400"),
    ("S-078", "Sweet pea Mixed", "90"),
    ("P-310", "Pumpkin Giant Gold", "300"),
)

# By file; pages of one file in order.
TRUTHS: dict[str, tuple[Truth, ...]] = {
    "receipt-cafe.jpg": (
        Truth(
            "receipt",
            (
                ("company", "HARBOUR BEAN COFFEE"),
                ("address", "14 Quayside Walk, Eastport"),
                ("receipt_number", "00318"),
                ("date", "14/03/2024", "2024-03-14"),
                ("currency", "EUR"),
                ("total", "21.07"),
            ),
        ),
    ),
    "receipt-long.png": (
        Truth(
            "receipt",
            (
                ("company", ("GREENFIELD", "FOOD MARKET")),
                ("address", "Unit 3, Mill Lane, Northbrook"),
                ("total", "284.59"),
            ),
        ),
    ),
    "receipt-photo.jpg": (
        Truth(
            "receipt",
            (
                ("company", "OAK & ANVIL HARDWARE"),
                ("address", "Trade counter, 220 Foundry Road"),
                ("receipt_number", "TC-58213"),
                ("date", "2024-11-02"),
                ("tax", "5.98"),
                ("currency", "$"),
                ("total", "76.38"),
            ),
        ),
    ),
    "form-allotment.jpg": (
        Truth(
            "form",
            headers=(
                "TOWN OF EASTPORT",
                "Application for an Allotment Garden",
                "1. Applicant",
                "2. Garden wanted",
                "3. Declaration",
            ),
            pairs=(
                ("Family name", "SPECIMEN"),
                ("Given names", "Sample"),
                ("Street and number", "27 Larch Crescent"),
                ("Postcode", "EP4 8QT"),
                ("Telephone", "555-0117"),
                ("E-mail", "applicant@example.com"),
                ("Site", "Riverside North"),
                ("Size in square metres", "120"),
                ("Start of lease", "01/04/2025"),
                ("Plot number, if known", "B 46"),
                ("Water connection", ("Yes", "No")),
                ("Garden shed", ("Yes", "No")),
                ("Shared tools", ("Yes", "No")),
                ("Date", "12 February 2025"),
                ("Signature", None),
                ("Return to:", "Parks Office, Town Hall, Eastport"),
            ),
        ),
    ),
    "form-chinese.jpg": (
        Truth(
            "form",
            headers=("社区图书馆读者登记表",),
            pairs=(
                ("登记编号：", "TS-2024-00871"),
                ("填表日期：", "2024年10月18日"),
                ("姓名", "张三"),
                ("性别", "男"),
                ("出生日期", "1990年1月1日"),
                ("联系电话", "010-5550123"),
                ("证件类型", "读者临时证"),
                ("证件号码", "LS20240871"),
                ("家庭住址", "示例市样本区幸福路88号3单元502室"),
                ("电子邮箱", "reader@example.com"),
                ("邮政编码", "100000"),
                ("借阅类别", "普通读者"),
                ("押金", "人民币200元整"),
                (
                    "读者须知",
                    (
                        "一、请妥善保管借书证，遗失请及时挂失。",
                        "二、每次最多借阅图书五册，借期为三十天。",
                        "三、逾期归还者，每册每天收取滞纳金0.2元。",
                        "四、请爱护图书，如有损坏须照价赔偿。",
                    ),
                ),
                ("读者签名：", None),
                ("经办人工号：", "0026"),
            ),
        ),
    ),
    "memo-noisy.jpg": (
        Truth(
            "form",
            headers=("MEMORANDUM",),
            pairs=(
                ("TO:", "All laboratory staff"),
                ("FROM:", "Facilities, Room 114"),
                ("DATE:", "3 June 1987"),
                ("SUBJECT:", "Water shut-off, Building C"),
                ("cc:", "Safety Committee; file 87-0612"),
            ),
        ),
    ),
    "fax.tiff": (
        Truth(
            "form",
            headers=("FAX",),
            pairs=(
                ("To:", "Order desk, Blue Ridge Seed Company"),
                ("From:", "Hilltop Nursery"),
                ("Fax:", "555-0150"),
                ("Pages:", "3 including this one"),
                ("Re:", "Spring order, customer 30718"),
            ),
        ),
        Truth("form"),
        Truth(
            "form",
            headers=("ORDER",),
            pairs=tuple(
                (head, cell) for row in _ORDER for head, cell in zip(("Item", "Variety", "Grams"), row, strict=True)
            ),
        ),
    ),
}


@dataclass(slots=True)
class _Finder:
    """Looks texts up on a page and keeps what was found."""

    lines: list[str]
    entities: list[Entity] = field(default_factory=list)
    taken: list[Span] = field(default_factory=list)

    def add(self, name: str, texts: Texts, value: str | None = None) -> int:
        """Note an entity; returns its number."""
        pieces = (texts,) if isinstance(texts, str) else texts
        self.entities.append(Entity(name, tuple(self._find(piece) for piece in pieces), None, value))
        return len(self.entities) - 1

    def _find(self, text: str) -> Span:
        exact = [number for number, line in enumerate(self.lines) if line == text]
        holding = [number for number, line in enumerate(self.lines) if text in line]
        for number in (*exact, *holding):
            start = self.lines[number].index(text)
            span = Span(number, start, start + len(text))
            if not any(_meet(span, other) for other in self.taken):
                self.taken.append(span)
                return span
        raise ValueError(f"no line of this page has {text!r}, or not so often")


def _meet(one: Span, two: Span) -> bool:
    return one.line == two.line and one.start < two.end and two.start < one.end


def example(name: str, pages: Sequence[Sheet]) -> list[Example]:
    """The truth of a file that is drawn by hand, page by page."""
    known = TRUTHS.get(name, (OTHER,) * len(pages))
    return [_page(name, sheet, truth) for sheet, truth in zip(pages, known, strict=True)]


def _page(name: str, sheet: Sheet, truth: Truth) -> Example:
    lines = [TextLine(label.text, _four(label.polygon)) for label in sheet.labels]
    finder = _Finder([line.text for line in lines])
    for entry in truth.fields:
        finder.add(entry[0], entry[1], entry[2] if len(entry) > 2 else None)
    for header in truth.headers:
        finder.add("header", header)
    questions: dict[str, int] = {}
    links = []
    for question, answer in truth.pairs:
        if question not in questions:
            questions[question] = finder.add("question", question)
        if answer is not None:
            links.append((questions[question], finder.add("answer", answer)))
    return Example(name, truth.doc_type, sheet.width, sheet.height, lines, finder.entities, links=links)


def _four(points: Sequence[tuple[float, float]]) -> Polygon:
    a, b, c, d = points
    return a, b, c, d
