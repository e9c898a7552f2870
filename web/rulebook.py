"""The rule that each call rests on, in a few plain words; what decides is the game itself, not this page."""

from collections.abc import Sequence
from dataclasses import dataclass

from referee.match import Call


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleText:
    name: str
    words: str


FOULS = {
    "no_bounce": RuleText(
        name="Straight onto the board",
        words="A throw has to bounce once on the table before it comes to the board. This one did not bounce at all.",
    ),
    "double_bounce": RuleText(
        name="Two bounces or more",
        words="A throw may bounce on the table only once before it comes to the board.",
    ),
    "wrong_side": RuleText(
        name="The wrong side",
        words="The one bounce has to be on the thrower's own side of the table.",
    ),
    "missed_board": RuleText(
        name="Missed the board",
        words="After its bounce the ball has to come down on the board.",
    ),
    "bounced_out": RuleText(
        name="Bounced out",
        words="A ball that touches the board and then leaves it is lost.",
    ),
    "landed_on_ball": RuleText(
        name="On top of another ball",
        words="A ball that comes to rest on other balls is a foul.",
    ),
}

REFUSALS = {
    "bad_event": "A line of the log lacks something that the rules need, so it counts for nothing.",
    "game_over": "The game was over already.",
    "no_such_ball": "Nobody in this match has such a ball to throw.",
    "out_of_turn": "Only whoever is in turn may throw, and only a ball of their own. The players decide what follows.",
    "impossible": "This contradicts what lies on the board, so it was not scored. A ruling can mend what was missed.",
}

CALLS = {
    "opening": RuleText(
        name="Opening",
        words="Everybody throws one ball; whoever lies in the highest number begins. Tied leaders throw again.",
    ),
    "score": RuleText(
        name="Score",
        words="A ball in a hole counts the hole's number, and twice that in a hole of its own colour.",
    ),
    "row": RuleText(
        name="Row",
        words="Five neighbouring holes in a straight line, all filled by this throw, make a row for the thrower.",
    ),
    "bonus": RuleText(
        name="Bonus",
        words="Five or more of a player's own balls in a row are worth ten points at the end of the round.",
    ),
    "round": RuleText(name="Another round", words="All balls go back, and the next round begins."),
    "win": RuleText(name="The end", words="The game is decided by the score as it stands."),
}

KNOCKED_OUT = RuleText(
    name="Knocked out",
    words="A ball that another ball knocks off the board is lost to its place; the throw itself may still be good.",
)
FORFEIT = RuleText(
    name="Forfeit",
    words="A ball that was thrown foul leaves the game's board: it is set aside, or goes to another player's stock.",
)


def rules_behind(calls: Sequence[Call]) -> tuple[RuleText, ...]:
    """The rules that led to these calls, each once, in order."""
    texts = [text for call in calls if (text := _rule_behind(call)) is not None]
    return tuple(dict.fromkeys(texts))


def _rule_behind(call: Call) -> RuleText | None:
    match call.call:
        case "foul":
            return FOULS.get(call.reason or "")
        case "forfeit":
            return KNOCKED_OUT if call.reason == "knocked_out" else FORFEIT
        case "refused":
            words = REFUSALS.get(call.reason or "", "The game does not allow this at this moment.")
            return RuleText(name="Not counted", words=words)
        case kind:
            return CALLS.get(kind)
