"""The pages that people open, and the form by which they overrule a call."""

from collections.abc import Mapping

from flask import Blueprint, redirect, render_template, request, url_for
from markupsafe import Markup
from werkzeug.exceptions import NotFound
from werkzeug.wrappers import Response as BaseResponse

from referee.desk import Snapshot
from referee.errors import BadRuling
from web.almanac import match_line
from web.case import CaseView, case_view
from web.fields import BadForm
from web.history import entry_of
from web.ledger import Ledger
from web.overrule import read_form
from web.overrule_form import EventForm, blank_form, refilled
from web.security import require_own_form
from web.site import current_site
from web.views import game_title, live_view

match_pages = Blueprint("pages", __name__)

LIVE_PARTS = (
    "title",
    "phase",
    "source",
    "banner",
    "decision",
    "notices",
    "players",
    "board",
    "table",
    "rules",
    "calls",
    "latest",
    "log",
)
CASE_PARTS = ("verdict", "measured", "rule", "rulings")


def render_live_parts(snapshot: Snapshot) -> Mapping[str, str]:
    """The parts of the live page, by name."""
    view = live_view(snapshot)
    return {name: render_template(f"parts/{name}.html", view=view).strip() for name in LIVE_PARTS}


def render_history_parts(snapshot: Snapshot) -> Mapping[str, str]:
    """The parts of the whole history, by name."""
    ledger = Ledger.of(snapshot)
    entries = [entry_of(ledger, line) for line in ledger.all_lines()]
    return {"history": render_template("parts/history.html", entries=entries, match_id=snapshot.match_id).strip()}


def render_case_parts(card: CaseView) -> Mapping[str, str]:
    """The parts of a dispute card, by name."""
    return {name: render_template(f"parts/{name}.html", card=card).strip() for name in CASE_PARTS}


def snapshot_with(match_id: str, event: int) -> Snapshot:
    """The match, if its log has such a line; raises ``NotFound``."""
    snapshot = current_site().desk(match_id).snapshot()
    if not 1 <= event <= len(snapshot.events):
        raise NotFound(f"The match “{match_id}” has no line {event}.")
    return snapshot


@match_pages.get("/")
def index() -> BaseResponse | str:
    site = current_site()
    if site.almanac is not None:
        lines = [match_line(entry) for entry in reversed(site.almanac.entries())]
        return render_template("archive.html", matches=lines)
    desks = site.desks
    if len(desks) == 1:
        return redirect(url_for("pages.match", match_id=next(iter(desks))))
    return render_template("index.html", matches=[live_view(desk.snapshot()) for desk in desks.values()])


@match_pages.get("/match/<match_id>")
def match(match_id: str) -> str:
    return live_page(match_id)


def live_page(match_id: str, refusal: str = "") -> str:
    """The live page. ``refusal``: why what was said just now does not count."""
    site = current_site()
    snapshot = site.desk(match_id).snapshot()
    drawing = site.channel(match_id).draw(snapshot)
    return render_template(
        "live.html",
        view=live_view(snapshot),
        parts=as_markup(drawing.all()),
        refusal=refusal,
        several=site.almanac is not None or len(site.desks) > 1,
        **_follow(match_id, drawing.version, url_for("twins.match_parts", match_id=match_id)),
    )


@match_pages.get("/match/<match_id>/calls")
def calls(match_id: str) -> str:
    snapshot = current_site().desk(match_id).snapshot()
    return render_template(
        "calls.html",
        game=game_title(snapshot),
        parts=as_markup(render_history_parts(snapshot)),
        **_follow(match_id, snapshot.version, url_for("twins.calls_parts", match_id=match_id)),
    )


@match_pages.get("/match/<match_id>/call/<int:event>")
def call(match_id: str, event: int) -> str:
    snapshot = snapshot_with(match_id, event)
    form = blank_form(snapshot, event, request.args.get("kind", ""))
    return _card_page(snapshot, event, form, saved="saved" in request.args)


@match_pages.post("/match/<match_id>/call/<int:event>/overrule")
def overrule(match_id: str, event: int) -> BaseResponse | tuple[str, int]:
    require_own_form()
    snapshot = snapshot_with(match_id, event)
    given = request.form.to_dict()
    form = blank_form(snapshot, event, given.get("kind", ""))
    try:
        ruling = read_form(snapshot, event, given)
        current_site().desk(match_id).rule(
            event=ruling.event, replace=ruling.replace, by=ruling.by, reason=ruling.reason
        )
    except BadForm as bad:
        return _card_page(snapshot, event, refilled(form, snapshot, given, bad.errors)), 400
    except BadRuling as bad:
        errors = {"form": f"Nothing was changed: {bad}."}
        return _card_page(snapshot, event, refilled(form, snapshot, given, errors)), 409
    return redirect(url_for("pages.call", match_id=match_id, event=event, saved=1), code=303)


def _card_page(snapshot: Snapshot, event: int, form: EventForm, *, saved: bool = False) -> str:
    card = case_view(snapshot, event)
    state_url = url_for("twins.call_parts", match_id=snapshot.match_id, event=event)
    return render_template(
        "call.html",
        card=card,
        form=form,
        saved=saved,
        parts=as_markup(render_case_parts(card)),
        **_follow(snapshot.match_id, snapshot.version, state_url),
    )


def as_markup(parts: Mapping[str, str]) -> dict[str, Markup]:
    """Parts that templates have drawn, and so escaped, already."""
    return {name: Markup(html) for name, html in parts.items()}


def _follow(match_id: str, version: int, state_url: str) -> dict[str, object]:
    """What the page's script needs to go on from here."""
    return {"match_id": match_id, "version": version, "boot": current_site().boot, "state_url": state_url}
