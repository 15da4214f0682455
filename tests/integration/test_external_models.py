"""Models from outside, made on the spot by PaddleNLP with random weights."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from models.layout_ner.example import TextLine
from models.layout_ner.external.inputs import page_picture
from models.layout_ner.external.model import ExternalModel
from models.layout_ner.external.tokens import tokenise
from schemas.errors import ModelError
from tests.factories.token_classifiers import LABELS, TEXTS, export, make_tokeniser, save_old

try:
    import_module("paddlenlp")
except Exception as error:  # it fails in many ways where its pins are not kept
    pytest.skip(f"needs PaddleNLP (extra nlp), which does not load here: {error}", allow_module_level=True)

ARCHITECTURES = ("vi-layoutxlm", "layoutxlm", "ernie-layout")


def page(count: int) -> list[TextLine]:
    return [
        TextLine(TEXTS[row % len(TEXTS)], ((10, 20 * row), (200, 20 * row), (200, 20 * row + 15), (10, 20 * row + 15)))
        for row in range(count)
    ]


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[Path, Any]]:
    """A folder for each architecture, and the layer that was exported."""
    made = {}
    for architecture in ARCHITECTURES:
        folder = tmp_path_factory.mktemp(architecture)
        make_tokeniser(folder)
        made[architecture] = folder, export(folder, architecture)
    return made


def direct(layer: Any, model: ExternalModel, lines: list[TextLine], pixels: Any, form: str, marks: bool) -> Any:
    """The labels' probabilities of all tokens at once, from the layer before its export."""
    import paddle

    cut = model._cut
    tokens = tokenise(lines, cut, 300, 400, 999 if marks else 1000)
    ids = model._tokeniser.convert_tokens_to_ids([token.text for token in tokens])
    boxes = [token.box for token in tokens]
    if marks:
        ids = [0, *ids, 2]
        boxes = [(0, 0, 0, 0), *boxes, (0, 0, 0, 0)]
    image = None
    if model.takes_picture:
        image = paddle.to_tensor(page_picture(pixels, form)[None])  # type: ignore[arg-type]
    with paddle.no_grad():
        answer = layer(input_ids=paddle.to_tensor([ids]), bbox=paddle.to_tensor([boxes]), image=image)
    logits = (answer[0] if isinstance(answer, tuple) else answer).numpy()[0]
    probabilities = np.exp(logits) / np.exp(logits).sum(-1, keepdims=True)
    return tokens, probabilities[1:-1] if marks else probabilities


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_an_exported_model_says_what_the_layer_says(folders: dict[str, tuple[Path, Any]], architecture: str) -> None:
    folder, layer = folders[architecture]
    model = ExternalModel.open(folder)
    assert model.takes_picture == (architecture != "vi-layoutxlm")
    assert model.tags.fields == {"receipt": ("company", "total", "date")}
    pixels = np.random.default_rng(1).integers(0, 256, (400, 300, 3), np.uint8)
    lines = page(12)
    found = model.character_tags(lines, 300, 400, pixels=pixels)
    ernie = architecture == "ernie-layout"
    tokens, wanted = direct(layer, model, lines, pixels, "raw" if ernie else "normalised", ernie)
    starts = np.cumsum([0] + [len(line.text) + 1 for line in lines])
    seen = [number for number, token in enumerate(tokens) if token.end > token.start]
    got = found.tags[[starts[tokens[number].line] + tokens[number].start for number in seen]]
    np.testing.assert_allclose(got, wanted[seen], atol=2e-3)
    np.testing.assert_allclose(found.tags.sum(1), 1, atol=1e-4)
    model.close()


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_a_page_longer_than_the_model_is_read_in_windows(
    folders: dict[str, tuple[Path, Any]], architecture: str
) -> None:
    model = ExternalModel.open(folders[architecture][0])
    lines = page(200)
    tokens = tokenise(lines, model._cut, 300, 4000)
    assert len(tokens) > 3 * 512
    candidates = model.read(lines, 300, 4000, kinds={"total": "money", "date": "date"}, page=3)
    assert candidates
    for candidate in candidates:
        assert candidate.page == 3
        assert candidate.name in {"company", "total", "date"}
        assert 0 <= candidate.confidence <= 1
        assert isinstance(candidate.confidence, float)
        for span in candidate.spans:
            assert lines[span.line].text[span.start : span.end].strip() in candidate.content
    assert max(span.line for candidate in candidates for span in candidate.spans) > 150
    assert candidates == model.read(lines, 300, 4000, kinds={"total": "money", "date": "date"}, page=3)
    model.close()


def test_a_page_without_text_has_no_candidates(folders: dict[str, tuple[Path, Any]]) -> None:
    model = ExternalModel.open(folders["vi-layoutxlm"][0])
    assert model.read([], 300, 400) == []
    assert model.read([TextLine("  ", page(1)[0].polygon)], 300, 400) == []
    model.close()


def test_an_export_as_paddleocr_makes_it(tmp_path: Path) -> None:
    make_tokeniser(tmp_path)
    layer = export(tmp_path, "vi-layoutxlm", length=512, named=False)
    (tmp_path / "config.json").unlink()
    (tmp_path / "classes.txt").write_text("OTHER\nCOMPANY\nTOTAL\nDATE\n", encoding="utf-8")
    model = ExternalModel.open(tmp_path)
    lines = page(8)
    found = model.character_tags(lines, 300, 400)
    tokens, wanted = direct(layer, model, lines, None, "raw", marks=False)
    first = next(number for number, token in enumerate(tokens) if token.end > token.start)
    np.testing.assert_allclose(found.tags[0], wanted[first], atol=2e-3)  # padding to 512 changes nothing
    model.close()


def test_the_old_format(tmp_path: Path) -> None:
    make_tokeniser(tmp_path)
    save_old(tmp_path)
    labels = ", ".join(LABELS)
    (tmp_path / "external.yaml").write_text(
        f"architecture: vi-layoutxlm\ndoc_type: receipt\nlabels: [{labels}]\n", encoding="utf-8"
    )
    model = ExternalModel.open(tmp_path)
    lines = page(60)
    found = model.character_tags(lines, 300, 1200)
    again = model.character_tags(lines[:5], 300, 1200)
    np.testing.assert_allclose(found.tags[: len(again.tags)], again.tags, atol=1e-5)  # it looks at no neighbour
    model.close()


def test_labels_that_are_too_few_are_told(folders: dict[str, tuple[Path, Any]], tmp_path: Path) -> None:
    source = folders["vi-layoutxlm"][0]
    for file in source.iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    (tmp_path / "external.yaml").write_text(
        f"architecture: vi-layoutxlm\ndoc_type: receipt\nlabels: [{', '.join(LABELS[:5])}]\n", encoding="utf-8"
    )
    with pytest.raises(ModelError, match="tells 7 labels apart, and 5 are named"):
        ExternalModel.open(tmp_path)


def test_a_damaged_tokeniser_is_told(folders: dict[str, tuple[Path, Any]], tmp_path: Path) -> None:
    source = folders["vi-layoutxlm"][0]
    for file in source.iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    (tmp_path / "sentencepiece.bpe.model").write_bytes(b"nothing")
    with pytest.raises(ModelError, match="it is no SentencePiece model"):
        ExternalModel.open(tmp_path)
