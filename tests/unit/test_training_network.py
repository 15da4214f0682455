"""The network in Paddle: its loss, that padding and neighbours change nothing, training steps, and its export."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from models.backends import get_backend
from models.layout_ner.encode import collate, encode
from models.layout_ner.model_files import find_layout_ner
from models.layout_ner.training.stream import batches, make_sample, stack
from models.layout_ner.training.targets import IGNORED
from models.probe import load_options
from schemas.settings import load_settings
from tests.factories.training_pages import NETWORK, TAGS, VOCABULARY, line, receipt, source

paddle = pytest.importorskip("paddle", reason="training needs Paddle, from the extra train")

from models.layout_ner.network import LayoutNer, NetworkSize  # noqa: E402
from models.layout_ner.training.loss import tagging_loss, type_loss  # noqa: E402
from models.layout_ner.training.trainer import Recipe, make_gradients, rate_at, train  # noqa: E402

Arrays = Sequence[npt.NDArray[Any]]


def size() -> NetworkSize:
    return NetworkSize(len(VOCABULARY), len(TAGS), len(TAGS.types), **shape())


def shape() -> dict[str, Any]:
    return {name: tuple(value) if isinstance(value, list) else value for name, value in NETWORK.items()}


@pytest.fixture
def network() -> LayoutNer:
    """A network with random weights, large enough to give every character another answer."""
    paddle.seed(3)
    made = LayoutNer(size(), probabilities=True)
    for parameter in made.parameters():
        parameter.set_value(parameter * 2)
    made.eval()
    return made


def run(network: LayoutNer, arrays: Arrays) -> list[npt.NDArray[np.float32]]:
    with paddle.no_grad():
        return [output.numpy() for output in network(*[paddle.to_tensor(array) for array in arrays])]


def pages(*rows: int) -> list[Any]:
    """Encoded pages of so many lines."""
    texts = ("Total: 12.50", "ACME", "a longer line of text", "x")
    return [encode([line(texts[(row + n) % 4], row) for row in range(n)], VOCABULARY, n % 3) for n in rows]


# --- loss -----------------------------------------------------------------------------------------------------------


def log_softmax(logits: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    shifted = logits - logits.max(axis=-1, keepdims=True)
    found: npt.NDArray[np.float64] = shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True))
    return found


@pytest.mark.parametrize("smoothing", [0.0, 0.1])
def test_the_tagging_loss_is_that_of_any_right_tag(smoothing: float) -> None:
    rng = np.random.default_rng(0)
    logits = rng.normal(0, 2, (3, 11, 7))
    wanted = rng.integers(0, 7, (3, 11))
    wanted[:, 4:7] = 0
    wanted[0, 8:] = wanted[2, :2] = IGNORED
    open_tags = np.zeros((3, 7))
    open_tags[:, 0] = 1
    open_tags[1, 3:5] = 1
    weights = rng.uniform(0.5, 4, (3, 11))
    log_p = log_softmax(logits)
    losses, counts = [], []
    for page, place in zip(*np.nonzero(wanted != IGNORED), strict=True):
        tag, row = wanted[page, place], log_p[page, place]
        counts.append(weights[page, place])
        if tag == 0:
            losses.append(-np.log(np.exp(row)[open_tags[page] == 1].sum()))
        else:
            losses.append(-(1 - smoothing) * row[tag] - smoothing * row.mean())
    found = tagging_loss(
        paddle.to_tensor(logits.astype(np.float32)),
        paddle.to_tensor(wanted.astype(np.int64)),
        paddle.to_tensor(open_tags.astype(np.float32)),
        paddle.to_tensor(weights.astype(np.float32)),
        smoothing,
    )
    assert float(found) == pytest.approx(np.average(losses, weights=counts), rel=1e-5)


def test_nothing_known_is_no_loss() -> None:
    logits = paddle.randn([2, 3, 7])
    nothing = paddle.full([2, 3], IGNORED, "int64")
    assert float(tagging_loss(logits, nothing, paddle.ones([2, 7]), paddle.ones([2, 3]))) == 0
    assert float(type_loss(paddle.randn([2, 3]), paddle.full([2], IGNORED, "int64"))) == 0


def test_types_given_away_count_for_nothing_but_do_not_weigh_others_up() -> None:
    logits = np.random.default_rng(1).normal(0, 2, (4, 3))
    wanted = np.array([2, IGNORED, 0, IGNORED])
    expected = -(log_softmax(logits)[0, 2] + log_softmax(logits)[2, 0]) / 4
    found = type_loss(paddle.to_tensor(logits.astype(np.float32)), paddle.to_tensor(wanted))
    assert float(found) == pytest.approx(expected, rel=1e-5)


# --- network --------------------------------------------------------------------------------------------------------


def test_a_pages_answer_does_not_depend_on_neighbours_or_padding(network: LayoutNer) -> None:
    several = pages(4, 1, 9, 2)
    together = run(network, collate(several))
    padded = run(network, collate(several, 192, 24))
    for row, page in enumerate(several):
        tags, types = run(network, collate([page]))
        assert np.ptp(tags[0], axis=0).max() > 0.01  # characters are told apart
        for outputs in (together, padded):
            np.testing.assert_allclose(outputs[0][row, : page.length], tags[0], atol=1e-5)
            np.testing.assert_allclose(outputs[1][row], types[0], atol=1e-5)


def test_answers_are_probabilities(network: LayoutNer) -> None:
    tags, types = run(network, collate(pages(3, 5)))
    assert tags.shape[2] == len(TAGS)
    assert types.shape == (2, len(TAGS.types))
    for output in (tags, types):
        assert (output >= 0).all()
        np.testing.assert_allclose(output.sum(axis=-1), 1, atol=1e-5)


def test_where_lines_stand_and_what_is_asked_for_changes_the_answer(network: LayoutNer) -> None:
    lines = receipt().lines
    swapped = [*lines[:2], line(lines[2].text, 9, left=300), lines[3]]
    base = run(network, collate([encode(lines, VOCABULARY)]))[0]
    assert np.abs(run(network, collate([encode(swapped, VOCABULARY)]))[0] - base).max() > 1e-3
    assert np.abs(run(network, collate([encode(lines, VOCABULARY, 2)]))[0] - base).max() > 1e-3


# --- training -------------------------------------------------------------------------------------------------------


def test_the_rate_warms_up_and_falls() -> None:
    recipe = Recipe(steps=100, warm_up=10, learning_rate=1.0)
    rates = [rate_at(recipe, step) for step in range(100)]
    assert rates[:10] == pytest.approx([0.1 * (step + 1) for step in range(10)])
    assert rates[10:] == sorted(rates[10:], reverse=True)
    assert rates[10] == 1.0
    assert 0.01 <= rates[-1] < 0.02


def test_gradients_point_downhill() -> None:
    recipe = Recipe(smoothing=0.0)
    network = LayoutNer(NetworkSize(len(VOCABULARY), len(TAGS), len(TAGS.types), dropout=0.0, **shape()))
    weights = np.concatenate([parameter.numpy().ravel() for parameter in network.parameters()])
    gradients, count = make_gradients(network.size, recipe)
    assert count == len(weights)
    batch = stack([make_sample(source(), 1, number) for number in range(4)])
    found, loss = gradients(weights, batch)
    assert np.isfinite(found).all()
    assert gradients(weights - 1e-2 * found / np.linalg.norm(found), batch)[1] < loss
    assert gradients(weights + 1e-2 * found / np.linalg.norm(found), batch)[1] > loss


def test_a_run_can_be_repeated_and_keeps_its_best_weights(tmp_path: Path) -> None:
    scores = iter([0.5, 0.2, 0.4, 0.1] * 2)
    recipe = Recipe(steps=8, warm_up=2, evaluate_every=2, patience=9, seed=4)

    def made(folder: str) -> dict[str, npt.NDArray[np.float32]]:
        network = train(
            size(),
            lambda rank, count: batches(source(), 4, rank, count, size=8, budget=512),
            recipe,
            tmp_path / folder,
            lambda _: {"score": next(scores)},
            lambda _: None,
        )
        return {name: value.numpy() for name, value in network.state_dict().items()}

    first, again = made("first"), made("again")
    assert all(np.array_equal(value, again[name]) for name, value in first.items())
    last = paddle.load(str(tmp_path / "first" / "last.pdparams"))  # after the fourth evaluation; the first was best
    assert not all(np.array_equal(value, last[name].numpy()) for name, value in first.items())
    log = (tmp_path / "first" / "log.jsonl").read_text().splitlines()
    assert len(log) == 5
    assert '"step": 2' in log[1]


def test_it_stops_when_it_gets_no_better(tmp_path: Path) -> None:
    recipe = Recipe(steps=100, evaluate_every=1, patience=2)
    said: list[str] = []
    train(
        size(),
        lambda rank, count: batches(source(), 1, rank, count, size=4, budget=256),
        recipe,
        tmp_path,
        lambda _: {"score": 1.0},
        said.append,
    )
    assert said[-1].startswith("no better for 3 evaluations")
    assert len((tmp_path / "log.jsonl").read_text().splitlines()) == 5


def test_a_loss_that_is_no_number_ends_the_run(tmp_path: Path) -> None:
    recipe = Recipe(steps=50, warm_up=1, learning_rate=1e20, clip=1e20)
    with pytest.raises(FloatingPointError, match="lower the learning rate"):
        train(
            size(),
            lambda rank, count: batches(source(), 1, rank, count, size=4, budget=256),
            recipe,
            tmp_path,
            None,
            lambda _: None,
        )


# --- export ---------------------------------------------------------------------------------------------------------


def test_the_export_computes_the_same_on_every_backend(network: LayoutNer, tmp_path: Path) -> None:
    pytest.importorskip("paddle2onnx", reason="the export needs paddle2onnx, from the extra train")
    pytest.importorskip("onnxruntime", reason="needs ONNX Runtime")
    from models.layout_ner.training.export import export

    shapes = [collate(pages(3)), collate(pages(1, 8)), collate(pages(2, 4, 6), 128, 16)]
    expected = [run(network, arrays) for arrays in shapes]
    export(network, TAGS, VOCABULARY, tmp_path, "tiny", {"default": [[0.0, 0.0], [1.0, 0.9]]})
    for backend in ("openvino", "onnxruntime", "paddle"):
        found = find_layout_ner(load_settings(models={"layout_ner": str(tmp_path)}), backend)
        assert (found.tags.fields, found.vocabulary.characters) == (TAGS.fields, VOCABULARY.characters)
        assert found.description.calibration == {"default": [[0.0, 0.0], [1.0, 0.9]]}
        loaded = get_backend(backend).load(found.files, load_options(found.files, "f32"))
        try:
            for arrays, outputs in zip(shapes, expected, strict=True):
                tags, types = loaded.predictor(0).run(arrays)
                real = arrays[2] >= 0
                np.testing.assert_allclose(tags[real], outputs[0][real], atol=1e-4, err_msg=backend)
                np.testing.assert_allclose(types, outputs[1], atol=1e-4, err_msg=backend)
        finally:
            loaded.close()
