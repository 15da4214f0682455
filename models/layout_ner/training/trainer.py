"""The training loop: AdamW, one warm-up and one long cosine, averaged weights, early stopping."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import paddle

from models.layout_ner.network import LayoutNer, NetworkSize
from models.layout_ner.training.loss import tagging_loss, type_loss
from models.layout_ner.training.parallel import Flat, Gradients, MakeStream, Team
from models.layout_ner.training.stream import Batch

INPUTS = ("characters", "kinds", "line_of", "places", "geometry", "hint")

Evaluate = Callable[[LayoutNer], dict[str, float]]


@dataclass(slots=True, frozen=True)
class Recipe:
    """How to train. ``steps`` are batches; ``patience`` evaluations without a better score end it early."""

    steps: int = 8000
    learning_rate: float = 2e-3
    warm_up: int = 300
    weight_decay: float = 0.02
    clip: float = 1.0
    smoothing: float = 0.02
    type_weight: float = 0.6
    averaging: float = 0.998
    evaluate_every: int = 500
    patience: int = 8
    seed: int = 1


class Average:
    """Exponentially averaged weights, which are what is evaluated and kept (Polyak averaging)."""

    def __init__(self, network: LayoutNer, decay: float) -> None:
        self.decay, self.steps = decay, 0
        self.values = {name: value.clone().detach() for name, value in network.state_dict().items()}

    def update(self, network: LayoutNer) -> None:
        """Take in the weights of now; early on they count for more."""
        self.steps += 1
        decay = min(self.decay, (1 + self.steps) / (10 + self.steps))
        for name, value in network.state_dict().items():
            self.values[name] = self.values[name] * decay + value.detach() * (1 - decay)


def rate_at(recipe: Recipe, step: int) -> float:
    """The learning rate: linear warm-up, then half a cosine to a hundredth."""
    if step < recipe.warm_up:
        return recipe.learning_rate * (step + 1) / recipe.warm_up
    done = (step - recipe.warm_up) / max(1, recipe.steps - recipe.warm_up)
    return recipe.learning_rate * (0.01 + 0.99 * (1 + math.cos(math.pi * min(1.0, done))) / 2)


def train(
    size: NetworkSize,
    make_stream: MakeStream,
    recipe: Recipe,
    out: Path,
    evaluate: Evaluate | None = None,
    say: Callable[[str], None] = print,
    processes: int = 1,
) -> LayoutNer:
    """Train from scratch.

    Args:
        size: the network's shape.
        make_stream: batches without end for each process; picklable.
        recipe: how.
        out: a folder for ``log.jsonl`` and ``best.pdparams``; written as training goes on.
        evaluate: scores of a network, the higher the better; the one called ``score`` decides.
        say: told now and then how it goes.
        processes: that compute gradients, one batch each per step.

    Returns:
        The network with the best (averaged) weights.

    Raises:
        FloatingPointError: the loss is no number any more.
    """
    paddle.seed(recipe.seed)
    network = LayoutNer(size)
    gradients, count = _bind(network, recipe)
    out.mkdir(parents=True, exist_ok=True)
    team = Team(processes, count, partial(make_gradients, size, recipe), make_stream)
    try:
        _loop(network, gradients, team, make_stream(0, processes), recipe, out, evaluate, say)
    finally:
        team.close()
    network.set_state_dict(paddle.load(str(out / "best.pdparams")))
    network.eval()
    return network


def _loop(
    network: LayoutNer,
    gradients: Gradients,
    team: Team,
    stream: Any,
    recipe: Recipe,
    out: Path,
    evaluate: Evaluate | None,
    say: Callable[[str], None],
) -> None:
    decayed = {parameter.name for parameter in network.parameters() if len(parameter.shape) > 1}
    optimizer = paddle.optimizer.AdamW(
        recipe.learning_rate,
        parameters=network.parameters(),
        weight_decay=recipe.weight_decay,
        beta2=0.99,
        apply_decay_param_fun=decayed.__contains__,
        grad_clip=paddle.nn.ClipGradByGlobalNorm(recipe.clip),
    )
    average = Average(network, recipe.averaging)
    best, since_best, running = -math.inf, 0, 0.0
    started = time.monotonic()
    with (out / "log.jsonl").open("w", encoding="utf-8") as log:
        _note(log, {"size": network.size.to_dict(), "recipe": asdict(recipe)})
        for step in range(recipe.steps):
            batch = next(stream)
            optimizer.set_lr(rate_at(recipe, step))
            weights = _weights(network)
            total, loss = team.gradients(weights, lambda: gradients(weights, batch))  # noqa: B023  # used at once
            if not math.isfinite(loss):
                raise FloatingPointError(f"the loss is {loss} at step {step}: lower the learning rate")
            _give(network, total)
            optimizer.step()
            optimizer.clear_grad()
            average.update(network)
            running = loss if step == 0 else 0.98 * running + 0.02 * loss
            seconds = time.monotonic() - started
            if (step + 1) % 50 == 0:
                say(f"step {step + 1} of {recipe.steps}: loss {running:.4f}, {seconds:.0f} s")
            if (step + 1) % recipe.evaluate_every and step + 1 != recipe.steps:
                continue
            paddle.save(average.values, str(out / "last.pdparams"))
            scores = evaluate(_with(network.size, average)) if evaluate is not None else {}
            _note(log, {"step": step + 1, "loss": round(running, 5), "seconds": round(seconds, 1), **scores})
            say(f"step {step + 1}: " + ", ".join(f"{name} {score:.4f}" for name, score in scores.items()))
            score = scores.get("score", -running)
            since_best += 1
            if score > best:
                best, since_best = score, 0
                paddle.save(average.values, str(out / "best.pdparams"))
            elif since_best > recipe.patience:
                say(f"no better for {since_best} evaluations: stopped")
                break


def make_gradients(size: NetworkSize, recipe: Recipe) -> tuple[Gradients, int]:
    """A network of its own for each process; see :mod:`models.layout_ner.training.parallel`."""
    paddle.seed(recipe.seed)
    return _bind(LayoutNer(size), recipe)


def _bind(network: LayoutNer, recipe: Recipe) -> tuple[Gradients, int]:
    shapes = [tuple(parameter.shape) for parameter in network.parameters()]
    ends = np.cumsum([int(np.prod(shape)) for shape in shapes]).tolist()

    def gradients(weights: Flat, batch: Batch) -> tuple[Flat, float]:
        parts = np.split(weights, ends[:-1])
        for parameter, part, shape in zip(network.parameters(), parts, shapes, strict=True):
            parameter.set_value(part.reshape(shape))
        network.train()
        loss = _loss(network, batch, recipe)
        loss.backward()
        found = [
            np.zeros(shape, np.float32) if parameter.grad is None else parameter.grad.numpy()
            for parameter, shape in zip(network.parameters(), shapes, strict=True)
        ]
        network.clear_gradients()
        return np.concatenate([part.ravel() for part in found]), float(loss)

    return gradients, ends[-1]


def _weights(network: LayoutNer) -> Flat:
    return np.concatenate([parameter.numpy().ravel() for parameter in network.parameters()])


def _give(network: LayoutNer, flat: Flat) -> None:
    """Hand gradients to the parameters, for the optimiser."""
    start = 0
    for parameter in network.parameters():
        end = start + int(np.prod(parameter.shape))
        parameter.grad = paddle.to_tensor(flat[start:end].reshape(parameter.shape))
        start = end


def _loss(network: LayoutNer, batch: Batch, recipe: Recipe) -> paddle.Tensor:
    inputs = [paddle.to_tensor(batch[name]) for name in INPUTS]
    tags, types = network(*inputs)
    wanted, open_tags, weights = (paddle.to_tensor(batch[name]) for name in ("tags", "open", "weights"))
    loss = tagging_loss(tags, wanted, open_tags, weights, recipe.smoothing)
    return loss + recipe.type_weight * type_loss(types, paddle.to_tensor(batch["types"]))


def _with(size: NetworkSize, average: Average) -> LayoutNer:
    network = LayoutNer(size)
    network.set_state_dict(average.values)
    network.eval()
    return network


def _note(log: Any, record: dict[str, Any]) -> None:
    log.write(json.dumps(record, ensure_ascii=False) + "\n")
    log.flush()
