"""JSON that only HTTP has: problems, lists of results, jobs. Documents themselves are in :mod:`schemas.json_types`."""

from __future__ import annotations

from typing import Annotated, Any, Literal, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from schemas.json_types import Count, DocumentJson, PageNumber

JobState = Literal["queued", "running", "done", "failed", "cancelled"]
Moment = Annotated[str, Field(json_schema_extra={"format": "date-time"})]
Base64 = Annotated[str, Field(json_schema_extra={"contentEncoding": "base64"})]


class ProblemJson(TypedDict):
    """What went wrong (RFC 9457). `code` stays the same, `detail` says what to do; `request_id` is in the log, too."""

    type: str
    title: str
    status: int
    detail: str
    code: str
    instance: str | None
    request_id: str


class ResultJson(TypedDict):
    """One file of several: its `document`, or its `content` in another form, or the `problem` that it alone has."""

    file: str
    document: NotRequired[DocumentJson]
    content_type: NotRequired[str]
    content: NotRequired[str]
    problem: NotRequired[ProblemJson]


class ResultsJson(TypedDict):
    """The files of one request, in their order."""

    results: list[ResultJson]


class FileInJson(TypedDict):
    """A file inside JSON."""

    file: Base64
    name: NotRequired[str]


class OptionsInJson(TypedDict):
    """Options may stand beside the files; each is given once, here or in the query."""

    type: NotRequired[str]
    pages: NotRequired[str]
    dpi: NotRequired[int]
    words: NotRequired[bool]
    output: NotRequired[str]
    priority: NotRequired[str | int]
    deadline_ms: NotRequired[float]


class OneFileBody(FileInJson, OptionsInJson):
    """One file and its options."""


class ManyFilesBody(OptionsInJson):
    """Several files, and options for all of them."""

    files: list[FileInJson]


class JobErrorJson(TypedDict):
    """Why a file could not be read."""

    code: str
    message: str | None


class JobFileJson(TypedDict):
    """One file of a job. `page` and `stage` are what was last heard of while it is being read."""

    position: Count
    file: str
    size: Count
    state: JobState
    pages: Count | None
    pages_done: Count
    page: NotRequired[PageNumber | None]
    stage: NotRequired[str | None]
    error: NotRequired[JobErrorJson]
    result: NotRequired[str]


class JobProgressJson(TypedDict):
    """Files and pages so far; `pages` is null while it is not known of every file."""

    files: Count
    files_done: Count
    pages: Count | None
    pages_done: Count


class JobWebhookJson(TypedDict):
    """The webhook: pending, delivered or given_up."""

    url: str
    state: str
    tries: Count
    problem: str | None


class JobJson(TypedDict):
    """A job. `results` are there once it has ended, unless they are large or no text: then they are at `result`."""

    id: str
    state: JobState
    created: Moment
    started: Moment | None
    finished: Moment | None
    expires: Moment | None
    progress: JobProgressJson
    files: list[JobFileJson]
    url: str
    events: str
    result: str | None
    webhook: NotRequired[JobWebhookJson]
    results: NotRequired[list[ResultJson]]


class JobsJson(TypedDict):
    """Jobs, the newest first; `next` is the address of those after them."""

    jobs: list[JobJson]
    next: str | None


class WebhookSecretJson(TypedDict):
    """What webhooks are signed with."""

    secret: str


class SampleJson(TypedDict):
    """A sample document; `picture`: browsers can show it as it is."""

    name: str
    doc_type: str | None
    pages: int
    picture: bool


class SamplesJson(TypedDict):
    """The samples that the service has."""

    samples: list[SampleJson]


class HealthJson(TypedDict):
    """Whether documents are taken: ready, starting or stopping. The rest is what clients of PaddleX look for."""

    status: str
    logId: str
    errorCode: int
    errorMsg: str


Anything = dict[str, Any]


class PaddleXPageJson(TypedDict):
    """One page. `prunedResult` has the texts, scores and polygons; pictures are JPEGs in base64."""

    prunedResult: Anything
    ocrImage: NotRequired[str]
    inputImage: NotRequired[str]


class PaddleXOcrJson(TypedDict):
    """All pages."""

    ocrResults: list[PaddleXPageJson]
    dataInfo: Anything


class PaddleXOcrAnswerJson(TypedDict):
    """What PaddleX answers `POST /ocr` with."""

    logId: str
    errorCode: int
    errorMsg: str
    result: PaddleXOcrJson


class PaddleXLayoutJson(TypedDict):
    """All pages: blocks in reading order, and Markdown."""

    layoutParsingResults: list[Anything]
    dataInfo: Anything


class PaddleXLayoutAnswerJson(TypedDict):
    """What PaddleX answers `POST /layout-parsing` with."""

    logId: str
    errorCode: int
    errorMsg: str
    result: PaddleXLayoutJson


class PaddleXErrorJson(TypedDict):
    """What PaddleX tells errors with. `errorMsg` ends with our code in brackets."""

    logId: str
    errorCode: int
    errorMsg: str


class PaddleXBody(TypedDict):
    """A file and PaddleX's parameters; those without a meaning here are named in `X-Ignored-Params`."""

    file: Base64
    fileType: NotRequired[Literal[0, 1] | None]
    logId: NotRequired[str]
    returnWordBox: NotRequired[bool | None]
    textRecScoreThresh: NotRequired[float | None]
    visualize: NotRequired[bool | None]


class ModelErrorJson(TypedDict):
    """What KServe's protocol tells errors with."""

    error: str
