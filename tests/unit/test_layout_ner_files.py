"""The layout-NER model's folder: where it is looked for, what must be in it, and that it is listed and checked."""

from __future__ import annotations

from pathlib import Path

import pytest

from models import listing, locate
from models.check import check_models
from models.layout_ner import model_files
from models.layout_ner.model_files import INPUTS, find_layout_ner, read_description, read_vocabulary
from models.layout_ner.tags import TagSet
from models.layout_ner.vocabulary import Vocabulary
from models.listing import list_models
from models.resolve import resolve
from schemas.errors import ModelError, SettingsError
from schemas.settings import Settings, load_settings
from tests.factories.layout_ner_model import CHARACTERS, TYPES, write_model, write_network

pytest.importorskip("onnx", reason="needs onnx")


@pytest.fixture(autouse=True)
def embedded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the project's own weights would be; nothing is there yet, and no other model anywhere."""
    monkeypatch.setattr(model_files, "EMBEDDED", tmp_path / "weights")
    monkeypatch.setattr(locate, "package_dir", lambda package: None)
    monkeypatch.setattr(listing, "is_installed", lambda backend: backend == "onnxruntime")
    monkeypatch.setenv("PADDLE_PDX_CACHE_HOME", str(tmp_path / "paddlex"))
    return tmp_path / "weights"


def settings(**values: object) -> Settings:
    return load_settings(backend="onnxruntime", allow_download=False, **values)


def test_the_projects_own_is_found(embedded: Path) -> None:
    write_model(embedded, calibration={"default": [[0, 0], [1, 1]]})
    found = find_layout_ner(settings(), "openvino")
    assert (found.files.name, found.files.task, found.files.format) == ("tiny", "layout_ner", "onnx")
    assert (found.files.model, found.files.input) == (embedded / "model.onnx", None)
    assert found.tags.fields == TYPES
    assert found.vocabulary.characters == tuple(CHARACTERS)
    assert found.description.calibration == {"default": [[0, 0], [1, 1]]}
    assert resolve(None, "layout_ner", "onnxruntime", settings()) == found.files


def test_the_fingerprint_changes_with_any_file(embedded: Path) -> None:
    write_model(embedded)
    seen = {find_layout_ner(settings(), "openvino").files.fingerprint}
    for name in ("layout_ner.yaml", "vocabulary.txt", "model.onnx"):
        path = embedded / name
        path.write_bytes(path.read_bytes() + (b"\n" if name != "vocabulary.txt" else "中\n".encode()))
        seen.add(find_layout_ner(settings(), "openvino").files.fingerprint)
    assert len(seen) == 4


def test_what_the_settings_name_goes_before_the_projects_own(embedded: Path, tmp_path: Path) -> None:
    write_model(embedded, name="embedded")
    write_model(tmp_path / "own" / "mine", name="mine")
    write_model(tmp_path / "own" / "layout_ner", name="usual")
    root = tmp_path / "own"

    def name(**values: object) -> str:
        return find_layout_ner(settings(**values), "openvino").files.name

    assert name() == "embedded"
    assert name(model_dir=root) == "usual"
    assert name(model_dir=root, models={"layout_ner": "mine"}) == "mine"
    assert name(models={"layout_ner": str(root / "mine")}) == "mine"


def test_a_missing_model_is_told_with_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"is not in .*weights; .*models\.layout_ner.*fields\.enabled to false"):
        find_layout_ner(settings(), "openvino")
    with pytest.raises(ModelError, match=r"models\.layout_ner names 'mine', and there is no .*layout_ner\.yaml"):
        find_layout_ner(settings(model_dir=tmp_path, models={"layout_ner": "mine"}), "openvino")


def test_a_backend_without_a_network_of_its_format_is_told(embedded: Path) -> None:
    write_model(embedded)
    with pytest.raises(ModelError, match=r"no network that paddle reads .*set backend to openvino or onnxruntime"):
        find_layout_ner(settings(), "paddle")
    (embedded / "model.json").write_text("{}")
    with pytest.raises(ModelError, match="no network that paddle reads"):
        find_layout_ner(settings(), "paddle")  # a program without its weights
    (embedded / "model.pdiparams").write_bytes(b"weights")
    assert find_layout_ner(settings(), "paddle").files.format == "paddle-json"
    with pytest.raises(SettingsError, match="no 'tensorrt'"):
        find_layout_ner(settings(), "tensorrt")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("name: x", "types: Field required"),
        ("{name: x, types: {}}", "types: "),
        ("{name: x, types: {receipt: []}}", "receipt must have fields"),
        ("{name: x, types: {receipt: [total, total]}}", "receipt must have fields, each named once"),
        ("{name: x, types: {other: [total]}}", "other is always there"),
        ("- a list", "valid dictionary"),
        ("{", "cannot be read"),
    ],
)
def test_a_description_that_does_not_fit_is_refused(embedded: Path, text: str, reason: str) -> None:
    write_model(embedded)
    (embedded / "layout_ner.yaml").write_text(text)
    with pytest.raises(ModelError, match=reason):
        find_layout_ner(settings(), "openvino")


@pytest.mark.parametrize("content", [b"a\nbc\n", b"a\na\n", b"\xff\xfe"], ids=["two on a line", "twice", "no UTF-8"])
def test_a_vocabulary_that_does_not_fit_is_refused(embedded: Path, content: bytes) -> None:
    write_model(embedded)
    (embedded / "vocabulary.txt").write_bytes(content)
    with pytest.raises(ModelError, match=r"vocabulary\.txt"):
        find_layout_ner(settings(), "openvino")


def test_a_space_and_odd_separators_are_characters_too(tmp_path: Path) -> None:
    characters = " \u2028\u3000\x0b\x85\r"
    model_files.write_description(
        tmp_path, model_files.Description(name="x", types={"receipt": ("total",)}), Vocabulary(characters)
    )
    assert "".join(read_vocabulary(tmp_path).characters) == characters
    assert read_description(tmp_path).name == "x"


def test_the_order_of_inputs_is_that_in_which_pages_are_stacked() -> None:
    from models.layout_ner.encode import Encoded, collate, encode
    from models.layout_ner.example import TextLine

    page: Encoded = encode([TextLine("ab", ((0, 0), (9, 0), (9, 9), (0, 9)))], Vocabulary("ab"), 2)
    stacked = dict(zip(INPUTS, collate([page]), strict=True))
    for name in INPUTS[:-1]:
        assert (stacked[name][0] == getattr(page, name)).all(), name
    assert stacked["hint"].tolist() == [2]


# --- inklane models -------------------------------------------------------------------------------------------------


def test_the_list_has_every_one_and_says_what_is_wrong(embedded: Path, tmp_path: Path) -> None:
    write_model(embedded)
    write_model(tmp_path / "own" / "mine", name="mine", licence="MIT")
    write_model(tmp_path / "own" / "bad")
    (tmp_path / "own" / "bad" / "layout_ner.yaml").write_text("name: bad")
    rows = {status.name: status for status in list_models(settings(model_dir=tmp_path / "own"))}
    tiny, mine, bad = rows["tiny"], rows["mine"], rows["bad"]
    assert (tiny.task, tiny.formats, tiny.where) == ("layout_ner", ("onnx",), (str(embedded),))
    assert (tiny.backends, tiny.missing_backends) == (("onnxruntime",), ("openvino",))
    assert (mine.where, mine.licence, mine.broken) == ((str(tmp_path / "own" / "mine"),), "MIT", False)
    assert bad.broken
    assert "types" in bad.note


def test_a_missing_one_is_listed_with_what_to_do() -> None:
    [status] = [status for status in list_models(settings()) if status.task == "layout_ner"]
    assert status.where == ()
    assert "fields.enabled" in status.note


def test_the_check_runs_it_on_a_backend(embedded: Path) -> None:
    pytest.importorskip("onnxruntime", reason="needs onnxruntime")
    write_model(embedded)
    [result] = [result for result in check_models(settings()) if result.task == "layout_ner"]
    assert (result.name, result.backend, result.ok) == ("tiny", "onnxruntime", True), result.detail
    assert result.detail == "tells 5 fields of 2 document types"


def test_the_check_finds_a_network_that_does_not_belong_to_its_description(embedded: Path) -> None:
    pytest.importorskip("onnxruntime", reason="needs onnxruntime")
    write_model(embedded)
    write_network(embedded / "model.onnx", TagSet({"receipt": ("total",)}), Vocabulary(CHARACTERS))
    [result] = [result for result in check_models(settings()) if result.task == "layout_ner"]
    assert not result.ok
    assert "do not belong together" in result.detail


@pytest.mark.parametrize("enabled", [True, False])
def test_a_missing_one_fails_the_check_unless_fields_are_off(enabled: bool) -> None:
    results = [r for r in check_models(settings(fields={"enabled": enabled})) if r.task == "layout_ner"]
    assert [r.ok for r in results] == ([False] if enabled else [])
