"""Jobs outlive the front end: a real server is killed and started again."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp

ROOT = Path(__file__).resolve().parent.parent.parent
PATIENCE = 120.0


class Server:
    """One front end after the other on one data folder."""

    def __init__(self, folder: Path) -> None:
        self.data = folder / "data"
        self._told = folder / "told"
        self._process: subprocess.Popen[bytes] | None = None
        self.url = ""

    async def start(self, mode: str) -> None:
        process = self._spawn(mode)
        assert process.stdout is not None
        async with asyncio.timeout(PATIENCE):
            line = await asyncio.to_thread(process.stdout.readline)
        self.url = line.decode().strip()
        assert self.url, "the server did not start"

    def _spawn(self, mode: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "tests.factories.jobs_server", str(self.data), str(self._told), mode]
        environment = {name: value for name, value in os.environ.items() if not name.startswith("INKLANE_")}
        environment["PYTHONPATH"] = str(ROOT)
        self._process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE)
        return self._process

    def end(self, number: int = signal.SIGKILL) -> None:
        if self._process is not None:
            self._process.send_signal(number)
            self._process.wait(PATIENCE)
            assert self._process.stdout is not None
            self._process.stdout.close()
            self._process = None

    def read(self) -> Counter[str]:
        """How often each file was read to its end."""
        return Counter(self._told.read_text().split() if self._told.exists() else [])


@asynccontextmanager
async def server(folder: Path, mode: str) -> AsyncIterator[Server]:
    made = Server(folder)
    try:
        await made.start(mode)
        yield made
    finally:
        made.end()


async def accept(session: aiohttp.ClientSession, url: str, name: str) -> str:
    """Post a file that holds its own name; the job's id."""
    form = aiohttp.FormData()
    form.add_field("file", f"token of {name}".encode(), filename=name, content_type="image/png")
    async with session.post(f"{url}/v1/documents", data=form, headers={"Prefer": "respond-async"}) as response:
        body = await response.json()
        assert response.status == 202, body
        return str(body["id"])


async def end_of(session: aiohttp.ClientSession, url: str, job_id: str) -> dict[str, Any]:
    """Listen to a job until its end, then get it."""
    async with session.get(f"{url}/v1/jobs/{job_id}/events") as response:
        await response.read()
    async with session.get(f"{url}/v1/jobs/{job_id}") as response:
        assert response.status == 200, await response.text()
        job: dict[str, Any] = await response.json()
        return job


def check(job: dict[str, Any], name: str) -> None:
    assert job["state"] == "done"
    (result,) = job["results"]
    assert (result["document"]["file"], result["document"]["doc_type"]) == (name, f"token of {name}")


async def test_accepted_jobs_are_done_once_after_a_kill(tmp_path: Path) -> None:
    timeout = aiohttp.ClientTimeout(total=PATIENCE)
    async with server(tmp_path, "hold") as running, aiohttp.ClientSession(timeout=timeout) as session:
        names = [f"done-{n}.png" for n in range(3)] + [f"hold-{n}.png" for n in range(7)]
        jobs = {name: await accept(session, running.url, name) for name in names}
        before = {name: await end_of(session, running.url, jobs[name]) for name in names[:3]}
        assert set(running.read()) == set(names[:3])
        running.end(signal.SIGKILL)
        orphan = running.data / "jobs" / "job_half-accepted"
        orphan.mkdir()
        (orphan / "0.upload").write_bytes(b"half")

        await running.start("read")
        for name, job_id in jobs.items():
            job = await end_of(session, running.url, job_id)
            check(job, name)
            if name in before:
                assert job["results"] == before[name]["results"]
                assert job["finished"] == before[name]["finished"]
        assert running.read() == Counter(names)
        assert {path.name for path in (running.data / "jobs").iterdir()} == set(jobs.values())
        async with session.get(f"{running.url}/v1/jobs") as response:
            assert sorted(job["id"] for job in (await response.json())["jobs"]) == sorted(jobs.values())


async def test_a_kill_in_the_midst_of_accepting_loses_no_job(tmp_path: Path) -> None:
    timeout = aiohttp.ClientTimeout(total=PATIENCE)
    async with server(tmp_path, "read") as running, aiohttp.ClientSession(timeout=timeout) as session:
        accepted: dict[str, str] = {}

        async def post(name: str) -> None:
            with contextlib.suppress(aiohttp.ClientError, OSError):
                accepted[name] = await accept(session, running.url, name)
                if len(accepted) == 10:
                    running.end(signal.SIGKILL)

        await asyncio.gather(*(post(f"{n}.png") for n in range(40)))
        assert 10 <= len(accepted) < 40

        await running.start("read")
        for name, job_id in accepted.items():
            check(await end_of(session, running.url, job_id), name)
        # Those that were accepted and whose answer was lost are whole as well.
        async with session.get(f"{running.url}/v1/jobs?limit=200") as response:
            known = {job["id"]: job["files"][0]["file"] for job in (await response.json())["jobs"]}
        assert set(accepted.values()) <= set(known)
        for job_id, name in known.items():
            check(await end_of(session, running.url, job_id), name)
        assert {path.name for path in (running.data / "jobs").iterdir()} == set(known)


async def test_a_stop_in_order_leaves_jobs_for_the_next_start(tmp_path: Path) -> None:
    timeout = aiohttp.ClientTimeout(total=PATIENCE)
    async with server(tmp_path, "hold") as running, aiohttp.ClientSession(timeout=timeout) as session:
        job_id = await accept(session, running.url, "hold.png")
        async with session.get(f"{running.url}/v1/jobs/{job_id}/events") as response:
            await response.content.readuntil(b"\n\n")
            await asyncio.to_thread(running.end, signal.SIGTERM)
            assert b"event: end" not in await response.content.read()
        await running.start("read")
        check(await end_of(session, running.url, job_id), "hold.png")
