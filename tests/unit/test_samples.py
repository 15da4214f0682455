from __future__ import annotations

import json
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
import shapely
from PIL import Image

from models.layout_ner.datasets import load_examples
from models.layout_ner.synth.generate import families
from pipeline.visualise import upright
from schemas.doctypes import load_doctypes
from schemas.settings import Limits
from schemas.truth import FORM, OTHER, TruthDocument, load_truth
from schemas.truth_fields import TruthValue
from scripts.samples import generated
from scripts.samples.__main__ import records_of
from stages.decode.document import open_document

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "samples"
SAMPLES = load_truth(FOLDER)
TYPES = load_doctypes()
# One of each type.
REDRAWN = {
    family.doc_type: entry
    for entry in generated.ENTRIES
    for of_type in families(generated.SPLIT).values()
    for family in of_type
    if family.name == entry.family
}


def test_every_sample_is_labelled_and_they_are_small() -> None:
    files = set((FOLDER / "images").iterdir())
    assert files == {sample.path for sample in SAMPLES}
    sizes = [path.stat().st_size for path in files]
    assert sum(sizes) < 8_000_000
    assert max(sizes) < 200_000


def test_there_are_samples_of_every_type() -> None:
    assert len(SAMPLES) >= 40
    types = [sample.doc_type for sample in SAMPLES]
    assert {name: types.count(name) for name in {*TYPES, OTHER} if types.count(name) < 4} == {}
    assert set(types) == {*TYPES, OTHER}


def test_the_generated_ones_are_of_all_kinds_kept_for_validation() -> None:
    known = {family.name for of_type in families(generated.SPLIT).values() for family in of_type}
    assert {entry.family for entry in generated.ENTRIES} == known
    disturbed = [entry for entry in generated.ENTRIES if entry.picture is not None]
    assert len(disturbed) >= 2 / 3 * len(generated.ENTRIES)


def test_the_list_names_every_file() -> None:
    listed = (FOLDER / "README.md").read_text(encoding="utf-8")
    assert [sample.path.name for sample in SAMPLES if f"| {sample.path.name} |" not in listed] == []


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: Path(sample.name).name)
def test_labels_fit_the_pages(sample: TruthDocument) -> None:
    with open_document(sample.path, limits=Limits(), dpi=120) as document:
        assert document.page_numbers == tuple(page.page for page in sample.pages)
        for page in sample.pages:
            pixels = upright(document.decode(page.page).pixels, 90 if "turned" in sample.name else 0)
            assert pixels.shape == (pytest.approx(page.height, abs=1), pytest.approx(page.width, abs=1), 3)
            frame = shapely.box(0, 0, page.width, page.height)
            for line in page.lines:
                assert line.text
                assert frame.covers(shapely.Polygon(line.polygon)), line.text
                left, top = np.min(line.polygon, axis=0).astype(int)
                right, bottom = np.max(line.polygon, axis=0).astype(int)
                assert np.ptp(pixels[top:bottom, left:right]) > 60, f"nothing is printed at {line.text!r}"


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: Path(sample.name).name)
def test_labels_of_a_page_do_not_overlap(sample: TruthDocument) -> None:
    for page in sample.pages:
        for first, second in combinations(page.lines, 2):
            one, other = shapely.Polygon(first.polygon), shapely.Polygon(second.polygon)
            shared = one.intersection(other).area
            assert shared < 0.2 * min(one.area, other.area), (first.text, second.text)


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: Path(sample.name).name)
def test_fields_are_those_of_the_type(sample: TruthDocument) -> None:
    doctype = TYPES.get(sample.doc_type or "")
    if doctype is None or doctype.name == FORM:
        assert not sample.fields
        return
    parts = {path for path, kind in doctype.walk() if not kind.parts}
    for name, values in sample.values.items():
        assert values
        for value in values:
            row = {name: value} if isinstance(value, TruthValue) else {f"{name}.{key}": v for key, v in value.items()}
            assert set(row) <= parts
            assert all(each.known for each in row.values())


def test_what_the_labels_say_is_printed_on_the_pages() -> None:
    """Every value is found on the lines, every link leads from a question to an answer."""
    examples = load_examples(FOLDER)
    assert len(examples) == sum(len(sample.pages) for sample in SAMPLES)
    by_name = {example.name: example for example in examples}
    for sample in SAMPLES:
        first = by_name[sample.name]
        found = {entity.name.partition(".")[0] for entity in first.entities}
        if sample.doc_type == FORM:
            links = {tuple(link) for page in sample.pages for line in page.lines for link in line.linking}
            assert links, sample.name
            for page in sample.pages:
                labels = {line.id: line.label for line in page.lines if line.id is not None}
                for line in page.lines:
                    assert all((labels[a], labels[b]) == ("question", "answer") for a, b in line.linking), line.text
        else:
            assert set(sample.fields) <= found, sample.name


@pytest.mark.parametrize("entry", REDRAWN.values(), ids=lambda entry: entry.name)
def test_drawn_again_they_are_the_same(entry: generated.Entry) -> None:
    """Else draw them anew: the templates or their words have changed."""
    missing = generated.missing_fonts()
    if missing:
        pytest.skip(f"the font {missing[0]} is not installed")
    image, example = generated.draw(entry)
    labels = [json.loads(line) for line in (FOLDER / "labels.jsonl").read_text(encoding="utf-8").splitlines()]
    expected = [record for record in labels if record["image"] == f"images/{entry.name}"]
    assert json.loads(json.dumps(records_of(entry.name, [example]))) == expected
    with Image.open(FOLDER / "images" / entry.name) as stored:
        difference = np.asarray(image, np.int16) - np.asarray(stored.convert("RGB"), np.int16)
    assert np.abs(difference).mean() < 6  # JPEG and reduced colours
