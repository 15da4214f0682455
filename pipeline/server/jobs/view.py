"""Jobs as JSON."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from pipeline.server.jobs.model import FileProgress, Job, JobFile, State

ProgressOf = Callable[[str, int], FileProgress | None]


def job_view(job: Job, progress_of: ProgressOf = lambda job_id, position: None) -> dict[str, Any]:
    """A job as callers see it, without results.

    Args:
        job: which.
        progress_of: how far a file is that is being read.
    """
    files = [_file(job, file, progress_of(job.id, file.position)) for file in job.files]
    view: dict[str, Any] = {
        "id": job.id,
        "state": job.state.value,
        "created": moment(job.created),
        "started": moment(job.started),
        "finished": moment(job.finished),
        "expires": moment(job.expires),
        "progress": {
            "files": len(files),
            "files_done": sum(file.state.ended for file in job.files),
            "pages": sum(file["pages"] for file in files) if all(file["pages"] is not None for file in files) else None,
            "pages_done": sum(file["pages_done"] for file in files),
        },
        "files": files,
        "url": f"/v1/jobs/{job.id}",
        "events": f"/v1/jobs/{job.id}/events",
        "result": f"/v1/jobs/{job.id}/result" if job.state in (State.DONE, State.FAILED) else None,
    }
    if job.webhook is not None:
        view["webhook"] = {
            "url": job.webhook.url,
            "state": job.webhook.state,
            "tries": job.webhook.tries,
            "problem": job.webhook.problem,
        }
    return view


def moment(seconds: float | None) -> str | None:
    """A time as RFC 3339 writes it, in UTC, to the millisecond."""
    if seconds is None:
        return None
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _file(job: Job, file: JobFile, progress: FileProgress | None) -> dict[str, Any]:
    view: dict[str, Any] = {
        "position": file.position,
        "file": file.name,
        "size": file.size,
        "state": file.state.value,
        "pages": file.pages,
        "pages_done": file.pages or 0,
    }
    if progress is not None and file.state is State.RUNNING:
        view |= {"pages": progress.pages, "pages_done": progress.done, "page": progress.page, "stage": progress.stage}
    if file.code is not None:
        view["error"] = {"code": file.code, "message": file.message}
    if file.state is State.DONE:
        view["result"] = f"/v1/jobs/{job.id}/result?file={file.position}"
    return view
