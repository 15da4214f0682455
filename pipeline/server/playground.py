"""The playground at ``/``, its files and samples, and pictures of pages that a browser cannot draw itself."""

from __future__ import annotations

import re

import orjson
from aiohttp import web

from pipeline.server.assets import SECURITY_HEADERS, Assets
from pipeline.server.keys import BODIES, SETTINGS
from pipeline.server.page_picture import PagePictures
from pipeline.server.sample_files import CONTENT_TYPES, SampleFiles
from schemas.errors import InvalidRequest, MalformedBody, NotFound

ASSETS = web.AppKey("assets", Assets)
SAMPLES = web.AppKey("samples", SampleFiles)
PICTURES = web.AppKey("pictures", PagePictures)

_PAGE = re.compile("[0-9]{1,5}")


def add_routes(app: web.Application) -> None:
    """The pages' files, and the playground where the settings want it."""
    settings = app[SETTINGS]
    app[ASSETS] = Assets()
    app.router.add_get("/static/{name}", _asset)
    app.router.add_get("/favicon.ico", _icon)
    if not settings.server.playground:
        return
    app[SAMPLES] = SampleFiles()
    app[PICTURES] = PagePictures(settings)
    app.router.add_get("/", _index)
    app.router.add_get("/static/samples/list.json", _list_samples)
    app.router.add_get("/static/samples/{name}", _sample)
    app.router.add_post("/playground/page", _page)


async def _index(request: web.Request) -> web.StreamResponse:
    return request.app[ASSETS].response(request, "index.html")


async def _asset(request: web.Request) -> web.StreamResponse:
    return request.app[ASSETS].response(request, request.match_info["name"])


async def _icon(request: web.Request) -> web.StreamResponse:
    return request.app[ASSETS].response(request, "icon.svg")


async def _list_samples(request: web.Request) -> web.Response:
    samples = await request.app[SAMPLES].all()
    listed = [
        {"name": each.name, "doc_type": each.doc_type, "pages": each.pages, "picture": each.picture}
        for each in samples.values()
    ]
    return web.Response(body=orjson.dumps({"samples": listed}), content_type="application/json")


async def _sample(request: web.Request) -> web.StreamResponse:
    sample = (await request.app[SAMPLES].all()).get(request.match_info["name"])
    if sample is None:
        raise NotFound(f"there is no sample {request.match_info['name'][:80]!r}")
    headers = {**SECURITY_HEADERS, "Content-Type": CONTENT_TYPES[sample.path.suffix], "Cache-Control": "max-age=3600"}
    return web.FileResponse(sample.path, headers=headers)


async def _page(request: web.Request) -> web.Response:
    """A page of the file in the body, as a JPEG; the file is not kept."""
    wanted = request.query.get("page", "1")
    if not _PAGE.fullmatch(wanted) or int(wanted) < 1:
        raise InvalidRequest(f"page must be a page number from 1, not {wanted[:40]!r}")
    async with request.app[BODIES].receive(request) as body:
        if len(body.files) != 1:
            raise MalformedBody("send one file, of which a page is to be drawn")
        file = body.files[0]
        if file.upload is None:
            raise file.error or MalformedBody("the file cannot be used")
        picture = await request.app[PICTURES].draw(file.upload, int(wanted))
    return web.Response(body=picture, content_type="image/jpeg", headers={"Cache-Control": "no-store"})
