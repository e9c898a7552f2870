"""What the player in turn may say at this moment, as buttons, and what a press of one says."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import get_args

from referee.events import Choice, Decision
from referee.games.bounce_it import BounceItDetail
from referee.games.wonder_bowling import TARGETS_FOR_A_STRIKE, WonderBowlingDetail
from referee.match import Standing
from web.fields import BadForm


@dataclass(frozen=True, slots=True, kw_only=True)
class Button:
    choice: Choice
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionView:
    """``targets``: the numbers of chips of which ``pick`` are to be marked; none where there is nothing to pick."""

    player: str
    prompt: str
    buttons: tuple[Button, ...]
    targets: tuple[int, ...] = ()
    pick: int = 0


def decision_view(standing: Standing) -> DecisionView | None:
    """What is to be said now, None when nothing is."""
    expected = standing.expected
    if not expected.choices or len(expected.players) != 1:
        return None
    (player,) = expected.players
    detail = standing.detail
    prompt, targets, pick = f"{player} decides", tuple[int, ...](), 0
    words: dict[Choice, str] = {"stand": f"Stand with {dict(standing.scores)[player]}"}
    match detail:
        case BounceItDetail():
            prompt = f"A hit by {player}"
            higher = detail.supply.above(detail.current or 0)
            words = {"raise": f"Raise to {higher}", "stop": f"Stop and take {detail.current}"}
        case WonderBowlingDetail():
            prompt = f"Strike by {player}: which chips are turned?"
            held = tuple(sorted(detail.hands[detail.names.index(player)].targets))
            words = {"strike": "Turn a strike chip", "targets": f"Turn {' and '.join(map(str, held))}"}
            if len(held) > TARGETS_FOR_A_STRIKE:
                targets, pick = held, TARGETS_FOR_A_STRIKE
                words["targets"] = "Turn the two marked chips"
        case _ if "stand" in expected.choices:
            prompt = f"{player} throws on, or stands"
    buttons = tuple(Button(choice=choice, words=words.get(choice, choice.capitalize())) for choice in expected.choices)
    return DecisionView(player=player, prompt=prompt, buttons=buttons, targets=targets, pick=pick)


def read_decision(player: str, choice: str, targets: Sequence[str]) -> Decision:
    """What a press of a button says; raises ``BadForm``. Whether it may be said now, the rules know."""
    said = next((known for known in get_args(Choice) if known == choice), None)
    if said is None or not player or not all(target.isascii() and target.isdigit() for target in targets):
        raise BadForm({"form": "Please press one of the buttons."})
    numbers = tuple(int(target) for target in targets)
    return Decision(player=player, choice=said, targets=numbers if said == "targets" and numbers else None)
