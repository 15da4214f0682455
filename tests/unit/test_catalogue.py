from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import ValidationError

from models import checksum
from models.catalogue import TASKS, Catalogue, Entry, PackageSource, load_catalogue
from models.formats import BACKENDS, FORMATS, TABLE, backends_for, formats_for, how
from models.locate import package_dir
from schemas.errors import ModelError

CATALOGUE = load_catalogue()
SOURCES = [(entry, source) for entry in CATALOGUE.models for source in entry.packages]


@pytest.mark.parametrize(
    ("entry", "source"), SOURCES, ids=[f"{entry.name}-{source.package}" for entry, source in SOURCES]
)
def test_files_of_installed_packages_have_the_checksums_of_the_catalogue(entry: Entry, source: PackageSource) -> None:
    folder = package_dir(source.package)
    if folder is None:
        pytest.skip(f"{source.distribution} is not installed")
    for file in source.files:
        checksum.verify(folder / file.path, file.sha256, "")


@pytest.mark.parametrize(
    ("task", "backend", "name"),
    [
        ("detection", "openvino", "PP-OCRv6_small_det"),
        ("detection", "onnxruntime", "PP-OCRv6_small_det"),
        ("detection", "paddle", "PP-OCRv4_mobile_det"),
        ("recognition", "openvino", "PP-OCRv6_small_rec"),
        ("recognition", "onnxruntime", "PP-OCRv6_small_rec"),
        ("recognition", "paddle", "PP-OCRv4_mobile_rec"),
        ("orientation", "openvino", "ch_ppocr_mobile_v2.0_cls"),
        ("orientation", "onnxruntime", "ch_ppocr_mobile_v2.0_cls"),
        ("orientation", "paddle", "ch_ppocr_mobile_v2.0_cls"),
    ],
)
def test_default_is_the_best_embedded_model_that_the_backend_reads(task: str, backend: str, name: str) -> None:
    assert CATALOGUE.embedded(task, backend).name == name  # type: ignore[arg-type]


def test_recognisers_say_where_their_characters_come_from() -> None:
    recognisers = [(e, s) for e, s in SOURCES if e.task == "recognition"]
    assert recognisers
    assert all(s.characters is not None and e.classes is not None for e, s in recognisers)


@pytest.mark.parametrize(
    ("name", "task"),
    [
        ("PP-OCRv5_server_det", "detection"),
        ("PP-OCRv6_medium_rec", "recognition"),
        ("korean_PP-OCRv5_mobile_rec", "recognition"),
        ("PP-LCNet_x1_0_doc_ori", "page_orientation"),
        ("PP-LCNet_x0_25_textline_ori", "orientation"),
        ("PP-OCRv7_large_det", "detection"),  # not out yet: found by the pattern of the names
        ("ch_ppocr_mobile_v2.0_cls", None),
        ("PP-OCRv5_server", None),
        ("../PP-OCRv5_server_det", None),
    ],
)
def test_official_names_have_a_task(name: str, task: str | None) -> None:
    assert CATALOGUE.hub_task(name) == task


def test_names_are_listed_once_with_the_embedded_ones_first() -> None:
    for task in (*TASKS, None):
        names = CATALOGUE.names(task)
        assert names
        assert len(set(names)) == len(names)
    assert CATALOGUE.names("detection")[0] == "PP-OCRv6_small_det"


SOURCE = {"package": "p", "distribution": "p==1", "format": "onnx", "model": {"path": "m", "sha256": "0" * 64}}


@pytest.mark.parametrize(
    "change",
    [
        {"format": "paddle"},  # without weights
        {"weights": {"path": "w", "sha256": "0" * 64}},  # ONNX with weights
        {"characters": "keys-file"},  # without the file
        {"keys": {"path": "k", "sha256": "0" * 64}},
        {"model": {"path": "m", "sha256": "0" * 63}},
        {"format": "pytorch"},
        {"unknown": 1},
    ],
)
def test_a_wrong_source_is_refused(change: dict[str, object]) -> None:
    PackageSource.model_validate(SOURCE)
    with pytest.raises(ValidationError):
        PackageSource.model_validate(SOURCE | change)


def test_a_name_may_occur_once_only() -> None:
    entry = CATALOGUE.models[0].model_dump()
    with pytest.raises(ValidationError, match="twice"):
        Catalogue.model_validate({"models": [entry, entry], "hub": {}})


def test_every_format_has_a_backend_and_every_backend_a_format() -> None:
    assert set(TABLE) == set(FORMATS)
    for model_format in FORMATS:
        for backend in BACKENDS:
            listed = backend in backends_for(model_format)
            assert listed == (model_format in formats_for(backend)) == (how(model_format, backend) is not None)
    assert all(how(formats_for(b)[0], b) == "direct" for b in BACKENDS)
    assert all(how(f, backends_for(f)[0]) == "direct" for f in FORMATS)


def test_checksum_follows_a_file_that_is_replaced(tmp_path: Path) -> None:
    file = tmp_path / "model"
    file.write_bytes(b"one")
    first = checksum.sha256(file)
    checksum.verify(file, first, "")
    file.write_bytes(b"another")
    with pytest.raises(ModelError) as caught:
        checksum.verify(file, first, "fetch it again")
    for part in (str(file), first, checksum.sha256(file), "fetch it again"):
        assert part in caught.value.message
    file.unlink()
    with pytest.raises(ModelError, match="cannot be read"):
        checksum.sha256(file)


def test_a_package_is_found_without_being_imported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "brings_models").mkdir()
    (tmp_path / "brings_models" / "__init__.py").write_text("raise RuntimeError('imported')")
    (tmp_path / "mere_folder").mkdir()
    monkeypatch.syspath_prepend(str(tmp_path))
    assert package_dir("brings_models") == tmp_path / "brings_models"
    assert package_dir("mere_folder") is None
    assert package_dir("no_such_package_at_all") is None
