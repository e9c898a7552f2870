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
    "no_such_ball": "There is no such ball to throw now: nobody has it, or it was thrown in this turn.",
    "out_of_turn": "Only whoever is in turn may do this, and with what is theirs. The players decide what follows.",
    "impossible": "This contradicts what lies, stands or was played. A ruling can mend what was missed.",
    "cannot_stand": "Nobody stands in the first turn: everybody throws two balls in it.",
    "blue_not_allowed": "The blue ball is for those whom nobody is behind, and as the house rules say.",
    "decide_first": "The player in turn has to say something first, before anything else counts.",
    "cannot_raise": "Raising is for right after a hit with balls left, while a higher chip lies in the tray.",
    "cannot_stop": "Stopping is for right after a hit with balls left.",
    "no_choice": "Chips are chosen after a strike only.",
    "no_point_card": "Before a card is played the point card of the trick has to lie open.",
    "bad_rack": "Pins stand inside the border, and no two of them touch.",
}

PENALTIES = {
    "no_pins": "The second tap of a turn that fells no pin costs a penalty chip.",
    "direct_touch": "Pins are felled by tapping the lane; one that is touched directly and falls costs a penalty chip.",
    "all_pins": "If no pin is left standing, that costs a penalty chip.",
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
    "stand": RuleText(
        name="Stand",
        words="In the last turn a player throws none to four further balls, and stands when content with the total.",
    ),
    "round": RuleText(name="Another round", words="All balls go back, and the next round begins."),
    "hit": RuleText(name="Hit", words="A hit bounces once on the table and comes to rest in the hole of the box."),
    "miss": RuleText(name="Miss", words="Only one bounce on the table and then the hole of the box is a hit."),
    "raise": RuleText(
        name="Raise",
        words="After a hit with balls left the chip may be changed for the next higher one, for another hit.",
    ),
    "take": RuleText(
        name="Taking the chip",
        words="Who stops after a hit, or hits with the last ball, takes the chip on the platform.",
    ),
    "nice_shot": RuleText(
        name="Nice shot",
        words="When as many pins are left standing as one of the player's chips says, that chip is turned.",
    ),
    "strike": RuleText(
        name="Strike",
        words="Exactly one pin left standing turns one strike chip, or two target chips.",
    ),
    "eliminated": RuleText(
        name="Out",
        words="Once the last penalty chip is taken, any further penalty puts its player out.",
    ),
    "rerack": RuleText(
        name="All pins again",
        words="After a strike, and when no pin or only one is left, the ten pins are set up again.",
    ),
    "trick": RuleText(
        name="Trick",
        words="The highest card of any suit takes the trick and its point card; of equal cards the later one.",
    ),
    "renege": RuleText(
        name="Renege",
        words="Who has the suit that was led has to follow it. The score stands until the players rule on it.",
    ),
    "win": RuleText(name="The end", words="The game is decided by the score as it stands."),
}

# What a call means in one game and in no other.
OF_GAME = {
    ("wonder-bowling", "miss"): RuleText(
        name="No pin felled", words="The first tap of a turn that fells no pin may be tried once more."
    ),
    ("bouncers", "score"): RuleText(
        name="The deal's score",
        words="Point cards cost their number; each bouncer cancels one of them, or costs 25 where none is left.",
    ),
    ("bouncers", "round"): RuleText(name="Another deal", words="The deal passes to the left."),
    ("bounce-em-straight", "row"): RuleText(
        name="Row",
        words="Who fills the fifth of five neighbouring holes in a line takes all balls of that row.",
    ),
    ("hit-66", "row"): RuleText(
        name="Row",
        words="A row counts the sum of its numbers, doubled under the thrower's own balls on their own colour.",
    ),
}

KNOCKED_OUT = RuleText(
    name="Knocked out",
    words="A ball that another ball knocks off the board is lost to its place; the throw itself may still be good.",
)
FORFEIT = RuleText(
    name="Forfeit",
    words="A ball that was thrown foul leaves the game's board: it is set aside, or goes to another player's stock.",
)


def rules_behind(game: str, calls: Sequence[Call]) -> tuple[RuleText, ...]:
    """The rules of a game that led to these calls, each once, in order."""
    texts = [text for call in calls if (text := _rule_behind(game, call)) is not None]
    return tuple(dict.fromkeys(texts))


def _rule_behind(game: str, call: Call) -> RuleText | None:
    match call.call:
        case "foul":
            return FOULS.get(call.reason or "")
        case "forfeit":
            return KNOCKED_OUT if call.reason == "knocked_out" else FORFEIT
        case "penalty":
            return RuleText(name="Penalty", words=PENALTIES.get(call.reason or "", "This costs a penalty chip."))
        case "refused":
            words = REFUSALS.get(call.reason or "", "The game does not allow this at this moment.")
            return RuleText(name="Not counted", words=words)
        case kind:
            return OF_GAME.get((game, kind)) or CALLS.get(kind)
