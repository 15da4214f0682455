"""What a job is: one upload of one or several files, and how far each of them is."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from enum import StrEnum
from typing import Any

from schemas.requests import ReadOptions


class State(StrEnum):
    """Of a job, and of each of its files."""

    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"

    @property
    def ended(self) -> bool:
        """Whether it stays so."""
        return self not in (State.QUEUED, State.RUNNING)


@dataclass(slots=True)
class JobFile:
    """One file of a job. ``pages`` is known once it has been read; ``code`` and ``message`` where it could not be.

    ``attempts`` counts how often reading was started; more than one means that the front end died meanwhile.
    """

    position: int
    name: str
    size: int
    sha256: str
    state: State = State.QUEUED
    attempts: int = 0
    pages: int | None = None
    code: str | None = None
    message: str | None = None
    content_type: str | None = None


@dataclass(slots=True)
class Webhook:
    """Where the end of a job is told, and how that went: ``state`` is pending, delivered or given_up."""

    url: str
    state: str = "pending"
    tries: int = 0
    problem: str | None = None


@dataclass(slots=True)
class Job:
    """One accepted upload. Times are seconds since 1970; ``expires`` is when its results are deleted.

    ``owner`` is the name of the API key that made it, empty where no key is asked for. ``output`` is the kind of
    result that was asked for, ``many`` whether it is a list, even of one.
    """

    id: str
    owner: str
    created: float
    state: State = State.QUEUED
    started: float | None = None
    finished: float | None = None
    expires: float | None = None
    priority: int = 1
    deadline: float | None = None
    options: ReadOptions = field(default_factory=ReadOptions)
    output: str = "json"
    many: bool = False
    webhook: Webhook | None = None
    files: list[JobFile] = field(default_factory=list)


@dataclass(slots=True)
class FileProgress:
    """How far a file that is being read is: the page something was last heard of, and pages done of all."""

    page: int | None = None
    pages: int | None = None
    done: int = 0
    stage: str | None = None


def options_to_plain(options: ReadOptions) -> dict[str, Any]:
    """What is stored: only what differs from the default, so that defaults may change."""
    default = ReadOptions()
    return {f.name: value for f in fields(options) if (value := getattr(options, f.name)) != getattr(default, f.name)}


def options_from_plain(plain: dict[str, Any]) -> ReadOptions:
    """The reverse. What an older or later version stored and this one does not know is passed over."""
    known = {f.name for f in fields(ReadOptions)}
    values: dict[str, Any] = {name: value for name, value in plain.items() if name in known}
    if values.get("pages") is not None:
        values["pages"] = tuple(values["pages"])
    return ReadOptions(**values)
