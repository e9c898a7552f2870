"""How strong players are, by whom they beat: the rating of Weng and Lin for matches of several, as OpenSkill has it.

R. C. Weng, C.-J. Lin: A Bayesian Approximation Method for Online Ranking. JMLR 12 (2011), 267-300; its Plackett-Luce
model. Every match tells a little; who won is all that counts, as points mean something else in every game.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from openskill.models import PlackettLuce

from referee.stats.ends import End


@dataclass(frozen=True, slots=True, kw_only=True)
class Rating:
    """``mean``: what the strength is believed to be (25 at first); ``spread``: its standard deviation.

    ``matches``: those that it rests on.
    """

    mean: float
    spread: float
    matches: int

    @property
    def sure(self) -> float:
        """The strength that a player almost surely has, by which players are compared: 0 at first."""
        return self.mean - 3 * self.spread


def ratings_of(ends: Iterable[End]) -> Mapping[str, Rating]:
    """Everybody's rating after these matches, oldest first; only matches of two or more tell anything."""
    model = PlackettLuce()
    ratings: dict[str, Rating] = {}
    for end in ends:
        if len(end.players) < 2:
            continue
        before = [ratings.get(name, Rating(mean=model.mu, spread=model.sigma, matches=0)) for name in end.players]
        teams = [[model.create_rating([rating.mean, rating.spread])] for rating in before]
        ranks = [1.0 if name in end.winners else 2.0 for name in end.players]
        after = model.rate(teams, ranks=ranks)
        for name, old, (new,) in zip(end.players, before, after, strict=True):
            ratings[name] = Rating(mean=new.mu, spread=new.sigma, matches=old.matches + 1)
    return ratings
