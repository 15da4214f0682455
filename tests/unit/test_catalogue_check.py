"""``inklane models`` and ``inklane models check``, with a backend made up here."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from typer.testing import CliRunner

from models import check, listing, locate
from models.backends.base import LoadOptions, ModelFiles
from models.check import check_models
from models.layout_ner import model_files
from models.listing import list_models
from models.probe import draw_line
from pipeline.cli import models as cli
from schemas.errors import ModelError
from schemas.settings import Settings, load_settings
from tests.unit.fake_models import classifier_yml, detector_yml, recogniser_yml, write_onnx_folder

CHARACTERS = sorted(set("Total 2048") - {" "})
NAMES = {"detection": "mine_det", "recognition": "mine_rec", "orientation": "mine_ori"}


class FakePredictor:
    """Does by hand what a good network of the task does."""

    def __init__(self, files: ModelFiles, answer: Any) -> None:
        self.files, self.answer = files, answer

    def run(self, inputs: Any, *, cores: int = 1) -> list[Any]:
        assert inputs.dtype == np.uint8
        if self.answer is not None:
            return self.answer(inputs)  # type: ignore[no-any-return]
        if self.files.task == "recognition":
            classes = [self.files.characters.index(c) + 1 for c in "Total 2048"]
            return [np.array(classes, np.int32)[None, :, None], np.full((1, len(classes), 1), 0.9, np.float32)]
        dark = 255 - inputs[..., 0]
        if self.files.task == "detection":
            closed = cv2.morphologyEx(dark[0], cv2.MORPH_CLOSE, np.ones((9, 41), np.uint8))
            return [(closed > 128).astype(np.float32)[None, None]]
        inked = [np.flatnonzero(image.any(axis=0)) for image in dark]  # lines start near the left edge
        upright = np.array([c[0] < inputs.shape[2] - 1 - c[-1] for c in inked], np.float32)
        return [np.stack([upright, 1 - upright], axis=1)]


class FakeBackend:
    """A backend whose networks are good, except where ``answers`` says what a task's network answers instead."""

    name = "openvino"

    def __init__(self, **answers: Any) -> None:
        self.answers, self.open = answers, 0
        self.options: dict[str, LoadOptions] = {}

    def load(self, files: ModelFiles, options: LoadOptions) -> Any:
        answer = self.answers.get(files.task)
        if isinstance(answer, Exception):
            raise answer
        self.open += 1
        self.options[files.task] = options
        backend = self

        class Loaded:
            precision = "f32"

            def predictor(self, lane: int, stream: Any = None) -> FakePredictor:
                return FakePredictor(files, answer)

            def close(self) -> None:
                backend.open -= 1

        return Loaded()


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    """Three models in model_dir, chosen by name; nothing else is there, and OpenVINO is the only backend."""
    monkeypatch.setattr(locate, "package_dir", lambda package: None)
    monkeypatch.setattr(model_files, "EMBEDDED", tmp_path / "weights")
    monkeypatch.setenv("PADDLE_PDX_CACHE_HOME", str(tmp_path / "paddlex"))
    monkeypatch.setattr(listing, "is_installed", lambda backend: backend == "openvino")
    write_onnx_folder(tmp_path / "own" / "mine_det", detector_yml())
    write_onnx_folder(tmp_path / "own" / "mine_rec", recogniser_yml(CHARACTERS))
    write_onnx_folder(tmp_path / "own" / "mine_ori", classifier_yml(["0", "180"]))
    return load_settings(model_dir=tmp_path / "own", models=NAMES, fields={"enabled": False})


def failed(settings: Settings, backend: FakeBackend) -> dict[str, str]:
    results = list(check_models(settings, lambda name: backend))
    assert backend.open == 0  # every model was closed, whatever happened
    assert len({(r.name, r.backend) for r in results}) == len(results)
    return {result.name: result.detail for result in results if not result.ok}


def test_good_models_pass(own: Settings) -> None:
    backend = FakeBackend()
    results = list(check_models(own, lambda name: backend))
    assert {r.name: r.ok for r in results} == dict.fromkeys(NAMES.values(), True)
    assert {r.backend for r in results} == {"openvino"}
    assert "'Total 2048'" in next(r.detail for r in results if r.task == "recognition")
    assert backend.options["recognition"].ctc is not None
    assert backend.options["detection"].ctc is None


def nothing_found(inputs: Any) -> list[Any]:
    return [np.zeros((1, 1, *inputs.shape[1:3]), np.float32)]


def everything_found(inputs: Any) -> list[Any]:
    return [np.ones((1, 1, *inputs.shape[1:3]), np.float32)]


def not_finite(inputs: Any) -> list[Any]:
    return [np.full((1, 1, *inputs.shape[1:3]), np.nan, np.float32)]


def wrong_text(inputs: Any) -> list[Any]:
    return [np.array([[[1], [2]]], np.int32), np.ones((1, 2, 1), np.float32)]


def class_beyond(inputs: Any) -> list[Any]:
    return [np.array([[[1], [999]]], np.int32), np.ones((1, 2, 1), np.float32)]


def always_upright(inputs: Any) -> list[Any]:
    return [np.array([[0.9, 0.1]] * len(inputs), np.float32)]


def a_crash(inputs: Any) -> list[Any]:
    raise RuntimeError("from inside the runtime")


@pytest.mark.parametrize(
    ("task", "answer", "reason"),
    [
        ("detection", nothing_found, "finds 0x0 pixels"),
        ("detection", everything_found, "finds 320x320 pixels"),
        ("detection", not_finite, "no text detector"),
        ("detection", always_upright, "no text detector"),
        ("recognition", wrong_text, "reads '02' where 'Total 2048' is written"),
        ("recognition", class_beyond, "do not belong together"),
        ("orientation", always_upright, "upside down"),
        ("orientation", a_crash, "RuntimeError: from inside the runtime"),
        ("detection", ModelError("does not load"), "does not load"),
        ("recognition", MemoryError("too large"), "MemoryError: too large"),
    ],
)
def test_a_bad_model_fails_and_the_others_go_on(own: Settings, task: str, answer: Any, reason: str) -> None:
    faults = failed(own, FakeBackend(**{task: answer}))
    assert list(faults) == [NAMES[task]]
    assert reason in faults[NAMES[task]]


def test_a_recogniser_without_letters_reads_digits(own: Settings, tmp_path: Path) -> None:
    digits = "0123456789"
    write_onnx_folder(tmp_path / "own" / "digits_rec", recogniser_yml(list(digits)))

    def read(inputs: Any) -> list[Any]:
        classes = np.array([digits.index(c) + 1 for c in "20481736"], np.int32)  # spaces do not count
        return [classes[None, :, None], np.ones((1, len(classes), 1), np.float32)]

    results = {r.name: r.ok for r in check_models(own, lambda name: FakeBackend(recognition=read))}
    assert results["digits_rec"]
    assert not results["mine_rec"]  # has the letters, and is asked for them


def test_a_missing_embedded_model_is_a_failure(own: Settings) -> None:
    settings = own.model_copy(update={"models": load_settings().models})
    faults = [r for r in check_models(settings, lambda name: FakeBackend()) if not r.ok]
    assert [r.task for r in faults] == [task for task in check.REQUIRED_TASKS if task != "layout_ner"]
    assert all(re.search(r"pip install (--no-deps )?'?rapidocr==", r.detail) for r in faults)


def test_a_broken_folder_is_a_failure(own: Settings, tmp_path: Path) -> None:
    (tmp_path / "own" / "half_det").mkdir()
    assert "is incomplete" in failed(own, FakeBackend())["half_det"]


def test_the_list_says_where_models_are_or_what_to_do(own: Settings, tmp_path: Path) -> None:
    write_onnx_folder(tmp_path / "paddlex" / "official_models" / "PP-OCRv5_server_det_onnx", detector_yml())
    (tmp_path / "paddlex" / "official_models" / "PP-DocLayout-L").mkdir()  # nothing to do with reading text
    rows = {status.name: status for status in list_models(own)}
    mine = rows["mine_rec"]
    assert (mine.task, mine.formats, mine.backends) == ("recognition", ("onnx",), ("openvino",))
    assert mine.missing_backends == ("onnxruntime",)
    assert str(tmp_path / "own" / "mine_rec") in mine.where[0]
    assert "PaddleOCR's cache" in rows["PP-OCRv5_server_det"].where[0]
    assert rows["PP-OCRv5_server_det"].licence == "Apache-2.0"
    assert rows["PP-OCRv6_small_rec"].where == ()
    assert re.search(r"pip install (--no-deps )?'?rapidocr==", rows["PP-OCRv6_small_rec"].note)
    assert "PP-DocLayout-L" not in rows
    assert "PP-OCRv6_medium_rec" not in rows
    everything = {status.name for status in list_models(own, with_hub=True)}
    assert everything > set(rows)
    assert "PP-OCRv6_medium_rec" in everything


@pytest.mark.parametrize("arguments", [[], ["--all"], ["check"]])
def test_the_commands(own: Settings, monkeypatch: pytest.MonkeyPatch, arguments: Sequence[str]) -> None:
    monkeypatch.setattr(cli, "load_settings", lambda: own)
    monkeypatch.setattr(cli, "check_models", lambda settings: check_models(settings, lambda name: FakeBackend()))
    result = CliRunner(env={"COLUMNS": "250"}).invoke(cli.app, list(arguments))
    assert result.exit_code == 0, result.output
    for name in NAMES.values():
        assert name in result.output
    assert ("PP-OCRv6_medium_rec" in result.output) == (arguments == ["--all"])


def test_the_check_command_fails_with_a_model(own: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    bad = FakeBackend(detection=nothing_found)
    monkeypatch.setattr(cli, "load_settings", lambda: own)
    monkeypatch.setattr(cli, "check_models", lambda settings: check_models(settings, lambda name: bad))
    result = CliRunner(env={"COLUMNS": "250"}).invoke(cli.app, ["check"])
    assert result.exit_code == 1
    assert "FAILED" in result.output


@pytest.mark.parametrize(("height", "width"), [(48, 256), (48, 192), (80, 160), (32, 224)])
def test_the_drawn_line_fits_its_image(height: int, width: int) -> None:
    dark = draw_line("Total 2048", height, width).min(axis=2) < 128
    assert dark.any(axis=0).sum() > width / 2
    assert not dark[[0, -1]].any()
    assert not dark[:, [0, -1]].any()
