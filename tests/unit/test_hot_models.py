"""Models change while documents flow; each document is read by one version, and what is replaced is freed."""

from __future__ import annotations

from typing import Any

import pytest

from pipeline.hot.models import HotState
from schemas.errors import InvalidRequest, ModelError
from tests.factories.engines import Bench, MakeBench
from tests.factories.hot import FIRST, FakeLoading, shifted
from tests.factories.lanes import PATIENCE
from tests.factories.plant import items_of


@pytest.fixture
def loading() -> FakeLoading:
    return FakeLoading()


@pytest.fixture
def hot(benches: MakeBench, loading: FakeLoading) -> Bench:
    bench = benches(loading=loading)
    loading.probe = bench.probe  # items of later versions are seen, too
    return bench


def do(bench: Bench, command: str, **arguments: Any) -> dict[str, Any]:
    return bench.engine.control(command, **arguments).result(PATIENCE)


def first_model(bench: Bench) -> Any:
    return next(model for model in bench.models if model is not None)


def test_documents_under_way_end_with_the_version_they_began_with(hot: Bench, loading: FakeLoading) -> None:
    release = hot.probe.hold("recognition", "old")
    old = hot.submit("old", ["abc", "defgh"])
    hot.probe.wait_for("recognition", "old")
    told = do(hot, "load_model", stage="recognition", name="shift1")
    assert (told["model"], told["previous"]) == ("shift1@0", FIRST)
    new = hot.read("new", ["abc"])
    assert (items_of(new), new.models["recognition"]) == ([["bcd"]], "shift1@0")
    assert not first_model(hot).closed, "it is still reading"
    release.set()
    assert items_of(old.result(PATIENCE)) == [["abc", "defgh"]]
    assert old.result().models["recognition"] == FIRST
    assert first_model(hot).freed.wait(PATIENCE)
    assert hot.engine.models["recognition"] == "shift1@0"
    assert hot.engine.statistics().swaps == 1


def test_a_cancelled_documents_batch_keeps_its_model_until_it_has_run(hot: Bench) -> None:
    release = hot.probe.hold("recognition", "gone")
    future = hot.submit("gone", ["abc"])
    hot.probe.wait_for("recognition", "gone")
    do(hot, "load_model", stage="recognition", name="shift1")
    future.cancel()
    assert hot.read("next", ["abc"]).pages
    assert not first_model(hot).closed
    release.set()
    assert first_model(hot).freed.wait(PATIENCE)


@pytest.mark.parametrize(("name", "text"), [("shift9", "failed its self-test"), ("missing", "not here")])
def test_what_cannot_be_loaded_leaves_everything_as_it_was(
    hot: Bench, loading: FakeLoading, name: str, text: str
) -> None:
    loading.broken.add("shift9")
    before = do(hot, "models")
    for command in ({"command": "load_model"}, {"command": "load_model", "share": 0.5}, {"command": "shadow"}):
        with pytest.raises(ModelError, match=text):
            do(hot, stage="recognition", name=name, **command)
    assert do(hot, "models") == before
    assert hot.engine.state is None
    assert items_of(hot.read("doc", ["abc"])) == [["abc"]]


def test_only_what_is_in_use_stays_in_memory(hot: Bench, loading: FakeLoading) -> None:
    for shift in range(1, 6):
        do(hot, "load_model", stage="recognition", name=f"shift{shift}")
        assert items_of(hot.read(f"doc{shift}", ["abc"])) == [[shifted("abc", shift)]]
    for _, model in loading.loaded[:-1]:
        assert model.freed.wait(PATIENCE)
    assert not loading.loaded[-1][1].closed


def test_the_same_model_is_not_loaded_again_unless_its_files_have_changed(hot: Bench, loading: FakeLoading) -> None:
    do(hot, "load_model", stage="recognition")
    assert not loading.loaded
    loading.prints[None] = "1"
    assert do(hot, "load_model", stage="recognition")["model"] == "tokens@1"
    assert [name for name, _ in loading.loaded] == ["tokens"]


def test_rolling_back_twice_is_going_forward(hot: Bench) -> None:
    with pytest.raises(InvalidRequest, match="no other model"):
        do(hot, "rollback", stage="recognition")
    do(hot, "load_model", stage="recognition", name="shift1")
    for text, name in (("abc", FIRST), ("bcd", "shift1@0")):
        assert do(hot, "rollback", stage="recognition")["model"] == name
        assert items_of(hot.read(text, ["abc"])) == [[text]]


def test_there_is_no_rolling_back_to_files_that_have_changed(hot: Bench, loading: FakeLoading) -> None:
    do(hot, "load_model", stage="recognition", name="shift1")
    loading.prints[None] = "changed"
    with pytest.raises(ModelError, match="have changed"):
        do(hot, "rollback", stage="recognition")
    assert items_of(hot.read("doc", ["abc"])) == [["bcd"]]


def test_a_share_of_the_documents_is_read_by_the_candidate_each_as_a_whole(hot: Bench, loading: FakeLoading) -> None:
    told = do(hot, "load_model", stage="recognition", name="shift1", share=0.4)
    assert told["candidate"] == {"model": "shift1@0", "share": 0.4}
    futures = [hot.submit(f"doc{i}", ["abc", "xyz"], ["q12"]) for i in range(60)]
    seen = set()
    for future in futures:
        document = future.result(PATIENCE)
        shift = {FIRST: 0, "shift1@0": 1}[document.models["recognition"]]
        assert items_of(document) == [[shifted("abc", shift), shifted("xyz", shift)], [shifted("q12", shift)]]
        seen.add(shift)
    assert seen == {0, 1}
    do(hot, "load_model", stage="recognition", name="shift1")
    assert len(loading.loaded) == 1, "the candidate is promoted as it is"
    assert hot.read("all", ["abc"]).models["recognition"] == "shift1@0"


def test_rolling_back_gives_the_candidate_up_first(hot: Bench, loading: FakeLoading) -> None:
    do(hot, "load_model", stage="recognition", name="shift1", share=0.999)
    told = do(hot, "rollback", stage="recognition")
    assert (told["model"], told["candidate"]) == (FIRST, None)
    assert loading.model("shift1").freed.wait(PATIENCE)
    assert items_of(hot.read("doc", ["abc"])) == [["abc"]]


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ({"command": "fly"}, "no command 'fly'; there are models, load_model"),
        ({"command": "load_model", "stage": "assembly"}, "no stage 'assembly' with a model"),
        ({"command": "load_model", "stage": "recognition", "name": "shift1", "share": 1.5}, "share must be"),
        ({"command": "load_model", "stage": "recognition", "share": 0.5}, "reads all documents already"),
        ({"command": "load_model", "model": "shift1"}, "load_model takes stage, name, share"),
        ({"command": "trace", "action": "pause"}, "start or stop"),
        ({"command": "trace", "action": "stop"}, "nothing is being recorded"),
    ],
)
def test_what_cannot_be_done_is_refused(hot: Bench, arguments: dict[str, Any], text: str) -> None:
    with pytest.raises(InvalidRequest, match=text):
        do(hot, **arguments)


def test_another_engine_can_be_made_alike(hot: Bench, benches: MakeBench) -> None:
    do(hot, "load_model", stage="recognition", name="shift1")
    do(hot, "load_model", stage="recognition", name="shift2", share=0.25)
    do(hot, "shadow", stage="recognition", name="shift3", share=0.5)
    other = benches(loading=FakeLoading())
    state = hot.engine.state
    assert state is not None
    other.engine.restore(state)
    assert do(other, "models") == do(hot, "models")


def test_a_model_that_is_gone_does_not_keep_another_engine_from_starting(benches: MakeBench) -> None:
    other = benches(loading=FakeLoading())
    other.engine.restore(HotState(current={"recognition": "missing"}))
    assert items_of(other.read("doc", ["abc"])) == [["abc"]]


def test_fields_follow_the_network_that_names_their_characters(benches: MakeBench) -> None:
    bench = benches(fields=True, loading=FakeLoading())
    release = bench.probe.hold("layout_ner", "old")
    old = bench.submit("old", ["receipt12"])
    bench.probe.wait_for("layout_ner", "old")
    do(bench, "load_model", stage="layout_ner", name="other")
    for name in ("new", "newer"):
        assert list(bench.read(name, [f"receipt-{name}-34"]).fields) == ["of_the_other"]
    release.set()
    assert "of_the_other" not in old.result(PATIENCE).fields
    assert old.result().fields


def test_commands_are_refused_after_closing(hot: Bench) -> None:
    hot.engine.close()
    assert not hot.engine.ready
    error = hot.engine.control("models").exception(PATIENCE)
    assert "closed" in str(error)
