"""The application: routes, and the guards that stand before them."""

from fastapi import APIRouter, FastAPI, Request
from fastapi.responses import JSONResponse

from echovessel import __version__
from echovessel.api import openapi, page_files, problems
from echovessel.api.doors import Doors
from echovessel.api.routes import (
    backups,
    blocks,
    doctor,
    embedder,
    events,
    exports,
    health,
    imports,
    library,
    login,
    me,
    messages,
    metrics,
    nearby,
    personas,
    recall,
    settings,
    status,
    turns,
)
from echovessel.api.routes.page import page_routes
from echovessel.api.security.bodies import BodyGuard, BodyLimits
from echovessel.api.security.headers import SecurityHeaders
from echovessel.api.security.hosts import HostGuard
from echovessel.api.security.token import TokenGuard

SUBJECTS = (
    me,
    status,
    doctor,
    embedder,
    personas,
    library,
    blocks,
    messages,
    turns,
    events,
    recall,
    imports,
    exports,
    backups,
    settings,
    nearby,
)


def build_app(doors: Doors, limits: BodyLimits | None = None) -> FastAPI:
    """The whole HTTP surface. A request meets, in this order: headers, Host and Origin, token, body limits, its route."""
    app = without_doors()
    app.state.doors = doors
    app.router.routes.extend(page_routes(page_files.load(doors.page)))
    # The last one added stands outermost.
    app.add_middleware(BodyGuard, limits=limits or BodyLimits())
    app.add_middleware(TokenGuard, token=doors.token)
    app.add_middleware(HostGuard, allowed=lambda: doors.settings.current().server.allowed_hosts)
    app.add_middleware(SecurityHeaders)
    return app


def without_doors() -> FastAPI:
    """Routes and errors alone: enough to describe the API."""
    app = FastAPI(
        title="EchoVessel",
        version=__version__,
        openapi_url=None,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
    )
    problems.install(app)
    app.include_router(health.router)
    app.include_router(metrics.router)
    app.include_router(login.router)
    api = APIRouter(prefix="/api/v1")
    for subject in SUBJECTS:
        api.include_router(subject.router)
    app.include_router(api)
    app.add_api_route("/api/openapi.json", _document, include_in_schema=False)
    return app


# No closure over the application: FastAPI remembers the functions of routes for good, and with them what they hold.
async def _document(request: Request) -> JSONResponse:
    return JSONResponse(openapi.describe(request.app))
