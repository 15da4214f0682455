"""The training loop: AdamW, one warm-up and one long cosine, averaged weights, early stopping."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import paddle

from models.layout_ner.network import LayoutNer, NetworkSize
from models.layout_ner.training.loss import tagging_loss, type_loss
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
    type_weight: float = 0.3
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
    stream: Iterator[Batch],
    recipe: Recipe,
    out: Path,
    evaluate: Evaluate | None = None,
    say: Callable[[str], None] = print,
) -> LayoutNer:
    """Train from scratch.

    Args:
        size: the network's shape.
        stream: batches without end.
        recipe: how.
        out: a folder for ``log.jsonl`` and ``best.pdparams``; written as training goes on.
        evaluate: scores of a network, the higher the better; the one called ``score`` decides.
        say: told now and then how it goes.

    Returns:
        The network with the best (averaged) weights.
    """
    paddle.seed(recipe.seed)
    network = LayoutNer(size)
    out.mkdir(parents=True, exist_ok=True)
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
    pages = 0
    with (out / "log.jsonl").open("w", encoding="utf-8") as log:
        _note(log, {"size": size.to_dict(), "recipe": asdict(recipe)})
        for step in range(recipe.steps):
            batch = next(stream)
            optimizer.set_lr(rate_at(recipe, step))
            loss = _step(network, batch, recipe)
            loss.backward()
            optimizer.step()
            optimizer.clear_grad()
            average.update(network)
            pages += len(batch["hint"])
            value = float(loss)
            if not math.isfinite(value):
                raise FloatingPointError(f"the loss is {value} at step {step}: lower the learning rate")
            running = value if step == 0 else 0.98 * running + 0.02 * value
            last = step + 1 == recipe.steps
            if (step + 1) % 50 == 0:
                say(f"step {step + 1}: loss {running:.4f}, {pages} pages, {time.monotonic() - started:.0f} s")
            if not ((step + 1) % recipe.evaluate_every == 0 or last):
                continue
            paddle.save(average.values, str(out / "last.pdparams"))
            scores = evaluate(_with(size, average)) if evaluate is not None else {}
            seconds = round(time.monotonic() - started, 1)
            _note(log, {"step": step + 1, "loss": round(running, 5), "pages": pages, "seconds": seconds, **scores})
            say(f"step {step + 1}: " + ", ".join(f"{name} {score:.4f}" for name, score in scores.items()))
            score = scores.get("score", -running)
            if score > best:
                best, since_best = score, 0
                paddle.save(average.values, str(out / "best.pdparams"))
            else:
                since_best += 1
                if since_best > recipe.patience:
                    say(f"no better for {since_best} evaluations: stopped")
                    break
    network.set_state_dict(paddle.load(str(out / "best.pdparams")))
    network.eval()
    return network


def _step(network: LayoutNer, batch: Batch, recipe: Recipe) -> paddle.Tensor:
    inputs = [paddle.to_tensor(batch[name]) for name in INPUTS]
    tags, types = network(*inputs)
    loss = tagging_loss(tags, paddle.to_tensor(batch["tags"]), paddle.to_tensor(batch["open"]), recipe.smoothing)
    return loss + recipe.type_weight * type_loss(types, paddle.to_tensor(batch["types"]))


def _with(size: NetworkSize, average: Average) -> LayoutNer:
    network = LayoutNer(size)
    network.set_state_dict(average.values)
    network.eval()
    return network


def _note(log: Any, record: dict[str, Any]) -> None:
    log.write(json.dumps(record, ensure_ascii=False) + "\n")
    log.flush()
