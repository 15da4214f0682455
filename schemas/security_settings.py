"""Settings of what the service lets in, and of what it writes down about it."""

from __future__ import annotations

from pydantic import BaseModel, Field


class SecuritySettings(BaseModel):
    """A part of the server's settings. Lists are texts with commas, as they are in variables."""

    allowed_hosts: str = Field(
        "", description="names that a Host header may have, with commas; empty: any, but on 127.0.0.1 this computer's"
    )
    cors_origins: str = Field(
        "", description="origins whose web pages may use the service, with commas, as https://app.example.com"
    )
    open_health: bool = Field(True, description="answer health checks without a key")
    open_metrics: bool = Field(False, description="answer /metrics without a key")
    log_file_names: bool = Field(False, description="write the names of files into the log")

    @property
    def host_names(self) -> frozenset[str]:
        """``allowed_hosts``, one by one."""
        return _parts(self.allowed_hosts)

    @property
    def origins(self) -> frozenset[str]:
        """``cors_origins``, one by one."""
        return _parts(self.cors_origins)


def _parts(text: str) -> frozenset[str]:
    return frozenset(part.strip().rstrip("/").lower() for part in text.split(",") if part.strip())
