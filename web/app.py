"""The web application: pages, JSON twins, streams and clips of the matches it is given."""

import hashlib
from collections.abc import Callable, Mapping
from http import HTTPStatus
from pathlib import Path

from flask import Flask, Response, current_app, jsonify, make_response, render_template, request, url_for
from flask.json.provider import DefaultJSONProvider
from werkzeug.exceptions import HTTPException, NotFound

from hardware.errors import RefereeError
from referee.desk import Desk
from referee.errors import NoClip
from referee.stats.almanac import Almanac
from web.clips import clip_files
from web.pages import match_pages, render_live_parts
from web.players import player_pages
from web.said import said_pages
from web.security import add_headers
from web.site import Site, install_site
from web.stream import stream_pages
from web.twins import json_twins

HEARTBEAT_S = 10.0
ASSETS_KEEP_S = 7 * 24 * 3600

TITLES = {
    HTTPStatus.BAD_REQUEST: "This could not be read",
    HTTPStatus.FORBIDDEN: "Not allowed",
    HTTPStatus.NOT_FOUND: "Not here",
    HTTPStatus.METHOD_NOT_ALLOWED: "Not possible here",
    HTTPStatus.INTERNAL_SERVER_ERROR: "Something went wrong",
}


def create_app(desks: Mapping[str, Desk], *, heartbeat_s: float = HEARTBEAT_S, almanac: Almanac | None = None) -> Flask:
    """The pages of these matches, by their names. The mapping is read anew at each request, so it may grow.

    ``heartbeat_s``: how often a stream says that it is alive when nothing happens. ``almanac``: the same matches in
    short, which makes their list quick and shows what the players have done.
    """
    app = Flask("web", template_folder="templates", static_folder="static")
    app.response_class = _Page
    app.json = _InOrder(app)
    app.config["MAX_CONTENT_LENGTH"] = 64 * 1024
    app.config["SEND_FILE_MAX_AGE_DEFAULT"] = ASSETS_KEEP_S
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    app.jinja_env.filters["mm"] = _mm
    app.jinja_env.globals["asset"] = _asset_urls(app)
    install_site(app, Site(desks=desks, render=render_live_parts, heartbeat_s=heartbeat_s, almanac=almanac))
    for blueprint in (match_pages, json_twins, stream_pages, clip_files, player_pages, said_pages):
        app.register_blueprint(blueprint)
    app.after_request(add_headers)
    app.register_error_handler(HTTPException, _say_http_error)
    app.register_error_handler(NoClip, _say_no_clip)
    app.register_error_handler(RefereeError, _say_trouble)
    app.register_error_handler(Exception, _say_failure)
    return app


class _Page(Response):
    """A page. Half a surrogate pair, which a log may hold but no page can, becomes a question mark."""

    def set_data(self, value: bytes | str) -> None:
        super().set_data(value.encode("utf-8", "replace") if isinstance(value, str) else value)


class _InOrder(DefaultJSONProvider):
    """Players stay in turn order."""

    sort_keys = False


def _mm(value: float) -> str:
    """A length in a drawing, short."""
    return f"{value:.1f}".rstrip("0").rstrip(".")


def _asset_urls(app: Flask) -> Callable[[str], str]:
    """Addresses of files in ``static`` that change with their content, so that browsers may keep them."""
    folder = Path(app.root_path) / "static"
    marks = {path.name: hashlib.sha256(path.read_bytes()).hexdigest()[:10] for path in folder.iterdir()}

    def asset(name: str) -> str:
        return url_for("static", filename=name, v=marks[name])

    return asset


def _say_http_error(error: HTTPException) -> Response:
    status = HTTPStatus(error.code or 500)
    if status == HTTPStatus.NOT_FOUND and error.description == NotFound.description:
        return _say("There is no such page here.", status)
    return _say(error.description or status.phrase, status)


def _say_no_clip(error: NoClip) -> Response:
    return _say(f"There is no clip: {error}.", HTTPStatus.NOT_FOUND)


def _say_trouble(error: RefereeError) -> Response:
    """What keeps a page from being made and can be mended, such as files that can't be read."""
    current_app.logger.error("%s", error)
    words = str(error)
    return _say(f"{words[:1].upper()}{words[1:]}.", HTTPStatus.INTERNAL_SERVER_ERROR)


def _say_failure(error: Exception) -> Response:
    current_app.logger.error("a page failed: %s", request.path, exc_info=error)
    words = "The referee could not make this page. The match and its score are not touched by that; please try again."
    return _say(words, HTTPStatus.INTERNAL_SERVER_ERROR)


def _say(words: str, status: HTTPStatus) -> Response:
    """An error in words: as JSON for programs, else as a page."""
    if request.path.endswith(".json") or request.accept_mimetypes.best == "application/json":
        response = jsonify({"error": words})
    else:
        title = TITLES.get(status, "Something went wrong")
        response = make_response(render_template("error.html", title=title, words=words))
    response.status_code = status
    response.headers["Cache-Control"] = "no-store"
    return response
