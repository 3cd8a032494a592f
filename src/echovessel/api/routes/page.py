"""The page's files, without a token: they hold nothing of anyone's."""

from collections.abc import Mapping

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from echovessel.api.page_files import PageFile


def page_routes(files: Mapping[str, PageFile]) -> list[BaseRoute]:
    """One route a file: an address that names no file meets the same 404 as any other."""
    return [Route(url, _serve(file), methods=["GET"], include_in_schema=False) for url, file in files.items()]


def _serve(file: PageFile):
    headers = {"Cache-Control": file.cache, "ETag": file.etag}

    async def answer(request: Request) -> Response:
        if file.etag in request.headers.get("if-none-match", ""):
            return Response(status_code=304, headers=headers)
        return Response(file.body, media_type=file.media_type, headers=headers)

    return answer
