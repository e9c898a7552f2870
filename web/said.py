"""What people say during a match: decisions by button, and what the camera missed by form."""

from flask import Blueprint, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as BaseResponse

from referee.desk import Snapshot
from referee.errors import NotCounted
from web.decisions import read_decision
from web.fields import BadForm
from web.overrule import read_addition
from web.overrule_form import EventForm, blank_addition, refilled
from web.pages import live_page
from web.security import require_own_form
from web.site import current_site
from web.views import game_title

said_pages = Blueprint("said", __name__)


@said_pages.post("/match/<match_id>/decide")
def decide(match_id: str) -> BaseResponse | tuple[str, int]:
    require_own_form()
    desk, given = current_site().desk(match_id), request.form
    try:
        decision = read_decision(given.get("player", ""), given.get("choice", ""), given.getlist("target"))
        desk.decide(player=decision.player, choice=decision.choice, targets=decision.targets)
    except BadForm as bad:
        return live_page(match_id, refusal=bad.errors["form"]), 400
    except NotCounted as refused:
        return live_page(match_id, refusal=f"Nothing was changed: {refused}."), 409
    return redirect(url_for("pages.match", match_id=match_id), code=303)


@said_pages.get("/match/<match_id>/add")
def add_form(match_id: str) -> str:
    snapshot = current_site().desk(match_id).snapshot()
    return _add_page(snapshot, blank_addition(snapshot, request.args.get("kind", "")))


@said_pages.post("/match/<match_id>/add")
def add(match_id: str) -> BaseResponse | tuple[str, int]:
    require_own_form()
    desk = current_site().desk(match_id)
    snapshot, given = desk.snapshot(), request.form.to_dict()
    form = blank_addition(snapshot, given.get("kind", ""))
    try:
        addition = read_addition(snapshot, given)
        after = desk.add(event=addition.event, by=addition.by, reason=addition.reason)
    except BadForm as bad:
        return _add_page(snapshot, refilled(form, snapshot, given, bad.errors)), 400
    except NotCounted as refused:
        errors = {"form": f"Nothing was changed: {refused}."}
        return _add_page(snapshot, refilled(form, snapshot, given, errors)), 409
    return redirect(url_for("pages.call", match_id=match_id, event=len(after.events), saved=1), code=303)


def _add_page(snapshot: Snapshot, form: EventForm) -> str:
    return render_template("add.html", match_id=snapshot.match_id, game=game_title(snapshot), form=form)
