"""Settings: defaults, an optional ``inklane.toml``, ``INKLANE_*`` variables, then arguments; the last one wins.

``INKLANE_STAGES__RECOGNITION__MAX_BATCH_SIZE=4`` sets ``stages.recognition.max_batch_size``.
"""

from __future__ import annotations

import os
import re
import tomllib
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict, TomlConfigSettingsSource

from schemas.errors import SettingsError
from schemas.server_settings import ServerSettings
from schemas.settings_errors import CONFIG_VARIABLE, sentences, unknown_variables
from schemas.settings_fields import ENV_DELIMITER, ENV_PREFIX

BackendName = Literal["openvino", "onnxruntime", "paddle"]
Precision = Literal["auto", "f32", "bf16", "f16"]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", validate_assignment=True)


class StageSettings(_Strict):
    """How one stage batches. 0 means: what was measured to be best for this device and precision."""

    max_batch_size: int = Field(0, ge=0, le=4096, description="items in a batch, at most")
    max_queue_delay_ms: float = Field(2.0, ge=0, le=60_000, description="a batch not full waits so long for more")
    preferred_batch_sizes: tuple[int, ...] = Field((), description="sizes at which a batch closes early")
    instances: int = Field(0, ge=0, le=64, description="lanes: batches that run side by side")
    max_queue_size: int = Field(0, ge=0, description="the stage before this one pauses while as many items wait")
    max_batch_pixels: int = Field(0, ge=0, description="budget of a batch in padded pixels")
    priority_aging_ms: float = Field(2000.0, ge=0, description="a lower priority is served as if it came so much later")
    overdue_ms: float = Field(1000.0, ge=0, description="an item that has waited so long runs in a batch not full")

    @model_validator(mode="after")
    def _preferred_fit(self) -> StageSettings:
        for size in self.preferred_batch_sizes:
            if size < 1 or 0 < self.max_batch_size < size:
                raise ValueError(f"preferred_batch_sizes: {size} is not between 1 and max_batch_size")
        return self


class StagesSettings(_Strict):
    """One entry per stage, in the order of the flow."""

    open: StageSettings = StageSettings()
    decode: StageSettings = StageSettings()
    detection: StageSettings = StageSettings()
    orientation: StageSettings = StageSettings()
    recognition: StageSettings = StageSettings()
    assembly: StageSettings = StageSettings()
    layout_ner: StageSettings = StageSettings()
    fields: StageSettings = StageSettings()


class Limits(_Strict):
    """What is refused, mostly from the header and before decoding."""

    max_file_bytes: int = Field(100 * 2**20, ge=1, description="bytes of one file")
    max_pixels: int = Field(100_000_000, ge=1, description="width times height of one page")
    max_side: int = Field(32_000, ge=1, description="width or height of one page in pixels")
    max_pages: int = Field(2_000, ge=1, description="pages of one document, counted before any is chosen")


class DetectionSettings(_Strict):
    """Text detection. Thresholds as in PaddleOCR's DB post-processing."""

    short_side: int = Field(736, ge=32, description="a page is scaled so that its short side has as many pixels")
    max_long_side: int = Field(1600, ge=64, description="longer pages are read in overlapping tiles")
    tile_overlap: int = Field(128, ge=32, description="scaled pixels that neighbouring tiles share at least")
    max_enlargement: float = Field(2.0, ge=1, le=8, description="small pages are enlarged by no more than this")
    threshold: float = Field(0.3, gt=0, lt=1, description="probability from which a pixel counts as text")
    box_threshold: float = Field(0.5, gt=0, lt=1, description="mean probability from which a box counts as text")
    unclip_ratio: float = Field(1.6, ge=1, le=4, description="how far boxes are grown to cover the letters")
    max_candidates: int = Field(3000, ge=1, description="outlines looked at on one page or tile")


class RecognitionSettings(_Strict):
    """Text recognition. Lines whose confidence is below ``min_confidence`` are left out."""

    charset: str = Field("full", description="full, latin, digits (several: with commas), or chars: and the characters")
    min_confidence: float = Field(0.5, ge=0, le=1, description="lines less sure than this are left out")
    max_padding: float | None = Field(
        None, ge=0, le=0.5, description="share of a line image that may be padding; finer is more shapes to keep"
    )
    alternatives: int = Field(6, ge=2, le=40, description="candidates per column that a line keeps when asked")


class OrientationSettings(_Strict):
    """Turning pages upright."""

    enabled: bool = Field(True, description="turn pages upright that lie on a side or upside down")


class FieldSettings(_Strict):
    """Which values are read from the text. Document types and their fields: [fields.md](fields.md)."""

    enabled: bool = Field(True, description="read fields; false: the text alone, which is a little faster")
    doc_type: str = Field("auto", description="the type of every document, or auto: recognised on each")
    doctypes_dir: Path | None = Field(None, description="a folder with document types of your own (YAML)")
    min_confidence: float = Field(
        0.25, ge=0, le=1, description="values less sure than this are left out; below 0.5 they are marked for review"
    )
    max_pages: int = Field(50, ge=1, description="fields are looked for on so many first pages of a document")


class ModelNames(_Strict):
    """Which models read, by their names in the catalogue. Not set: the best installed one for the backend."""

    detection: str | None = Field(None, description="the model for detection")
    recognition: str | None = Field(None, description="the model for recognition")
    orientation: str | None = Field(None, description="the model for orientation")
    layout_ner: str | None = Field(None, description="the model for fields, by its folder or its name in model_dir")


class Settings(BaseSettings):
    """All settings."""

    model_config = SettingsConfigDict(
        env_prefix=ENV_PREFIX, env_nested_delimiter=ENV_DELIMITER, extra="forbid", validate_assignment=True
    )

    backend: BackendName = Field("openvino", description="the runtime that computes the networks")
    device: str = Field("cpu", description="cpu, or cuda:0 and so on")
    precision: Precision = Field("auto", description="auto: the fastest that this processor computes natively")
    cores: int = Field(0, ge=0, description="CPU cores to compute on; 0: all that this process may use")
    in_process: bool = Field(False, description="run the stages in this process instead of a worker process")
    model_dir: Path | None = Field(None, description="a folder with models, looked in first")
    cache_dir: Path | None = Field(None, description="where converted models are kept; default: the user's cache")
    allow_download: bool = Field(True, description="let PaddleOCR's hub fetch models that are not here")
    models: ModelNames = ModelNames()
    stages: StagesSettings = StagesSettings()
    limits: Limits = Limits()
    detection: DetectionSettings = DetectionSettings()
    orientation: OrientationSettings = OrientationSettings()
    recognition: RecognitionSettings = RecognitionSettings()
    fields: FieldSettings = FieldSettings()
    server: ServerSettings = ServerSettings()
    dpi: int = Field(200, ge=36, le=1200, description="resolution at which PDF pages are rendered")
    max_pages_in_flight: int = Field(8, ge=1, description="pages decoded and not yet finished, at most")
    max_open_documents: int = Field(8, ge=1, description="documents whose bytes are held, at most")
    max_waiting_documents: int = Field(256, ge=1, description="submitting more blocks")

    @property
    def core_count(self) -> int:
        """Cores to compute on."""
        return self.cores or len(os.sched_getaffinity(0))

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Arguments win over the environment, which wins over ``inklane.toml`` (or ``$INKLANE_CONFIG``)."""
        path = Path(_file_name())
        return init_settings, env_settings, TomlConfigSettingsSource(settings_cls, toml_file=path)


def load_settings(**values: Any) -> Settings:
    """Build settings, naming the setting that is wrong.

    Raises:
        SettingsError: a value cannot work, a setting does not exist, or the settings file cannot be read. It says
            which setting, where it comes from, and what is allowed.
    """
    file = _file_name()
    if CONFIG_VARIABLE in os.environ and not Path(file).is_file():
        raise SettingsError(f"{CONFIG_VARIABLE} names the settings file {file!r}, which is not there")
    unknown = unknown_variables(Settings, os.environ)
    if unknown:
        raise SettingsError(_joined(unknown))
    in_file = _read(file)
    try:
        return Settings(**values)
    except ValidationError as error:
        raise SettingsError(_joined(sentences(error, Settings, values, file, in_file))) from error
    except ValueError as error:  # a variable that should hold JSON and does not
        name = re.search(r'field "(\w+)"', str(error))
        variable = ENV_PREFIX + name[1].upper() if name else f"one of the variables {ENV_PREFIX}*"
        raise SettingsError(
            f"{variable} cannot be taken apart: write single settings, as in {ENV_PREFIX}LIMITS{ENV_DELIMITER}MAX_PAGES"
            '=50, and lists in brackets, as in "[2, 4]"'
        ) from error


def _file_name() -> str:
    return os.environ.get(CONFIG_VARIABLE, "inklane.toml")


def _read(file: str) -> dict[str, Any]:
    """The settings file as it is; empty where there is none."""
    try:
        return tomllib.loads(Path(file).read_bytes().decode()) if Path(file).is_file() else {}
    except (ValueError, OSError) as error:  # no TOML, no UTF-8, or not ours to read
        raise SettingsError(f"the settings file {file} cannot be read: {error}") from error


def _joined(faults: list[str]) -> str:
    return "invalid settings: " + "; ".join(faults)
