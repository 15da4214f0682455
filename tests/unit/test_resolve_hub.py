"""PaddleOCR's cache and hub: with folders and a package made up here, so that no network is touched."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import pytest

from models import hub, locate
from models import resolve as module
from models.resolve import resolve
from schemas.errors import ModelError
from schemas.settings import load_settings
from tests.unit.fake_models import (
    classifier_yml,
    detector_yml,
    recogniser_yml,
    write_onnx_folder,
    write_paddle_folder,
)

TEXTLINE = classifier_yml(["0_degree", "180_degree"])
PAGE = classifier_yml(["0", "90", "180", "270"])
OFFICIAL = [
    ("PP-OCRv5_server_det", "detection", detector_yml()),
    ("PP-OCRv6_medium_rec", "recognition", recogniser_yml(["a", "b"])),
    ("latin_PP-OCRv5_mobile_rec", "recognition", recogniser_yml(["a", "b"])),
    ("PP-LCNet_x1_0_textline_ori", "orientation", TEXTLINE),
    ("PP-LCNet_x1_0_doc_ori", "page_orientation", PAGE),
]


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PADDLE_PDX_CACHE_HOME", str(tmp_path / "paddlex"))
    monkeypatch.setattr(locate, "package_dir", lambda package: None)
    monkeypatch.setattr(module, "can_convert", lambda: False)
    return tmp_path / "paddlex" / "official_models"


def never(name: str, packages: Sequence[str]) -> Path:
    raise AssertionError("the hub was asked")


@pytest.mark.parametrize(("name", "task", "yml"), OFFICIAL)
def test_official_names_resolve_through_the_cache(cache: Path, name: str, task: str, yml: str) -> None:
    write_paddle_folder(cache / name, yml)
    write_onnx_folder(cache / f"{name}_onnx", yml)
    for backend, model_format, folder in (
        ("paddle", "paddle-json", name),
        ("openvino", "onnx", f"{name}_onnx"),
        ("onnxruntime", "onnx", f"{name}_onnx"),
    ):
        files = resolve(name, task, backend, load_settings(), fetch=never)
        assert (files.format, files.model.parent, files.task) == (model_format, cache / folder, task)
        assert files.characters == (("a", "b", " ") if task == "recognition" else ())


@pytest.mark.parametrize(("name", "task", "yml"), OFFICIAL)
@pytest.mark.parametrize(("backend", "packages"), [("paddle", ("paddle",)), ("openvino", ("onnx",))])
def test_official_names_are_fetched_in_a_format_that_the_backend_reads(
    cache: Path, name: str, task: str, yml: str, backend: str, packages: tuple[str, ...]
) -> None:
    def fetch(asked: str, wanted: Sequence[str]) -> Path:
        assert (asked, tuple(wanted)) == (name, packages)
        write = write_paddle_folder if backend == "paddle" else write_onnx_folder
        return write(cache / name, yml)

    assert resolve(name, task, backend, load_settings(), fetch=fetch).model.parent == cache / name


def test_where_paddle2onnx_is_installed_paddle_programs_will_do(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "can_convert", lambda: True)
    asked: list[tuple[str, ...]] = []

    def fetch(name: str, wanted: Sequence[str]) -> Path:
        asked.append(tuple(wanted))
        return write_onnx_folder(cache / name, detector_yml())

    resolve("PP-OCRv5_server_det", "detection", "openvino", load_settings(), fetch=fetch)
    assert asked == [("onnx", "paddle")]


def test_nothing_is_fetched_where_that_is_not_allowed(cache: Path) -> None:
    with pytest.raises(ModelError) as caught:
        resolve("PP-OCRv5_server_det", "detection", "openvino", load_settings(allow_download=False), fetch=never)
    for part in ("set allow_download to true", str(cache / "PP-OCRv5_server_det"), "model_dir"):
        assert part in caught.value.message


def test_an_embedded_model_without_an_official_name_is_not_fetched(cache: Path) -> None:
    with pytest.raises(ModelError, match="pip install --no-deps rapidocr=="):
        resolve("ch_ppocr_mobile_v2.0_cls", "orientation", "openvino", load_settings(), fetch=never)


def test_a_refusal_of_the_hub_comes_with_what_else_can_be_done(cache: Path) -> None:
    def fetch(name: str, wanted: Sequence[str]) -> Path:
        raise ModelError("the hub is closed")

    with pytest.raises(ModelError) as caught:
        resolve("PP-OCRv6_small_rec", "recognition", "openvino", load_settings(), fetch=fetch)
    for part in ("the hub is closed", "pip install --no-deps rapidocr==", str(cache / "PP-OCRv6_small_rec")):
        assert part in caught.value.message


def test_an_incomplete_download_says_so(cache: Path) -> None:
    folder = write_paddle_folder(cache / "PP-OCRv5_server_det", detector_yml())
    (folder / "inference.pdiparams").unlink()
    with pytest.raises(ModelError, match="is incomplete.*or remove it so that the model is fetched anew"):
        resolve("PP-OCRv5_server_det", "detection", "paddle", load_settings(), fetch=never)


def test_a_fetched_model_without_inference_yml_says_so(cache: Path) -> None:
    folder = write_paddle_folder(cache / "PP-OCRv5_server_det", detector_yml())
    (folder / "inference.yml").unlink()
    with pytest.raises(ModelError, match=r"lacks its inference\.yml"):
        resolve("PP-OCRv5_server_det", "detection", "paddle", load_settings(), fetch=never)


# --- the process that asks the hub ------------------------------------------------------------------------------

HUB = """
class Hub:
    def get_model_path(self, name, *, model_formats=None):
        print("chatter")
        {body}
official_models = Hub()
"""
OLD_HUB = """
class Hub:
    def __getitem__(self, name):
        return "/cache/" + name
official_models = Hub()
"""


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package called paddlex; what is returned is the module that a test fills."""
    folder = tmp_path / "site" / "paddlex" / "inference" / "utils"
    folder.mkdir(parents=True)
    for path in (folder, folder.parent, folder.parent.parent):
        (path / "__init__.py").touch()
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "site"), prepend=os.pathsep)
    return folder / "official_models.py"


def test_the_hub_is_asked_in_a_process_of_its_own(package: Path) -> None:
    package.write_text(HUB.format(body='return "/cache/" + name + "_" + "+".join(model_formats)'))
    assert hub.fetch("some_rec", ["onnx", "paddle"]) == Path("/cache/some_rec_onnx+paddle")


def test_older_releases_are_asked_by_item(package: Path) -> None:
    package.write_text(OLD_HUB)
    assert hub.fetch("some_rec", ["paddle"]) == Path("/cache/some_rec")


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ('raise Exception("No available model hosting platforms detected")', "No available model hosting platforms"),
        ('raise ValueError("no onnx package")', "ValueError: no onnx package"),
        ("import os; os._exit(7)", "no reason given"),
        ("raise SystemExit(0)", "no reason given"),
    ],
)
def test_a_hub_that_fails(package: Path, body: str, reason: str) -> None:
    package.write_text(HUB.format(body=body))
    with pytest.raises(ModelError) as caught:
        hub.fetch("some_rec", ["paddle"])
    for part in ("some_rec", reason, "check the network"):
        assert part in caught.value.message


def test_a_hub_that_hangs(package: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package.write_text(HUB.format(body="import threading; threading.Event().wait()"))
    monkeypatch.setattr(hub, "_TIMEOUT_S", 1)
    with pytest.raises(ModelError, match="did not deliver some_rec"):
        hub.fetch("some_rec", ["paddle"])


def test_without_paddleocr_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hub, "is_installed", lambda: False)
    with pytest.raises(ModelError, match=r"pip install 'inklane\[hub\]'"):
        hub.fetch("some_rec", ["paddle"])


def test_the_cache_is_where_paddleocr_keeps_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PADDLE_PDX_CACHE_HOME", raising=False)
    assert hub.cache_root() == Path.home() / ".paddlex" / "official_models"
