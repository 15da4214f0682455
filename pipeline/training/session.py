"""From gathered pages to trained weights: the tags, the stream of pages, validation, and how long it may take."""

from __future__ import annotations

import math
import signal
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import paddle

from models.layout_ner.example import Example
from models.layout_ner.network import LayoutNer, NetworkSize
from models.layout_ner.synth.generate import OTHER
from models.layout_ner.tags import TagSet
from models.layout_ner.training.stream import Batch, Source, window
from models.layout_ner.training.trainer import Recipe, make_gradients, train
from models.layout_ner.vocabulary import Vocabulary, standard_vocabulary
from pipeline.training.gather import Gathered, Groups, labelled_groups, load_groups, trainable
from pipeline.training.recipe import TrainingRecipe, recipe_of
from pipeline.training.run import evaluate, stream, validation
from pipeline.training.scoring import MIN_CONFIDENCE, Scorer
from pipeline.training.sources import held_out, source, tag_set
from pipeline.training.weak_labels import all_with_weak_labels
from schemas.doctypes import DocType
from schemas.errors import InklaneError, SettingsError

BEST = "best.pdparams"
_COMPUTED = ("vocabulary", "tags", "types")
_LATE = 1.15
"""A run that was given minutes is ended when they are over by this factor, wherever it is."""
_MARGIN = 0.9  # of the minutes, what steps are planned for: evaluations and the start take the rest


class TrainingFailed(InklaneError):
    """Training broke off; the message says why and what to do."""


class _TimeIsUp(Exception):  # noqa: N818  # nothing went wrong
    pass


@dataclass(slots=True)
class Session:
    """All that training needs.

    ``held`` are labelled pages kept for validation, ``drawn`` synthetic ones of templates and fonts kept out of
    training, as the engine read them, ``checks`` the sets of pages by which is decided when to stop. ``recipe`` knows
    how many pages there are.
    """

    recipe: TrainingRecipe
    doctypes: Mapping[str, DocType]
    tags: TagSet
    vocabulary: Vocabulary
    size: NetworkSize
    source: Source
    held: Groups
    drawn: Groups
    checks: dict[str, list[Example]]
    optimisation: Recipe
    evaluation: dict[str, Groups] = field(default_factory=dict)

    def scorer(self, min_confidence: float = MIN_CONFIDENCE) -> Scorer:
        """Scores what the network is at least so sure of."""
        return Scorer(self.tags, self.vocabulary, self.doctypes, min_confidence)

    def written_out(self, made_with: Mapping[str, str]) -> TrainingRecipe:
        """The recipe with everything said that it left to defaults, so that it stays the same when they change."""
        values = self.recipe.model_dump()
        values["optimisation"] = {name: value for name, value in asdict(self.optimisation).items() if name != "seed"}
        values["network"] = {name: value for name, value in self.size.to_dict().items() if name not in _COMPUTED}
        return recipe_of({**values, "made_with": dict(made_with)})


def prepare(recipe: TrainingRecipe, gathered: Gathered, doctypes: Mapping[str, DocType]) -> Session:
    """Load all pages and set up what is trained on.

    Args:
        recipe: how.
        gathered: the pages.
        doctypes: all document types; those whose fields the network reads become tags. Without synthetic pages only
            those that are labelled do.

    Raises:
        DatasetError: nothing can be learnt from a labelled folder.
        SettingsError: the recipe names something that does not exist.
    """
    optimisation = _optimisation(recipe)
    train_groups: Groups = []
    held: Groups = []
    data = []
    for place, one in zip(gathered.data, recipe.data, strict=True):
        groups = labelled_groups(place, one, doctypes)
        kept, aside = held_out(groups, recipe.seed)
        kept = trainable(kept)
        train_groups += all_with_weak_labels(kept, doctypes) if recipe.weak_labels else kept
        held += aside
        data.append(one.model_copy(update={"pages": len(groups), "held_out": len(aside)}))
    recipe = recipe.model_copy(update={"data": tuple(data)})
    rendered = trainable([group for place in gathered.rendered for group in load_groups(place, doctypes)])
    drawn = [group for place in gathered.validation for group in load_groups(place, doctypes)]
    if not recipe.synthetic:  # types of which nothing is shown would be tags that mean nothing
        labelled = {example.doc_type for group in train_groups + held for example in group}
        doctypes = {name: doctype for name, doctype in doctypes.items() if name in labelled}
    tags, vocabulary = tag_set(doctypes), standard_vocabulary()
    size = _sized(recipe, NetworkSize(len(vocabulary), len(tags), len(tags.types)))
    shares = (recipe.shares.labelled, recipe.shares.rendered) if recipe.synthetic else (1.0, 0.0)
    types = tuple(recipe.types.items())
    said = (tuple(recipe.types) or (*tags.fields, OTHER)) if recipe.synthetic else ()
    return Session(
        recipe,
        doctypes,
        tags,
        vocabulary,
        size,
        source(train_groups, rendered, tags, vocabulary, shares, types),
        held,
        drawn,
        validation(held, said, optimisation.seed, recipe.validation_pages),
        optimisation,
        {place.labels.resolve().name: load_groups(place, doctypes) for place in gathered.evaluation},
    )


def steps_within(session: Session, minutes: float) -> int:
    """About how many steps a run of so many minutes has time for, by a trial with some batches."""
    network, count = make_gradients(session.size, session.optimisation)
    weights = np.random.default_rng(0).normal(0, 0.02, count).astype(np.float32)
    started = time.monotonic()
    batches = window(session.source, session.recipe.seed, 0, session.recipe.window, session.recipe.budget)
    making = time.monotonic() - started
    network(weights, batches[0])  # the first one also sets Paddle up
    tried = batches[1:4] or batches[:1]
    started = time.monotonic()
    for batch in tried:
        network(weights, batch)
    step = making / len(batches) + (time.monotonic() - started) / len(tried)
    return max(1, int(_MARGIN * minutes * 60 / step))


def planned(session: Session, steps: int) -> Session:
    """The session with another number of steps."""
    recipe = session.recipe.model_copy(update={"optimisation": {**session.recipe.optimisation, "steps": steps}})
    return replace(session, recipe=recipe, optimisation=_optimisation(recipe))


def run(session: Session, out: Path, say: Callable[[str], None], minutes: float | None = None) -> LayoutNer:
    """Train.

    Args:
        session: what on.
        out: a folder for ``log.jsonl`` and the weights.
        say: told how it goes.
        minutes: after about so many it ends, with the best weights so far; None: when the recipe says.

    Returns:
        The network with the best weights.

    Raises:
        TrainingFailed: see there.
        KeyboardInterrupt: the best weights so far are in ``out``, if there was an evaluation before.
    """
    ends = math.inf if minutes is None else time.monotonic() + _LATE * minutes * 60
    (out / BEST).unlink(missing_ok=True)
    check = partial(evaluate, session.scorer(), session.checks) if session.checks else None
    recipe = session.recipe
    feed = partial(
        _feed, session.source, recipe.seed, window=recipe.window, budget=recipe.budget, ends=ends, best=out / BEST
    )
    try:
        return train(session.size, feed, session.optimisation, out, check, say, recipe.processes)
    except _TimeIsUp:
        say(f"{minutes:g} minutes are over: the best weights so far are taken")
        return load_weights(session, out)
    except FloatingPointError as error:
        raise TrainingFailed(f"training failed: {error} (in the recipe, optimisation.learning_rate)") from error
    except RuntimeError as error:
        if _interrupted(error):  # while the processes waited for each other
            raise KeyboardInterrupt from error
        raise TrainingFailed(f"training failed: {error}") from error


def load_weights(session: Session, out: Path) -> LayoutNer:
    """The network with the best weights that a run has left in ``out``.

    Raises:
        TrainingFailed: there are none, or they are of a network of another shape.
    """
    if not (out / BEST).is_file():
        raise TrainingFailed(
            f"{out} holds no weights: training was stopped before its first evaluation; start it again"
        )
    network = LayoutNer(session.size)
    weights = paddle.load(str(out / BEST))
    expected = {name: list(value.shape) for name, value in network.state_dict().items()}
    if {name: list(value.shape) for name, value in weights.items()} != expected:
        raise TrainingFailed(
            f"{out / BEST} is of a network with other tags or of another size; use the document types and the recipe "
            "that it was trained with"
        )
    network.set_state_dict(weights)
    network.eval()
    return network


def _feed(
    source: Source, seed: int, rank: int, count: int, *, window: int, budget: int, ends: float, best: Path
) -> Iterator[Batch]:
    """The batches of one process. In the first one they end when the time is up; the others leave Ctrl-C to it."""
    if rank:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    for batch in stream(source, seed, rank, count, window=window, budget=budget):
        if not rank and time.monotonic() > ends and best.is_file():
            raise _TimeIsUp
        yield batch


def _interrupted(error: BaseException | None) -> bool:
    """Whether an error comes of Ctrl-C, whatever became of it on its way."""
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__cause__ or error.__context__
    return error is not None


def _optimisation(recipe: TrainingRecipe) -> Recipe:
    values: dict[str, Any] = dict(recipe.optimisation)
    known = {one.name: type(one.default) for one in fields(Recipe)}
    for name, value in values.items():
        if name not in known or name == "seed":
            raise SettingsError(
                f"the recipe's optimisation has no {name!r}; it has {', '.join(known.keys() - {'seed'})}"
            )
        if known[name] is int and not (isinstance(value, int) and value > 0):
            raise SettingsError(f"the recipe's optimisation.{name} must be a whole number above 0, not {value!r}")
    total = values.setdefault("steps", Recipe().steps)
    # A short run is warmed up and evaluated in proportion.
    values.setdefault("warm_up", max(1, min(Recipe().warm_up, total // 10)))
    values.setdefault("evaluate_every", max(1, min(Recipe().evaluate_every, total // 8)))
    return Recipe(seed=recipe.seed, **values)


def _sized(recipe: TrainingRecipe, size: NetworkSize) -> NetworkSize:
    values = size.to_dict()
    known = [name for name in values if name not in _COMPUTED]
    for name, value in recipe.network.items():
        if name not in known:
            raise SettingsError(f"the recipe's network has no {name!r}; it has {', '.join(known)}")
        usual = values[name]
        fits = (
            isinstance(value, list) and all(isinstance(one, int) and one > 0 for one in value)
            if isinstance(usual, tuple)
            else isinstance(value, type(usual)) and value >= (0 if name == "dropout" else 1)
        )
        if not fits:
            raise SettingsError(f"the recipe's network.{name} must be like {usual}, not {value!r}")
        values[name] = tuple(value) if isinstance(usual, tuple) else value
    if values["width"] % 4 or values["line_width"] % values["heads"] or values["kernel"] % 2 == 0:
        raise SettingsError(
            "the recipe's network does not fit: width must be a multiple of 4, line_width one of heads, and kernel odd"
        )
    return NetworkSize(**values)
