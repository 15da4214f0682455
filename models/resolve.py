"""From a model's name to its files, checked and in a format that the backend reads."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from models import characters as chars
from models import checksum, convert, hub, locate
from models.backends.base import InputFormat, ModelFiles
from models.catalogue import TASKS, Catalogue, Entry, Task, load_catalogue
from models.formats import BACKENDS, Format, backends_for, can_convert, how
from models.inference_yml import InferenceConfig, read_inference_yml
from models.layout_ner.model_files import TASK as LAYOUT_NER
from models.layout_ner.model_files import find_layout_ner
from models.locate import Found
from schemas.errors import ModelError, SettingsError
from schemas.settings import BackendName, Settings

_NAME = re.compile(r"\w[\w.+-]*")  # it becomes part of paths
_HUB_FORMATS: dict[hub.Package, Format] = {"onnx": "onnx", "paddle": "paddle-json"}


@dataclass(slots=True, frozen=True)
class _Wanted:
    name: str
    task: Task
    backend: BackendName
    entry: Entry | None
    official: bool


def resolve(
    name: str | None,
    task: str,
    backend: str,
    settings: Settings,
    *,
    fetch: hub.Fetch = hub.fetch,
    converter: convert.Converter | None = None,
) -> ModelFiles:
    """Find a model and make it ready for a backend.

    It is looked for in the folder that ``settings.model_dir`` names, in installed packages, in PaddleOCR's cache, and,
    where ``settings.allow_download`` lets it, in PaddleOCR's hub. Files that the catalogue knows are compared with
    their checksums. A Paddle model for a backend that reads ONNX only is converted once and kept.

    Args:
        name: a name of the catalogue, an official name of PaddleOCR, or that of a model in ``model_dir``; None: the
            best embedded model for the backend.
        task: ``detection``, ``recognition``, ``orientation`` (of a line), ``page_orientation`` or ``layout_ner``; for
            the last one ``name`` is a folder, or that of one in ``model_dir``.
        backend: ``openvino``, ``onnxruntime`` or ``paddle``.
        settings: ``model_dir``, ``cache_dir`` and ``allow_download`` are looked at.
        fetch: how the hub is asked; for tests.
        converter: how Paddle models become ONNX; for tests.

    Raises:
        ModelError: the model is missing, damaged or does not suit; the message says what to do.
        SettingsError: no such task or backend.
    """
    if task == LAYOUT_NER:
        return find_layout_ner(settings, backend, name).files
    wanted = _wanted(name, task, backend, settings)
    usable = {"direct", "convert"} if converter is not None or can_convert() else {"direct"}
    unsuited: list[Found] = []
    for found in _candidates(wanted, settings):
        if how(found.format, wanted.backend) in usable:
            return _finish(found, wanted, settings, converter)
        unsuited.append(found)
    refusal = ""
    if wanted.official and settings.allow_download:
        # "onnx" first where the backend reads it, "paddle" only where something can be done with it
        packages: list[hub.Package] = [p for p in _HUB_FORMATS if how(_HUB_FORMATS[p], wanted.backend) in usable]
        try:
            folder = fetch(wanted.name, packages)
        except ModelError as error:
            refusal = error.message
        else:
            for found in locate.in_model_folder(folder, f"PaddleOCR's hub, kept in {folder}"):
                if how(found.format, wanted.backend) in usable:
                    return _finish(found, wanted, settings, converter)
                unsuited.append(found)
    raise _not_found(wanted, unsuited, settings, refusal)


def _wanted(name: str | None, task: str, backend: str, settings: Settings) -> _Wanted:
    known_task = next((t for t in TASKS if t == task), None)
    known_backend = next((b for b in BACKENDS if b == backend), None)
    if known_task is None:
        raise SettingsError(f"no task {task!r}; there are {', '.join((*TASKS, LAYOUT_NER))}")
    if known_backend is None:
        raise SettingsError(f"backend: no {backend!r}; there are {', '.join(BACKENDS)}")
    catalogue = load_catalogue()
    if name is None:
        try:
            best = catalogue.embedded(known_task, known_backend)
        except LookupError as error:
            raise ModelError(f"{error}; name one: {', '.join(catalogue.names(known_task))}") from error
        return _Wanted(best.name, known_task, known_backend, best, catalogue.hub_task(best.name) is not None)
    if not _NAME.fullmatch(name):
        raise ModelError(
            f"{name!r} is not a model's name; put a model of your own into a folder of its name inside the "
            "one that the setting model_dir names"
        )
    entry = catalogue.find(name)
    hub_task = catalogue.hub_task(name)
    own_task = entry.task if entry else hub_task
    if own_task is not None and own_task != known_task:
        raise _wrong_task(name, own_task, known_task, catalogue)
    if own_task is None and not _in_user_folder(name, settings):
        raise _unknown(name, known_task, catalogue, settings)
    return _Wanted(name, known_task, known_backend, entry, hub_task is not None)


def _in_user_folder(name: str, settings: Settings) -> bool:
    return settings.model_dir is not None and any(locate.in_user_folder(settings.model_dir, name, None))


def _candidates(wanted: _Wanted, settings: Settings) -> Iterator[Found]:
    """Everything found on this machine, in the order of the search; within a place, formats read directly first."""

    def direct_first(found: Iterator[Found]) -> list[Found]:
        return sorted(found, key=lambda f: how(f.format, wanted.backend) != "direct")

    if settings.model_dir is not None:
        yield from direct_first(locate.in_user_folder(settings.model_dir, wanted.name, wanted.entry))
    if wanted.entry is not None:
        yield from direct_first(locate.in_packages(wanted.entry))
    if wanted.official:
        yield from direct_first(locate.in_cache(wanted.name))


def _finish(found: Found, wanted: _Wanted, settings: Settings, converter: convert.Converter | None) -> ModelFiles:
    if found.known is not None:
        _verify(found)
    config = read_inference_yml(found.config) if found.config is not None else None
    if config is not None and config.task not in (None, wanted.task):
        raise _wrong_task(wanted.name, str(config.task), wanted.task, load_catalogue())
    characters = _characters(found, config, wanted)
    spec = _input_format(found, config, wanted)
    fingerprint = checksum.combine([checksum.sha256(path) for path in found.files])
    model, weights, model_format = found.model, found.weights, found.format
    if how(found.format, wanted.backend) == "convert" and weights is not None:
        folder = convert.cache_dir(settings)
        model = convert.to_onnx(wanted.name, model, weights, fingerprint, folder, converter)
        weights, model_format = None, "onnx"
        fingerprint = checksum.combine([fingerprint, checksum.sha256(model)])
    return ModelFiles(wanted.name, wanted.task, model_format, model, weights, spec, fingerprint, characters)


def _verify(found: Found) -> None:
    source = found.known
    assert source is not None
    paths = (found.model, found.weights, found.keys)
    for path, file in zip(paths, (source.model, source.weights, source.keys), strict=True):
        if path is not None and file is not None:
            checksum.verify(path, file.sha256, found.remedy)


def _characters(found: Found, config: InferenceConfig | None, wanted: _Wanted) -> tuple[str, ...]:
    if wanted.task != "recognition":
        return ()
    if config is not None and config.characters:
        return config.characters
    result = chars.from_keys_file(found.keys) if found.keys is not None else None
    if result is None and found.format == "onnx":
        result = chars.from_onnx(found.model)
    if result is None:
        raise ModelError(
            f"{wanted.name} in {found.where} has no character set; put its inference.yml, or its characters as a .txt "
            "file (one a line), beside it"
        )
    # a checked package only: elsewhere a model of this name may have been trained on other characters
    classes = wanted.entry.classes if wanted.entry and found.known else None
    if classes is not None and len(result) + 1 != classes:
        raise ModelError(
            f"{wanted.name} in {found.where} has {len(result) + 1} classes by its characters, and should "
            f"have {classes}; install or copy it again"
        )
    return result


def _input_format(found: Found, config: InferenceConfig | None, wanted: _Wanted) -> InputFormat:
    if config is not None:
        return config.input
    if wanted.entry is not None:
        return wanted.entry.input.format()
    raise ModelError(
        f"{wanted.name} in {found.where} lacks its {locate.CONFIG_NAME}, which says how images are "
        "normalised for it; copy the whole folder"
    )


def _wrong_task(name: str, own: str, wanted: Task, catalogue: Catalogue) -> ModelError:
    return ModelError(
        f"{name} is a model for {own}, not for {wanted}; for {wanted} take one of {', '.join(catalogue.names(wanted))}"
    )


def _unknown(name: str, task: Task, catalogue: Catalogue, settings: Settings) -> ModelError:
    names = catalogue.names(task)
    close = difflib.get_close_matches(name, names, n=3, cutoff=0.6)
    hint = f"did you mean {' or '.join(close)}?" if close else f"for {task} there are {', '.join(names)}."
    if settings.model_dir is None:
        own = "A model of your own goes into a folder of its name inside the one that the setting model_dir names"
    else:
        own = f"A model of your own goes into {settings.model_dir / name}"
    return ModelError(f"no model is called {name}; {hint} {own}")


def _not_found(wanted: _Wanted, unsuited: Sequence[Found], settings: Settings, refusal: str) -> ModelError:
    catalogue = load_catalogue()
    todo: list[str] = []
    if wanted.entry is None and wanted.name not in (names := catalogue.names(wanted.task)):
        todo += [f"take {close}" for close in difflib.get_close_matches(wanted.name, names, n=2, cutoff=0.8)]
    convertible = [f for f in unsuited if how(f.format, wanted.backend) == "convert"]
    usable = dict.fromkeys(b for f in unsuited for b in backends_for(f.format) if b != wanted.backend)
    if convertible:
        todo.append("pip install 'inklane[hub]' to have it turned into ONNX")
    if usable:
        todo.append(f"set backend to {' or '.join(usable)}")
    if wanted.entry is not None:
        fitting = [p.distribution for p in wanted.entry.packages if how(p.format, wanted.backend) is not None]
        if fitting and not unsuited and wanted.backend == "paddle":  # the extra brings models of its own
            todo.append("make install EXTRAS=paddle")
        todo += [f"pip install --no-deps {distribution}" for distribution in fitting if not unsuited]
        if not fitting:
            other = catalogue.embedded(wanted.task, wanted.backend).name
            todo.append(f"use the model {other}, which {wanted.backend} reads")
    if wanted.official:
        if not settings.allow_download:
            todo.append("set allow_download to true to have PaddleOCR fetch it")
        todo.append(
            f"copy its folder from a machine that has it (~/.paddlex/official_models/{wanted.name}) to "
            f"{hub.cache_root() / wanted.name}"
        )
    todo.append(f"put it into {(settings.model_dir or Path('model_dir')) / wanted.name}")
    if unsuited:
        there = "; ".join(f"as {f.format} in {f.where}" for f in unsuited)
        state = f"is here {there}, which {wanted.backend} cannot run as it is"
    else:
        state = f"({wanted.task}, for {wanted.backend}) is not on this machine"
    asked = f". {refusal}" if refusal else ""
    return ModelError(f"the model {wanted.name} {state}{asked}. One of these helps: {'; '.join(todo)}")
