from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from models.backends.base import Array, Inputs
from models.layout_ner.example import TextLine
from models.layout_ner.external.description import External, read_description, read_labels
from models.layout_ner.external.inputs import Marks, arrays, page_picture
from models.layout_ner.external.labels import LabelSet, from_classes
from models.layout_ner.external.model import ExternalModel
from models.layout_ner.external.program import ProgramInput, program_inputs
from models.layout_ner.external.tokenisers import cut, open_tokeniser
from models.layout_ner.external.tokens import align, scaled_box, tokenise
from models.layout_ner.external.windows import joined, windows
from schemas.document import Polygon
from schemas.errors import ModelError

SQUARE: Polygon = ((10, 20), (110, 22), (110, 42), (10, 40))
LABELS = ("O", "B-COMPANY", "I-COMPANY", "B-TOTAL", "I-TOTAL")


# --- labels -----------------------------------------------------------------------------------------------------------


def test_classes_become_labels_as_paddleocr_numbers_them() -> None:
    assert from_classes(["OTHER", "QUESTION", "ANSWER"]) == ["O", "B-QUESTION", "I-QUESTION", "B-ANSWER", "I-ANSWER"]


def test_labels_of_every_scheme_become_tags() -> None:
    labels = LabelSet(["E-A", "I-A", "O", "S-A", "B-A", "b", "other"], "receipt")
    assert labels.tags.fields == {"receipt": ("a", "b")}
    probabilities = np.array([[0.1, 0.2, 0.05, 0.3, 0.2, 0.1, 0.05]], np.float32)
    np.testing.assert_allclose(labels.to_tags(probabilities), [[0.1, 0.5, 0.3, 0.0, 0.1]], atol=1e-6)


def test_labels_are_mapped_and_dropped() -> None:
    labels = LabelSet(
        ["O", "B-Sum", "I-Sum", "B-X", "B-ITEM_PRICE"],
        "receipt",
        {"SUM": "total", "x": "", "item_price": "items.amount"},
    )
    assert labels.tags.fields == {"receipt": ("total", "items.amount")}
    np.testing.assert_allclose(labels.to_tags(np.full((2, 5), 0.2, np.float32))[0], [0.4, 0.2, 0.2, 0.2, 0.0])


@pytest.mark.parametrize("labels", [[], ["O"], ["O", "OTHER"]])
def test_labels_without_a_field_are_refused(labels: list[str]) -> None:
    with pytest.raises(ValueError, match=r"no labels|means a field"):
        LabelSet(labels, "receipt")


# --- tokens -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "pieces", "parts"),
    [
        ("TOTAL 12.00", ["▁TO", "TAL", "▁12", ".00"], ["TO", "TAL", "12", ".00"]),
        ("合计 金额", ["▁", "合计", "▁金", "额"], ["", "合计", "金", "额"]),
        ("（１２）", ["(", "12", ")"], ["（", "１２", "）"]),
        ("1½ cup", ["▁1", "1⁄", "2", "▁cup"], ["1", "½", "½", "cup"]),
        ("a �b", ["▁a", "▁", "b"], ["a", "", "b"]),
        ("ab", ["▁x", "b"], ["a", "b"]),
        ("ab", ["▁ab", "c"], ["ab", ""]),
        ("", ["▁"], [""]),
    ],
)
def test_pieces_find_their_characters(text: str, pieces: list[str], parts: list[str]) -> None:
    assert [text[start:end] for start, end in align(text, pieces)] == parts


def test_boxes_are_scaled_and_stay_inside() -> None:
    assert scaled_box(SQUARE, 200, 100) == (50, 200, 550, 420)
    assert scaled_box(SQUARE, 50, 30, 999) == (200, 666, 999, 999)
    assert scaled_box(((-5, -5), (5, -5), (5, 5), (-5, 5)), 10, 10) == (0, 0, 500, 500)


def test_tokens_carry_their_lines_box() -> None:
    tokens = tokenise([TextLine("a b", SQUARE), TextLine("c", SQUARE)], str.split, 200, 100)
    assert [(token.text, token.line, token.start, token.end) for token in tokens] == [
        ("a", 0, 0, 1), ("b", 0, 2, 3), ("c", 1, 0, 1),
    ]  # fmt: skip
    assert {token.box for token in tokens} == {(50, 200, 550, 420)}


# --- windows ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("count", [0, 1, 9, 10, 11, 14, 16, 17, 100])
def test_windows_cover_all_tokens_and_overlap(count: int) -> None:
    cuts = windows(count, 10, 4)
    assert sorted({at for start, end in cuts for at in range(start, end)}) == list(range(count))
    assert all(end - start == min(10, count) for start, end in cuts)
    assert all(before[1] - after[0] >= 4 for before, after in zip(cuts, cuts[1:], strict=False))
    assert len(set(cuts)) == len(cuts)


def test_an_overlap_as_long_as_a_window_is_refused() -> None:
    with pytest.raises(ValueError, match="overlap"):
        windows(20, 10, 10)


def test_votes_are_joined_by_how_much_each_window_sees() -> None:
    one, two = np.tile([1.0, 0.0], (4, 1)), np.tile([0.0, 1.0], (4, 1))
    votes = joined([(0, one.astype(np.float32)), (2, two.astype(np.float32))], 6, 2)
    np.testing.assert_allclose(votes[:, 0], [1, 1, 2 / 3, 1 / 3, 0, 0], atol=1e-6)
    np.testing.assert_allclose(votes.sum(1), 1, atol=1e-6)


# --- inputs -----------------------------------------------------------------------------------------------------------


def inputs(*roles: str, length: int = -1) -> list[ProgramInput]:
    shapes = {"bbox": (-1, length, 4), "image": (-1, 3, 224, 224)}
    return [ProgramInput(role, role, shapes.get(role, (-1, length))) for role in roles]


def test_arrays_are_padded_and_marked() -> None:
    wanted = inputs("bbox", "input_ids", "attention_mask", "position_ids", "token_type_ids")
    box = (1, 2, 3, 4)
    bbox, ids, mask, positions, kinds = arrays(wanted, [([7], [box]), ([8, 9], [box, box])], Marks(1, (0, 2)), None)
    assert ids.tolist() == [[0, 7, 2, 1], [0, 8, 9, 2]]
    assert mask.tolist() == [[1, 1, 1, 0], [1, 1, 1, 1]]
    assert bbox[0].tolist() == [[0] * 4, [1, 2, 3, 4], [0] * 4, [0] * 4]
    assert positions.tolist() == [[0, 1, 2, 3]] * 2
    assert not kinds.any()
    assert {array.dtype for array in (bbox, ids, mask, positions, kinds)} == {np.dtype(np.int64)}


def test_a_fixed_length_is_kept() -> None:
    [ids, mask] = arrays(inputs("input_ids", "attention_mask", length=6), [([7], [(0, 0, 0, 0)])], Marks(1, None), None)
    assert ids.tolist() == [[7, 1, 1, 1, 1, 1]]
    assert mask.tolist() == [[1, 0, 0, 0, 0, 0]]


def test_the_picture_is_small_and_rgb() -> None:
    page = np.zeros((50, 80, 3), np.uint8)
    page[..., 2] = 255  # red
    raw = page_picture(page, "raw")
    assert raw.shape == (3, 224, 224)
    assert (int(raw[0].min()), int(raw[2].max())) == (255, 0)
    normalised = page_picture(page, "normalised")
    assert (int(normalised[0].max()), int(normalised[2].min())) == (2, -1)
    assert page_picture(None, "raw").min() == 255


# --- the folder -------------------------------------------------------------------------------------------------------


def describe(folder: Path, text: str) -> Path:
    (folder / "external.yaml").write_text(text, encoding="utf-8")
    return folder


def test_descriptions_have_defaults_that_suit_the_architecture(tmp_path: Path) -> None:
    layout = read_description(describe(tmp_path, "architecture: layoutxlm\ndoc_type: form\n"))
    assert (layout.with_special_tokens, layout.image_form, layout.length) == (False, "normalised", 512)
    ernie = read_description(describe(tmp_path, "architecture: ernie-layout\ndoc_type: form\n"))
    assert (ernie.with_special_tokens, ernie.image_form) == (True, "raw")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("architecture: bert\ndoc_type: form\n", "architecture: Input should be"),
        ("architecture: layoutxlm\n", "doc_type: Field required"),
        ("architecture: layoutxlm\ndoc_type: form\nlenght: 5\n", "lenght: Extra inputs"),
        ("- 1\n", "valid dictionary"),
        ("a: [\n", "cannot be read"),
    ],
)
def test_descriptions_that_make_no_sense_are_told(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(ModelError, match=message):
        read_description(describe(tmp_path, text))


def test_a_missing_description_is_told(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"external\.yaml cannot be read"):
        ExternalModel.open(tmp_path)


def test_labels_come_from_the_description_the_configuration_or_classes(tmp_path: Path) -> None:
    plain = External(architecture="layoutxlm", doc_type="form")
    with pytest.raises(ModelError, match="stands nowhere"):
        read_labels(tmp_path, plain)
    (tmp_path / "classes.txt").write_text("OTHER\nA\n\n", encoding="utf-8")
    assert read_labels(tmp_path, plain) == ["O", "B-A", "I-A"]
    config = {"id2label": {"10": "I-A", "2": "B-A", "1": "O"}}
    (tmp_path / "config.json").write_text(json.dumps(config), encoding="utf-8")
    assert read_labels(tmp_path, plain) == ["O", "B-A", "I-A"]
    assert read_labels(tmp_path, External(architecture="layoutxlm", doc_type="form", labels=("O", "B"))) == ["O", "B"]
    (tmp_path / "config.json").write_text("[]", encoding="utf-8")
    with pytest.raises(ModelError, match="the labels cannot be read"):
        read_labels(tmp_path, plain)


def test_a_model_without_labels_that_mean_fields_is_told(tmp_path: Path) -> None:
    describe(tmp_path, "architecture: layoutxlm\ndoc_type: form\nlabels: [O, OTHER]\n")
    with pytest.raises(ModelError, match="means a field"):
        ExternalModel.open(tmp_path)


def test_missing_files_are_told(tmp_path: Path) -> None:
    describe(tmp_path, "architecture: ernie-layout\ndoc_type: form\nlabels: [O, B-A]\n")
    with pytest.raises(ModelError, match=r"it needs inference\.json or inference\.pdmodel, and inference\.pdiparams"):
        ExternalModel.open(tmp_path)
    with pytest.raises(ModelError, match=r"vocab\.txt is missing"):
        open_tokeniser(tmp_path, read_description(tmp_path))


def program(folder: Path, *names: str) -> Path:
    data = [
        {
            "#": "1.data",
            "A": [{"N": "name", "AT": {"D": name}}, {"N": "shape", "AT": {"D": [-1, 512]}}],
        }
        for name in names
    ]
    path = folder / "inference.json"
    path.write_text(json.dumps({"program": {"regions": [{"blocks": [{"ops": [{"#": "1.full"}, *data]}]}]}}), "utf-8")
    return path


def test_inputs_are_known_by_name_or_by_place(tmp_path: Path) -> None:
    found = program_inputs(program(tmp_path, "bbox", "input_ids"))
    assert [(item.role, item.shape) for item in found] == [("bbox", (-1, 512)), ("input_ids", (-1, 512))]
    found = program_inputs(program(tmp_path, "x_0", "x_1", "x_2", "x_3", "x_4"))
    assert [item.role for item in found] == ["input_ids", "bbox", "attention_mask", "token_type_ids", "image"]


@pytest.mark.parametrize("names", [("x",), ("x_0", "x_1"), ("input_ids",), ("input_ids", "bbox", "pixels")])
def test_other_inputs_are_told(tmp_path: Path, names: tuple[str, ...]) -> None:
    with pytest.raises(ModelError, match="inputs"):
        program_inputs(program(tmp_path, *names))


def test_a_program_of_another_make_is_told(tmp_path: Path) -> None:
    path = tmp_path / "inference.json"
    path.write_text('{"program": {"regions": []}}', encoding="utf-8")
    with pytest.raises(ModelError, match="cannot be read as a Paddle program"):
        program_inputs(path)


# --- the whole --------------------------------------------------------------------------------------------------------


class Letters:
    """A tokeniser of single characters, marked as SentencePiece marks words."""

    cls_token_id, sep_token_id, pad_token_id = 0, 2, 1

    def tokenize(self, text: str) -> list[str]:
        return [("▁" if at == 0 else "") + char for word in text.split() for at, char in enumerate(word)]

    def convert_tokens_to_ids(self, tokens: Sequence[str]) -> list[int]:
        return [ord(token[-1]) for token in tokens]


class CapitalsAreCompanies:
    """Says company for capitals (begin at every A), total for digits (begin at every 9), nothing for the rest."""

    def __init__(self) -> None:
        self.lengths: list[int] = []

    def run(self, inputs: Inputs, *, cores: int = 1) -> list[Array]:
        ids: npt.NDArray[np.int64] = np.asarray(inputs[0])
        self.lengths.append(ids.shape[1])
        logits = np.zeros((*ids.shape, len(LABELS)), np.float32)
        for place, number in np.ndenumerate(ids):
            char = chr(int(number))
            label = {"A": 1, "9": 3}.get(char, 2 if char.isupper() else 4 if char.isdigit() or char == "." else 0)
            logits[place][label] = 9
        return [logits]


def model(predictor: CapitalsAreCompanies, **description: object) -> ExternalModel:
    values = {"architecture": "vi-layoutxlm", "doc_type": "receipt", **description}
    return ExternalModel(
        External.model_validate(values),
        LabelSet(LABELS, "receipt"),
        Letters(),
        inputs("input_ids", "bbox", "attention_mask"),
        predictor,
    )


def lines(*texts: str) -> list[TextLine]:
    return [TextLine(text, SQUARE) for text in texts]


def test_sub_words_become_candidates() -> None:
    found = model(CapitalsAreCompanies()).read(lines("the ABC DEF", "GH ltd", "sum 9.50", "AX"), 200, 100, page=2)
    read = [(one.name, one.content, [(span.line, span.start, span.end) for span in one.spans]) for one in found]
    assert read == [
        ("company", "ABC DEF GH", [(0, 4, 11), (1, 0, 2)]),
        ("company", "AX", [(3, 0, 2)]),
        ("total", "9.50", [(2, 4, 8)]),
    ]
    assert all(one.page == 2 and 0.9 < one.confidence <= 1 for one in found)


@pytest.mark.parametrize("special_tokens", [False, True])
def test_windows_do_not_show_in_the_result(special_tokens: bool) -> None:
    page = lines(*(f"row {number} ABC DEF, pay 9{number}.50 AT ONCE" for number in range(30)))
    whole, cut_up = CapitalsAreCompanies(), CapitalsAreCompanies()
    wanted = model(whole, length=4096, special_tokens=special_tokens).read(page, 200, 100)
    assert wanted
    found = model(cut_up, length=32, overlap=8, special_tokens=special_tokens).read(page, 200, 100)
    assert len(whole.lengths) == 1
    assert set(cut_up.lengths) == {32}
    assert [(one.name, one.content, one.spans) for one in found] == [
        (one.name, one.content, one.spans) for one in wanted
    ]


def test_a_page_without_text() -> None:
    reader = model(CapitalsAreCompanies())
    assert reader.read([], 200, 100) == []
    assert reader.read(lines("", " "), 200, 100) == []


def test_lines_without_the_mark_of_a_word() -> None:
    class Shielded(Letters):
        def tokenize(self, text: str) -> list[str]:
            return ["▁", *text] if text.startswith("&") else ["▁" + text]

    assert cut(Shielded(), "ab", word_marks=True) == ["▁ab"]
    assert cut(Shielded(), "ab", word_marks=False) == ["a", "b"]
    assert cut(Letters(), "ab", word_marks=False) == ["a", "b"]
    assert cut(Letters(), "  ", word_marks=False) == []
