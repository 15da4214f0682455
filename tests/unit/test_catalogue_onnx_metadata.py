from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from models.characters import from_onnx
from models.locate import package_dir
from models.onnx_metadata import read_metadata
from schemas.errors import ModelError
from tests.unit.fake_models import field, onnx_bytes, varint

same_folder = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60, deadline=None)
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=300)


def read_or_message(file: Path) -> tuple[dict[str, str] | None, str]:
    try:
        return read_metadata(file), ""
    except ModelError as error:
        return None, error.message


@same_folder
@given(metadata=st.dictionaries(texts, texts, max_size=4), graph=st.binary(max_size=300))
def test_reads_what_was_written(tmp_path: Path, metadata: dict[str, str], graph: bytes) -> None:
    file = tmp_path / "m.onnx"
    file.write_bytes(onnx_bytes(metadata, graph))
    assert read_metadata(file) == metadata


@same_folder
@given(metadata=st.dictionaries(texts, texts, max_size=3), graph=st.binary(max_size=40))
def test_reads_what_the_onnx_package_writes(tmp_path: Path, metadata: dict[str, str], graph: bytes) -> None:
    onnx = pytest.importorskip("onnx")
    model = onnx.ModelProto(ir_version=10, producer_name="test", model_version=-1, doc_string="x" * 200)
    model.graph.name = graph.hex()
    onnx.helper.set_model_props(model, metadata)
    file = tmp_path / "m.onnx"
    file.write_bytes(model.SerializeToString())
    assert read_metadata(file) == metadata


def test_steps_over_fields_of_every_wire_type(tmp_path: Path) -> None:
    scalars = varint(90 << 3) + varint(2**63) + varint(91 << 3 | 1) + b"8 bytes." + varint(92 << 3 | 5) + b"four"
    file = tmp_path / "m.onnx"
    file.write_bytes(scalars + onnx_bytes({"k": "v"}) + scalars)
    assert read_metadata(file) == {"k": "v"}


def test_every_truncation_is_either_refused_or_leaves_the_graph_whole(tmp_path: Path) -> None:
    data = onnx_bytes({"character": "a\nb"}, graph=b"g" * 300)
    file = tmp_path / "m.onnx"
    refused = 0
    for length in range(len(data)):
        file.write_bytes(data[:length])
        metadata, message = read_or_message(file)
        assert metadata in (None, {})
        assert metadata is None or length >= 2 + len(field(7, b"g" * 300))
        assert metadata is not None or str(file) in message
        refused += metadata is None
    assert refused == len(data) - 1  # the one that passes ends right behind the graph


@same_folder
@given(data=st.binary(max_size=200))
def test_anything_else_is_refused_or_read_but_never_crashes(tmp_path: Path, data: bytes) -> None:
    file = tmp_path / "m.onnx"
    file.write_bytes(data)
    metadata, message = read_or_message(file)
    assert isinstance(metadata, dict) or str(file) in message


def test_a_missing_file_is_an_error_that_names_it(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="nothing.onnx"):
        read_metadata(tmp_path / "nothing.onnx")


def test_the_embedded_recogniser_has_the_characters_that_the_onnx_package_reads() -> None:
    onnx = pytest.importorskip("onnx")
    folder = package_dir("rapidocr")
    if folder is None:
        pytest.skip("rapidocr is not installed")
    file = folder / "models" / "PP-OCRv6_rec_small.onnx"
    model = onnx.load(file)
    metadata = {p.key: p.value for p in model.metadata_props}
    assert read_metadata(file) == metadata
    characters = from_onnx(file)
    assert characters is not None
    assert "\n".join(characters[:-1]) == metadata["character"]
    assert characters[-1] == " "
    classes = model.graph.output[0].type.tensor_type.shape.dim[2].dim_value
    assert len(characters) + 1 == classes == 18710
    assert len(set(characters)) == len(characters)
