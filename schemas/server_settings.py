"""Settings of the HTTP service."""

from __future__ import annotations

import os
from pathlib import Path

from pydantic import ConfigDict, Field

from schemas.security_settings import SecuritySettings

DATA_FOLDER = "inklane"
"""The folder in the user's state folder where the service keeps its data unless told otherwise."""


class ServerSettings(SecuritySettings):
    """The HTTP service ([service.md](service.md)).

    The room for work is counted in pages. Beyond it requests are told to come back later.
    """

    model_config = ConfigDict(extra="forbid", validate_assignment=True)

    host: str = Field("127.0.0.1", description="the address to listen at; another than this computer's needs keys")
    port: int = Field(8080, ge=0, le=65_535, description="the port to listen at; 0: any that is free")
    keys_file: Path | None = Field(None, description="API keys; not set: none are asked for")
    insecure: bool = Field(False, description="answer other computers without asking for keys")
    data_dir: Path | None = Field(
        None, description="jobs and uploads under way; default: inklane in the user's state folder"
    )
    workers: int = Field(1, ge=1, le=64, description="worker processes, which share the cores")
    max_body_bytes: int = Field(256 * 2**20, ge=1, description="bytes of one request's body")
    spool_bytes: int = Field(2**20, ge=0, description="larger files are kept on disk while they wait")
    max_files: int = Field(64, ge=1, le=10_000, description="files in one request")
    max_uploads: int = Field(64, ge=1, description="bodies received at once")
    body_timeout_s: float = Field(300.0, gt=0, description="seconds that a body may take to arrive")
    min_body_bytes_per_s: float = Field(1024.0, ge=0, description="slower bodies are cut off, after a few seconds")
    max_pages_queued: int = Field(512, ge=1, description="pages waiting and being read, at most")
    lowest_priority_share: float = Field(
        0.1, ge=0, le=0.3, description="part of the room and of the turns that every priority is sure of"
    )
    default_deadline_ms: float = Field(0.0, ge=0, description="for requests that name none; 0: as long as it takes")
    retry_after_s: float = Field(1.0, gt=0, description="seconds after which to try again when there is no room; least")
    shutdown_s: float = Field(30.0, ge=0, description="seconds to finish what is running when told to stop")
    job_ttl_s: float = Field(86_400.0, gt=0, description="seconds that a job's result is kept")
    webhook_secret: str | None = Field(None, description="key that signs webhooks; not set: no webhooks")
    webhook_hosts: str = Field("", description="hosts that webhooks may go to, with commas; empty: no webhooks")
    webhook_timeout_s: float = Field(10.0, gt=0, description="seconds that a webhook's receiver may take")
    webhook_attempts: int = Field(6, ge=1, le=20, description="tries to deliver a webhook, further and further apart")
    metrics: bool = Field(True, description="offer /metrics")
    playground: bool = Field(True, description="offer the playground at /")

    @property
    def data_folder(self) -> Path:
        """Where jobs and uploads are kept."""
        if self.data_dir is not None:
            return self.data_dir
        state = os.environ.get("XDG_STATE_HOME") or "~/.local/state"
        return Path(state).expanduser() / DATA_FOLDER
