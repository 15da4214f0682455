"""Models swapped, tried on a share of the documents, run as shadows and rolled back, all while documents flow."""

from __future__ import annotations

import itertools
import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from pipeline.build_models import MODEL_STAGES
from pipeline.hot.loading import Loading
from pipeline.hot.shadow import UNBATCHED, Shadow
from pipeline.hot.versions import ModelVersion, Versions
from schemas.errors import InklaneError, InvalidRequest, ModelError
from schemas.statistics import ShadowFigures
from stages.batcher import Item
from stages.lane import Payload

log = logging.getLogger(__name__)

Offer = Callable[[str, list[Item[Payload]]], None]


@dataclass(slots=True)
class HotState:
    """What was changed, by stage, so that another worker can be made alike: names as they were asked for.

    ``previous`` has the checksummed name, too, since files can change under a name.
    """

    current: dict[str, str | None] = field(default_factory=dict)
    previous: dict[str, tuple[str | None, str]] = field(default_factory=dict)
    candidates: dict[str, tuple[str | None, float]] = field(default_factory=dict)
    shadows: dict[str, tuple[str | None, float]] = field(default_factory=dict)


class HotModels:
    """Changes which models read. One thread calls it; what it changes, lanes see between batches.

    Whatever goes wrong leaves everything as it was. At most three models of a stage are in memory, each as often as
    it has users: the one in use, the candidate and the shadow; the one before is loaded again when it is wanted.

    Args:
        versions: what runs each stage.
        lanes: how many lanes each stage has.
        loading: gives the means of loading, when first they are needed.
        offer: lets a shadow's items wait for a stage.
    """

    def __init__(
        self, versions: Versions, lanes: Mapping[str, int], loading: Callable[[], Loading], offer: Offer
    ) -> None:
        self._versions, self._lanes, self._offer = versions, dict(lanes), offer
        self._make_loading = loading
        self._known: Loading | None = None
        self._numbers = itertools.count(1)
        self._state = HotState()
        self.shadows: dict[str, Shadow] = {}
        self.swaps = 0

    @property
    def state(self) -> HotState | None:
        """What was changed; None: nothing."""
        return None if self._state == HotState() else self._state

    def describe(self) -> dict[str, Any]:
        """Each stage's models: the one in use, the candidate with its share, the one before, and the shadow."""
        told: dict[str, Any] = {}
        for stage in self._stages():
            candidate, shadow = self._versions.candidate(stage), self.shadows.get(stage)
            previous = self._state.previous.get(stage)
            told[stage] = {
                "model": self._versions.current(stage).name,
                "previous": previous[1] if previous is not None else None,
                "candidate": None if candidate is None else {"model": candidate[0].name, "share": candidate[1]},
                "shadow": None if shadow is None else {"model": shadow.figures.name, "share": shadow.share},
            }
        return told

    def load(self, stage: str, name: str | None = None, share: float = 1.0) -> dict[str, Any]:
        """Read documents that begin from now on with a model: all of them, or a share.

        Args:
            stage: ``detection``, ``orientation``, ``recognition`` or ``layout_ner``.
            name: as in the settings; None: the one that the settings choose, whose files may have changed.
            share: of the documents, more than 0. Below 1 the model is a candidate beside the one in use.

        Raises:
            InklaneError: there is no such stage, or the model is missing, unsuited, or failed its self-test.
        """
        self._check(stage, share)
        label, used = self._loading.name(stage, name), self._versions.current(stage)
        if share < 1:
            if label == used.name:
                raise InvalidRequest(f"{label} reads all documents already; give a share to another model")
            self._versions.try_on(self._version(stage, name, label), share)
            self._state.candidates[stage] = (name, share)
        elif label == used.name:
            self._give_up(stage)
        else:
            self._use(self._version(stage, name, label))
        return self.describe()[stage]  # type: ignore[no-any-return]

    def rollback(self, stage: str) -> dict[str, Any]:
        """Undo the last change: give the candidate up if there is one, else go back to the model before.

        Raises:
            InklaneError: there is nothing to go back to, or that model is not what it was.
        """
        self._check(stage)
        if self._give_up(stage):
            return self.describe()[stage]  # type: ignore[no-any-return]
        previous = self._state.previous.get(stage)
        if previous is None:
            raise InvalidRequest(f"{stage}: no other model was in use before; load one by its name")
        wanted, name = previous
        label = self._loading.name(stage, wanted)
        if label != name:
            raise ModelError(
                f"{stage}: the files of {name} have changed (they are {label} now); put them back, or load it"
            )
        self._use(self._version(stage, wanted, label))
        return self.describe()[stage]  # type: ignore[no-any-return]

    def shadow(self, stage: str, name: str | None = None, share: float = 1.0) -> dict[str, Any]:
        """Run the items of a share of the documents once more, compare and count, and return nothing of it.

        Args:
            stage: as for :meth:`load`.
            name: the model, or ``unbatched``: the same model, each item alone. None ends the shadow.
            share: of the documents; 0 ends the shadow.

        Raises:
            InklaneError: as for :meth:`load`.
        """
        if not name or share == 0:
            self._check(stage)
            self._end_shadow(stage)
            return self.describe()[stage]  # type: ignore[no-any-return]
        self._check(stage, share)
        version = None
        if name != UNBATCHED:
            label = self._loading.name(stage, name)
            if label == self._versions.current(stage).name:
                raise InvalidRequest(f"{label} reads all documents already; shadow another model, or {UNBATCHED}")
            version = self._version(stage, name, label)
        shadow = Shadow(stage, share, version, self._offer)
        self._end_shadow(stage)
        self.shadows = self.shadows | {stage: shadow}
        self._state.shadows[stage] = (name, share)
        return self.describe()[stage]  # type: ignore[no-any-return]

    def restore(self, state: HotState) -> None:
        """Make everything as it was in another worker. A model that cannot be loaded any more is left out."""
        for stage, wanted in state.current.items():
            self._attempt(self.load, stage, wanted)
        for stage, previous in state.previous.items():
            self._state.previous[stage] = previous
        for stage, (wanted, share) in state.candidates.items():
            self._attempt(self.load, stage, wanted, share)
        for stage, (wanted, share) in state.shadows.items():
            self._attempt(self.shadow, stage, wanted, share)
        self.swaps = 0  # these were counted before

    def figures(self) -> dict[str, ShadowFigures]:
        """What the shadows have compared, by stage. Any thread."""
        return {stage: shadow.figures for stage, shadow in self.shadows.items()}

    def close(self) -> None:
        """End the shadows."""
        for stage in list(self.shadows):
            self._end_shadow(stage)

    # --- helpers ------------------------------------------------------------------------------------------------

    @property
    def _loading(self) -> Loading:
        if self._known is None:
            self._known = self._make_loading()
        return self._known

    def _stages(self) -> list[str]:
        return [stage for stage in self._versions if stage in MODEL_STAGES]

    def _check(self, stage: str, share: float = 1.0) -> None:
        if stage not in self._stages():
            raise InvalidRequest(f"no stage {stage!r} with a model; there are {', '.join(self._stages())}")
        if not 0 < share <= 1:
            raise InvalidRequest(f"share must be more than 0 and at most 1, not {share}")

    def _version(self, stage: str, wanted: str | None, label: str) -> ModelVersion:
        """A version with this model: the candidate's or the shadow's where it is that, else a new one."""
        candidate, shadow = self._versions.candidate(stage), self.shadows.get(stage)
        known = [candidate[0]] if candidate is not None else []
        known += [shadow.version] if shadow is not None and shadow.version is not None else []
        for version in known:
            if version.name == label:
                return version
        loaded = self._loading.load(stage, wanted, self._lanes[stage])
        return ModelVersion(
            loaded.stage,
            loaded.model,
            loaded.name,
            next(self._numbers),
            wanted=wanted,
            networks_types=loaded.networks_types,
            fields=loaded.fields,
        )

    def _use(self, version: ModelVersion) -> None:
        # It may be held by the candidate's place or by the shadow, both of which let go of it here.
        stage = version.stage.name
        old = self._versions.current(stage)
        self._versions.use(version)
        self._state.current[stage] = version.wanted
        self._state.previous[stage] = (old.wanted, old.name)
        self._state.candidates.pop(stage, None)
        self.swaps += 1
        shadow = self.shadows.get(stage)
        if shadow is not None and shadow.version is version:
            self._end_shadow(stage)  # there is nothing to compare any more
        log.info("%s: %s reads from now on, in place of %s", stage, version.name, old.name)

    def _give_up(self, stage: str) -> bool:
        given_up = self._versions.give_up(stage)
        self._state.candidates.pop(stage, None)
        return given_up is not None

    def _end_shadow(self, stage: str) -> None:
        shadow = self.shadows.get(stage)
        if shadow is None:
            return
        self.shadows = {name: other for name, other in self.shadows.items() if name != stage}
        self._state.shadows.pop(stage, None)
        shadow.stop()

    @staticmethod
    def _attempt(change: Callable[..., object], *arguments: Any) -> None:
        try:
            change(*arguments)
        except InklaneError as error:
            log.error("a model that was in use before this worker is not in use any more: %s", error.message)
