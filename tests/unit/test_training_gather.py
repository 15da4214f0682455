"""What a run learns from: labelled folders on their own and on the read lines, and drawn pages."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from models.layout_ner.example import Example
from models.layout_ner.read_page import ReadPage, to_json
from pipeline.training import gather as module
from pipeline.training.gather import Place, draw, gather, labelled_groups, load_groups, trainable
from pipeline.training.read_lines import labelled_images
from pipeline.training.recipe import Data, Rendered, TrainingRecipe
from pipeline.training.sources import HELD_OUT, held_out
from schemas.doctypes import load_doctypes
from schemas.errors import DatasetError
from schemas.settings import load_settings
from tests.factories.training_pages import line, receipt, write_labels
from tests.unit.synth_pages import palette

TYPES = load_doctypes()


def quiet(what: str, done: int, total: int) -> None:
    """Nobody is told how far it is."""


def read_lines(folder: Path, examples: list[Example]) -> Place:
    """The folder with lines as if they had been read."""
    cache = folder / "read.jsonl"
    rows = [
        to_json(
            ReadPage(f"{number}.png", "", round(one.width), round(one.height), 0, one.lines, [1.0] * len(one.lines))
        )
        for number, one in enumerate(examples)
    ]
    cache.write_bytes(b"".join(rows))
    return Place(folder, cache)


def test_every_page_comes_on_its_own_and_on_the_read_lines(tmp_path: Path) -> None:
    truth = [receipt(), receipt("7.00", company=("OTHER",))]
    misread = [receipt(company=("ACNE", "STORES")), receipt("7.00", company=("OTHER",))]
    groups = load_groups(read_lines(write_labels(tmp_path, truth), misread), TYPES)
    assert [[example.lines[0].text for example in group] for group in groups] == [["ACME", "ACNE"], ["OTHER", "OTHER"]]
    assert all({e.name for e in example.entities} == {"company", "total"} for group in groups for example in group)
    assert groups[0][1].values["company"] == ["ACME STORES"]


def test_versions_without_most_fields_are_not_trained_on(tmp_path: Path) -> None:
    truth = [receipt(), receipt("7.00")]
    unread = replace(receipt(), lines=[line("nothing of it", 0)])
    place = read_lines(write_labels(tmp_path, truth), [unread, receipt("7.00")])
    groups = load_groups(place, TYPES)
    assert [len(group) for group in groups] == [2, 2]
    assert [len(group) for group in trainable(groups)] == [1, 2]


def test_pages_of_no_known_type_are_trained_on_and_empty_labels_are_not(tmp_path: Path) -> None:
    other = Example("x", None, 400, 300, [line("a letter", 0)])
    unlabelled = replace(receipt(), values={})
    groups = load_groups(Place(write_labels(tmp_path, [other, unlabelled])), TYPES)
    assert [group[0].doc_type for group in groups] == [None, "receipt"]
    assert [group[0].doc_type for group in trainable(groups)] == [None]


def test_a_folder_of_which_nothing_can_be_learnt_is_refused(tmp_path: Path) -> None:
    folder = write_labels(tmp_path / "shop", [replace(receipt(), values={"total": ["99.99"]})])
    with pytest.raises(DatasetError, match=r"labels\.jsonl: no labelled field stands on the lines of its page"):
        labelled_groups(Place(folder), Data(name="shop"), TYPES)


def test_a_type_that_is_read_by_its_keys_is_refused_with_what_to_do(tmp_path: Path) -> None:
    own = tmp_path / "types"
    own.mkdir()
    definition = "names: {en: Lease}\nreader: READER\nfields:\n  company: {keys: [Landlord]}\n  total: {type: money}\n"
    (own / "lease.yaml").write_text(definition.replace("READER", "keys"))
    folder = write_labels(tmp_path / "shop", [replace(receipt(), doc_type="lease")])
    with pytest.raises(DatasetError, match=r"0\.png is a lease.*write reader: network in lease\.yaml"):
        labelled_groups(Place(folder), Data(name="shop"), load_doctypes(own))
    (own / "lease.yaml").write_text(definition.replace("READER", "network"))
    (group,) = labelled_groups(Place(folder), Data(name="shop"), load_doctypes(own))
    assert {entity.name for entity in group[0].entities} == {"company", "total"}


def test_the_recipe_names_the_type_that_labels_do_not(tmp_path: Path) -> None:
    folder = write_labels(tmp_path, [receipt()])
    rows = [json.loads(row) for row in (folder / "labels.jsonl").read_text().splitlines()]
    (folder / "labels.jsonl").write_text("\n".join(json.dumps({**row, "doc_type": None}) for row in rows))
    with pytest.raises(DatasetError, match="doc_type is missing"):
        labelled_groups(Place(folder), Data(name="x"), TYPES)
    (group,) = labelled_groups(Place(folder), Data(name="x", doc_type="receipt"), TYPES)
    assert group[0].doc_type == "receipt"


def test_every_labelled_page_of_a_document_is_to_be_read(tmp_path: Path) -> None:
    record = {"image": "a.pdf", "width": 9, "height": 9, "lines": []}
    (tmp_path / "a.pdf").touch()
    rows = [json.dumps({**record, "page": page}) for page in (3, 1)]
    (tmp_path / "labels.jsonl").write_text("\n".join(rows))
    images, pages_of = labelled_images(tmp_path)
    assert images == {"a.pdf": tmp_path / "a.pdf", "a.pdf#3": tmp_path / "a.pdf"}
    assert pages_of == {"a.pdf#3": 3}


def test_ppocrlabels_images_are_found(tmp_path: Path) -> None:
    folder = tmp_path / "set"
    folder.mkdir()
    (folder / "a.jpg").touch()
    (folder / "Label.txt").write_text("set/a.jpg\t[]\n")
    assert labelled_images(folder) == ({"set/a.jpg": folder / "a.jpg"}, {})


def test_fields_that_ppocrlabel_was_not_used_for_are_unknown(tmp_path: Path) -> None:
    rows = []
    for number, key in enumerate(("total", "None")):
        cv2.imwrite(str(tmp_path / f"{number}.png"), np.full((30, 90, 3), 255, np.uint8))
        box = {"transcription": "12.50", "points": [[2, 2], [50, 2], [50, 20], [2, 20]], "key_cls": key}
        rows.append(f"{number}.png\t{json.dumps([box])}\n")
    (tmp_path / "Label.txt").write_text("".join(rows))
    for (page,) in load_groups(Place(tmp_path), TYPES, "receipt"):
        assert "total" not in page.unknown  # the second page has none
        assert {"company", "tax", "date"} <= page.unknown


# --- drawing --------------------------------------------------------------------------------------------------------


@pytest.fixture
def _fonts() -> None:
    palette("train")
    palette("val")


@pytest.mark.usefixtures("_fonts")
def test_pages_are_drawn_once(tmp_path: Path) -> None:
    told: list[tuple[str, int, int]] = []

    def tell(*state: object) -> None:
        told.append(state)  # type: ignore[arg-type]

    folder = tmp_path / "rendered_1"
    pages = Rendered(count=2, seed=3, types=("bank_card",))
    draw(pages, "train", folder, tell)
    assert told == [("drawing rendered_1", 1, 2), ("drawing rendered_1", 2, 2)]
    labels = (folder / "labels.jsonl").read_bytes()
    draw(pages, "train", folder, tell)
    assert len(told) == 2
    draw(Rendered(count=2, seed=4, types=("bank_card",)), "train", folder, tell)
    assert len(told) == 4
    assert (folder / "labels.jsonl").read_bytes() != labels
    assert {group[0].doc_type for group in load_groups(Place(folder), TYPES)} == {"bank_card"}


@pytest.mark.usefixtures("_fonts")
def test_a_type_without_templates_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match="no templates for passport; there are bank_card"):
        draw(Rendered(count=1, types=("passport",)), "train", tmp_path / "x", quiet)


@pytest.mark.usefixtures("_fonts")
def test_all_that_the_recipe_asks_for_is_gathered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def fake_read(images: dict[str, Path], cache: Path, *_: object, **__: object) -> None:
        asked.append(f"{cache.parent.name}/{cache.name} {len(images)}")

    monkeypatch.setattr(module, "read_images", fake_read)
    shop, test = (write_labels(tmp_path / name, [receipt()]) for name in ("shop", "test"))
    for folder in (shop, test):
        (folder / "0.png").touch()
    rendered = (Rendered(count=2, types=("bank_card",)),)
    recipe = TrainingRecipe(data=(Data(name="shop"),), rendered=rendered, validation_rendered=rendered)
    found = gather(recipe, [shop], [test], tmp_path / "out", load_settings(), quiet)
    assert asked == [
        "read/shop.jsonl 1",
        "read/rendered_1.jsonl 2",
        "read/validation_1.jsonl 2",
        "read/evaluation_1_test.jsonl 1",
    ]
    assert found.data == [Place(shop, tmp_path / "out/read/shop.jsonl")]
    assert [place.labels.name for place in found.rendered + found.validation] == ["rendered_1", "validation_1"]
    asked.clear()
    unread = recipe.model_copy(update={"read": False, "rendered": (), "validation_rendered": ()})
    assert gather(unread, [shop], [test], tmp_path / "out", load_settings(), quiet).data == [Place(shop)]
    assert asked == []


# --- holding out ----------------------------------------------------------------------------------------------------


def split(groups: list[list[Example]], seed: int = 1) -> tuple[set[str], set[str]]:
    kept, aside = held_out(groups, seed)
    assert len(kept) + len(aside) == len(groups)
    return {group[0].lines[0].text for group in kept}, {group[0].lines[0].text for group in aside}


def test_no_company_is_on_both_sides_however_it_is_spelt() -> None:
    lotus = ["GOLDEN LOTUS", "GOLDEN LOTUS (KL)", "G0LDEN LOTUS"]
    others = ["BAKERY", "RIVERSIDE", "NORTH STAR", "UNITY", "WHITE CLOUD", "HARDWARE DEPOT"]
    groups = [[receipt(company=(name,))] for name in lotus * 4 + others * 2]
    for seed in range(8):
        kept, aside = split(groups, seed)
        assert aside
        assert not kept & aside
        assert not any("LOTUS" in name for name in aside)  # they are too many


def test_of_few_companies_the_one_with_the_fewest_pages_is_held_out() -> None:
    groups = [[receipt(company=(name,))] for name in ["BAKERY"] * 30 + ["RIVERSIDE"] * 12 + ["UNITY"] * 20]
    assert split(groups)[1] == {"RIVERSIDE"}


def test_of_one_company_some_pages_are_held_out() -> None:
    groups = [[replace(receipt(company=("BAKERY",)), name=f"{number}.png")] for number in range(40)]
    kept, aside = held_out(groups, 1)
    assert (len(kept), len(aside)) == (40 - round(HELD_OUT * 40), round(HELD_OUT * 40))


def test_a_handful_of_pages_is_all_trained_on() -> None:
    assert held_out([[receipt()], [receipt()]], 1)[1] == []
    assert held_out([], 1) == ([], [])


def test_pages_that_name_no_company_are_held_out_one_by_one() -> None:
    groups = [
        [Example(f"images/scan_{number:04}.png", "bill", 400, 300, [line(str(number), 0)])] for number in range(50)
    ]
    kept, aside = split(groups)
    assert len(aside) == round(HELD_OUT * 50)
    assert not kept & aside
