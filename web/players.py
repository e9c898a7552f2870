"""The pages about the players, and the same as JSON."""

from flask import Blueprint, Response, jsonify, render_template, request
from werkzeug.exceptions import NotFound

from referee.stats.almanac import Almanac
from referee.stats.record import Record
from referee.stats.writing import record_to_json, records_to_json
from web.almanac import find_record, player_line, player_view
from web.site import current_site

player_pages = Blueprint("players", __name__)


@player_pages.get("/players")
def players() -> str:
    """Everybody, the strongest first."""
    return render_template("players.html", players=[player_line(record) for record in _almanac().records()])


@player_pages.get("/player")
def player() -> str:
    """One player, by name in the query: names may hold what addresses can't."""
    return render_template("player.html", player=player_view(_asked_for()))


@player_pages.get("/players.json")
def players_json() -> Response:
    almanac = _almanac()
    return _answer(records_to_json(almanac.records(), len(almanac.entries())))


@player_pages.get("/player.json")
def player_json() -> Response:
    return _answer(record_to_json(_asked_for()))


def _almanac() -> Almanac:
    almanac = current_site().almanac
    if almanac is None:
        raise NotFound("Statistics are shown by: referee serve")
    return almanac


def _asked_for() -> Record:
    name = request.args.get("name", "")
    record = find_record(_almanac().records(), name)
    if record is None:
        raise NotFound(f"No stored match has a player “{name}”.")
    return record


def _answer(content: dict[str, object]) -> Response:
    response = jsonify(content)
    response.headers["Cache-Control"] = "no-store"
    return response
