"""What the dispatcher decides, with lanes driven by hand and a clock that stands still."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from stages.batcher import BatchPolicy
from stages.dispatcher import Dispatcher, StageEntry
from tests.factories.lanes import PATIENCE, Board, ManualLane


def entry(name: str, size: int = 1, delay: float = 0.0, **rest: Any) -> StageEntry:
    policy = {key: rest.pop(key) for key in ("max_cost", "preferred_sizes") if key in rest}
    return StageEntry(
        name, BatchPolicy(max_size=size, max_delay=delay, overdue=100.0, **policy), room=rest.pop("room", 100), **rest
    )


@pytest.fixture
def boards() -> Any:
    """Makes boards, and closes them after the test."""
    made: list[Board] = []

    def make(slots: int, *stages: tuple[StageEntry, int]) -> Board:
        made.append(Board(slots, *stages))
        return made[-1]

    yield make
    for board in made:
        board.close()


# --- slots ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("slots", [1, 2, 3, 7])
def test_no_more_batches_run_than_there_are_slots_and_no_fewer(boards: Any, slots: int) -> None:
    board = boards(slots, (entry("a"), 3), (entry("b"), 3))
    board.offer("a", *range(10))
    board.offer("b", *range(10))
    order = []
    for _ in range(20):
        order += board.started()
        busy = Counter(lane.stage.name for lane, _ in board.running)
        could_run = sum(min(3, waiting + busy[stage]) for stage, waiting in board.dispatcher.waiting().items())
        assert len(board.running) == min(slots, could_run)
        assert board.dispatcher.busy() == len(board.running)
        board.finish()
    assert sorted(order) == sorted((stage, [value]) for stage in "ab" for value in range(10))
    assert board.dispatcher.busy() == 0


def test_no_more_batches_of_a_stage_run_than_it_has_lanes(boards: Any) -> None:
    board = boards(5, (entry("a"), 2))
    board.offer("a", *range(5))
    assert len(board.started()) == 2
    board.finish()
    assert len(board.started()) == 1


# --- order ----------------------------------------------------------------------------------------------------


def busy_board(boards: Any, *stages: StageEntry, slots: int = 1) -> Board:
    """One whose slots are all taken, so that what is offered waits."""
    board: Board = boards(slots, (entry("plug"), slots), *[(stage, 1) for stage in stages])
    board.offer("plug", *range(slots))
    board.started()
    return board


def run_all(board: Board) -> list[tuple[str, list[Any]]]:
    """Finish one batch after the other; what ran, in order."""
    order: list[tuple[str, list[Any]]] = []
    while board.running:
        board.finish()
        order += board.started()
    return order


def test_what_is_nearest_to_the_end_runs_first(boards: Any) -> None:
    board = busy_board(boards, entry("a"), entry("b"), entry("c"))
    for stage in "bac":
        board.offer(stage, f"{stage}1", f"{stage}2")
    assert [stage for stage, _ in run_all(board)] == ["c", "c", "b", "b", "a", "a"]


def test_a_full_batch_goes_before_one_nearer_to_the_end_that_is_not(boards: Any) -> None:
    board = busy_board(boards, entry("a"), entry("b", size=4))
    board.offer("b", 1, 2)
    board.offer("a", 3)
    assert run_all(board) == [("a", [3]), ("b", [1, 2])]


def test_a_batch_fills_while_its_lane_is_busy(boards: Any) -> None:
    """Late binding: it is formed when it can run, not before."""
    board = busy_board(boards, entry("b", size=4))
    for value in range(6):
        board.offer("b", value)
    assert run_all(board) == [("b", [0, 1, 2, 3]), ("b", [4, 5])]


def test_results_count_before_the_lane_takes_its_next_batch(boards: Any) -> None:
    """The page that a lane has just worked on goes before the next new one, whatever waited."""
    board = boards(1, (entry("a"), 1), (entry("b"), 1))
    board.on_result = lambda item, result: item.payload.stage == "a" and board.offer("b", result)
    board.offer("a", 1, 2)
    order = board.started() + run_all(board)
    assert [stage for stage, _ in order] == ["a", "b", "a", "b"]
    assert board.results == [(1, "a(1)"), ("a(1)", "b(a(1))"), (2, "a(2)"), ("a(2)", "b(a(2))")]


# --- room and credits -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("room", [1, 3])
def test_a_stage_pauses_while_the_next_one_has_no_room(boards: Any, room: int) -> None:
    board = boards(9, (entry("a", feeds="b"), 1), (entry("b", room=room), 1))
    board.on_result = lambda item, result: item.payload.stage == "a" and board.offer("b", result)
    board.offer("b", "first")
    board.started()  # b's only lane is busy from here on
    board.offer("a", *range(10))
    passed = 0
    while [stage for stage, _ in board.started()] == ["a"]:
        board.finish(-1)
        passed += 1
    assert passed == room
    assert board.dispatcher.waiting() == {"a": 10 - room, "b": room}
    board.finish(0)  # b takes one, and so has room for one
    assert sorted(stage for stage, _ in board.started()) == ["a", "b"]
    assert len(run_all(board)) == 2 * (10 - room) - 1 + room - 1


def test_a_stage_without_credit_waits_until_one_is_given_back(boards: Any) -> None:
    board = boards(9, (entry("a", credits=2), 9))
    board.offer("a", *range(5))
    assert board.started() == [("a", [0]), ("a", [1])]
    board.finish()
    board.finish()
    assert board.started() == [], "a finished batch gives no credit back; what follows it does"
    board.dispatcher.credit("a")
    assert board.started() == [("a", [2])]
    board.finish()
    for _ in range(2):
        board.dispatcher.credit("a")
    assert board.started() == [("a", [3]), ("a", [4])]
    for _ in range(2):
        board.finish()
        board.dispatcher.credit("a")
    assert board.credits("a") == 2


@pytest.mark.parametrize(("size", "credits"), [(8, 3), (3, 3), (2, 3)])
def test_a_stage_with_fewer_credits_than_a_batch_holds_still_runs(boards: Any, size: int, credits: int) -> None:
    board = boards(1, (entry("a", size=size, credits=credits, preferred_sizes=(size,)), 1))
    board.offer("a", *range(7))
    batches = []
    while new := board.started():
        batches += new
        board.finish()
        for _ in new[0][1]:
            board.dispatcher.credit("a")
    assert sum((values for _, values in batches), []) == list(range(7))
    assert max(len(values) for _, values in batches) == min(size, credits)
    assert board.credits("a") == credits


@pytest.mark.parametrize("values", [{"room": 0}, {"room": -1}, {"credits": 0}])
def test_a_stage_that_could_never_run_is_refused(values: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="stage a: room and credits"):
        entry("a", **values)


def test_a_stage_that_feeds_nobody_known_or_has_no_lane_is_refused() -> None:
    for made, lanes, said in ((entry("a", feeds="b"), 1, "feeds b"), (entry("a"), 0, "no lane")):
        dispatcher = Dispatcher(1, lambda *_: None, lambda *_: None)
        dispatcher.add(made, [ManualLane("a", number, None) for number in range(lanes)])  # type: ignore[arg-type]
        with pytest.raises(ValueError, match=said):
            dispatcher.start()
    with pytest.raises(ValueError, match="at least one compute slot"):
        Dispatcher(0, lambda *_: None, lambda *_: None)


# --- all cores for a lone page --------------------------------------------------------------------------------


def cores_of(board: Board) -> list[int]:
    board.started()
    return [grant.cores for _, grant in board.running]


def test_a_batch_alone_may_use_every_core(boards: Any) -> None:
    board = boards(4, (entry("a", boost=True), 4))
    board.offer("a", 1)
    assert cores_of(board) == [4]
    assert board.dispatcher.busy() == 4
    board.offer("a", 2)
    assert cores_of(board) == [4], "the other waits: no core is left"
    board.finish()
    assert cores_of(board) == [4]
    board.finish()
    assert board.dispatcher.busy() == 0


def test_a_stage_that_cannot_use_more_cores_gets_one(boards: Any) -> None:
    board = boards(4, (entry("a"), 4))
    board.offer("a", 1)
    assert cores_of(board) == [1]


def test_a_batch_is_not_alone_while_another_runs(boards: Any) -> None:
    board = boards(4, (entry("a", boost=True), 4), (entry("b"), 1))
    board.offer("b", 1)
    board.offer("a", 2)
    assert cores_of(board) == [1, 1]


def test_a_batch_is_not_alone_while_another_waits(boards: Any) -> None:
    board = boards(2, (entry("a", boost=True), 2), (entry("b", size=4, delay=1.0), 1))
    board.offer("b", 1)  # waits for more
    board.offer("a", 2)
    assert cores_of(board) == [1]


def test_the_only_page_gets_every_core_although_the_lane_before_passes_it_on(boards: Any) -> None:
    board = boards(2, (entry("decode"), 1), (entry("detect", boost=True), 1))
    board.on_result = lambda item, result: item.payload.stage == "decode" and board.offer("detect", result)
    board.offer("decode", 1)
    assert cores_of(board) == [1]
    board.finish()
    assert cores_of(board) == [2]


def test_a_page_with_another_behind_it_gets_one_core(boards: Any) -> None:
    board = boards(2, (entry("decode"), 1), (entry("detect", boost=True), 1))
    board.on_result = lambda item, result: item.payload.stage == "decode" and board.offer("detect", result)
    board.offer("decode", 1, 2)
    board.started()
    board.finish()
    assert sorted(board.started()) == [("decode", [2]), ("detect", ["decode(1)"])]
    assert [grant.cores for _, grant in board.running] == [1, 1]


# --- time -----------------------------------------------------------------------------------------------------


def test_a_batch_that_is_not_full_runs_when_its_time_has_come(boards: Any) -> None:
    board = boards(1, (entry("a", size=4, delay=2.0), 1))
    board.offer("a", 1, 2)
    board.pass_time(1.5)
    assert board.started() == []
    board.pass_time(2.0)
    assert board.next_start() == ("a", [1, 2])


def test_the_timer_wakes_for_what_came_later_too(boards: Any) -> None:
    board = boards(2, (entry("a", size=4, delay=2.0), 2))
    board.offer("a", 1, bucket="x")
    board.pass_time(1.0)
    board.offer("a", 2, bucket="y")
    board.pass_time(2.0)
    assert board.next_start() == ("a", [1])
    board.pass_time(3.0)
    assert board.next_start() == ("a", [2])


def test_what_is_due_but_must_wait_for_a_slot_hides_nothing_that_is_due_later(boards: Any) -> None:
    board = boards(1, (entry("plug"), 1), (entry("a", size=4, delay=2.0), 1))
    board.offer("plug", 0)
    board.started()
    board.offer("a", 1, bucket="x")
    board.pass_time(5.0)  # x is due, and waits for the slot
    board.offer("a", 2, bucket="y")
    board.finish()
    assert board.next_start() == ("a", [1])
    board.finish()
    assert board.started() == []
    board.pass_time(7.0)
    assert board.next_start() == ("a", [2])


def test_what_is_left_of_a_bucket_after_a_batch_runs_when_its_own_time_has_come(boards: Any) -> None:
    board = boards(1, (entry("plug"), 1), (entry("a", size=2, delay=2.0), 1))
    board.offer("plug", 0)
    board.started()
    board.offer("a", 1)
    board.pass_time(5.0)
    board.offer("a", 2, 3)
    board.finish()
    assert board.next_start() == ("a", [1, 2])
    board.finish()
    assert board.started() == []
    board.pass_time(7.0)
    assert board.next_start() == ("a", [3])


@pytest.mark.parametrize("why", ["no slot", "no credit", "no room"])
def test_a_deadline_that_passes_in_the_queue_is_told_at_once_whatever_the_item_waits_for(boards: Any, why: str) -> None:
    board = boards(1 if why == "no slot" else 5, (entry("a", feeds="b", credits=1), 1), (entry("b", room=1), 1))
    if why == "no room":
        board.offer("b", "running", "waiting")
    else:
        board.offer("a", "running")
    board.started()
    if why == "no credit":
        board.finish()
    board.offer("a", "late", deadline=3.0)
    board.pass_time(2.0)
    assert board.drops.empty()
    board.pass_time(3.0)
    assert board.drops.get(timeout=PATIENCE) == ("late", "deadline")
    assert board.dispatcher.waiting()["a"] == 0
    assert board.started() == []


# --- leaving --------------------------------------------------------------------------------------------------


def test_discard_removes_what_waits_for_an_owner_and_tells(boards: Any) -> None:
    board = busy_board(boards, entry("a"), entry("b", size=4))
    owner = object()
    board.offer("a", 1, 2, owner=owner)
    board.offer("b", 3, owner=owner)
    board.offer("b", 4, owner=object())
    assert board.dispatcher.discard(owner) == 3
    assert sorted(board.drops.get_nowait() for _ in range(3)) == [(n, "cancelled") for n in (1, 2, 3)]
    assert board.dispatcher.waiting() == {"plug": 0, "a": 0, "b": 1}
    assert run_all(board) == [("b", [4])]


def test_discard_makes_room_for_the_stage_before(boards: Any) -> None:
    board = boards(3, (entry("a", feeds="b"), 1), (entry("b", room=1), 1))
    owner = object()
    board.offer("b", "running")
    board.offer("b", "waiting", owner=owner)
    board.offer("a", 1)
    assert [stage for stage, _ in board.started()] == ["b"]
    board.dispatcher.discard(owner)
    assert board.started() == [("a", [1])]


def test_what_nobody_wants_is_dropped_when_its_turn_comes_and_never_runs(boards: Any) -> None:
    board = busy_board(boards, entry("a"))
    board.offer("a", "unwanted", wanted=lambda: False)
    board.offer("a", "wanted")
    assert run_all(board) == [("a", ["wanted"])]
    assert board.drops.get_nowait() == ("unwanted", "cancelled")


def test_close_drops_what_waits_and_tells_each_once(boards: Any) -> None:
    board = busy_board(boards, entry("a"), entry("b", size=4, delay=1.0))
    board.offer("a", 1, 2)
    board.offer("b", 3)
    board.dispatcher.close()
    board.dispatcher.close()
    assert sorted(board.drops.get_nowait() for _ in range(3)) == [(n, "cancelled") for n in (1, 2, 3)]
    assert board.drops.empty()
    board.finish()
    assert board.started() == []
    board.offer("a", 4)
    assert board.drops.get_nowait() == (4, "cancelled")
    assert board.dispatcher.waiting() == {"plug": 0, "a": 0, "b": 0}


def test_out_of_memory_halves_the_batches_of_that_bucket_for_good(boards: Any) -> None:
    board = boards(1, (entry("a", size=8), 1))
    board.dispatcher.out_of_memory("a", "wide", 8)
    board.offer("a", *range(8), bucket="wide")
    board.offer("a", *range(8), bucket="narrow")
    assert sorted(len(values) for _, values in board.started() + run_all(board)) == [4, 4, 8]


def test_a_batch_that_ends_badly_frees_its_slot_and_its_lane(boards: Any) -> None:
    board = boards(1, (entry("a"), 1))

    def broken(item: Any, result: Any) -> None:
        raise RuntimeError("cannot take results")

    board.on_result = broken
    board.offer("a", 1, 2)
    board.started()
    with pytest.raises(RuntimeError):
        board.finish()
    board.on_result = lambda item, result: None
    assert board.started() == [("a", [2])]
    board.offer("a", 3)
    assert run_all(board) == [("a", [3])]
