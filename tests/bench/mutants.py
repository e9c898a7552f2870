"""The mutants of a mutation run: small changes of the games, made by cosmic-ray's operators, and a sample of them."""

import ast
import difflib
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Self

from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.plugins import get_operator, operator_names

HERE = Path(__file__).parent
GAMES = HERE.parents[1] / "referee" / "games"
SAME = ({"Eq", "Is"}, {"NotEq", "IsNot"})
"""Swaps that make no difference to None, small whole numbers and the names of this program."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mutant:
    """A change of a module: what a cosmic-ray operator does where it fits for the ``occurrence``-th time."""

    module: str
    line: int
    column: int
    operator: str
    occurrence: int

    @property
    def place(self) -> tuple[int, int, str]:
        return self.line, self.column, self.operator.partition("_")[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """What concerns a module: games by name, and test files."""

    games: tuple[str, ...]
    tests: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What ``mutation.toml`` says."""

    seed: int
    mutants: int
    fewest: int
    cpu_s: int
    memory_mb: int
    scopes: tuple[tuple[str, Scope], ...]

    @classmethod
    def read(cls) -> Self:
        values = tomllib.loads((HERE / "mutation.toml").read_text(encoding="utf-8"))
        modules = values.pop("modules")
        scopes = ((name, Scope(**{key: tuple(texts) for key, texts in modules[name].items()})) for name in modules)
        return cls(**values, scopes=tuple(scopes))


def source_path(module: str) -> Path:
    return GAMES / f"{module}.py"


def source_of(module: str) -> str:
    return source_path(module).read_text(encoding="utf-8")


def left_out(source: str) -> Iterator[ast.AST]:
    """What is no rule of a game: annotations, decorators, ``strict=`` of zip."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.AnnAssign():
                yield node.annotation
            case ast.arg(annotation=ast.AST() as annotation):
                yield annotation
            case ast.keyword(arg="strict"):
                yield node
            case ast.ClassDef():
                yield from node.decorator_list
            case ast.FunctionDef():
                yield from node.decorator_list
                if node.returns is not None:
                    yield node.returns
            case _:
                pass


def mutants_of(module: str) -> Iterator[Mutant]:
    """All mutants of a module that count."""
    source = source_of(module)
    spans = [
        ((node.lineno, node.col_offset), (node.end_lineno, node.end_col_offset))
        for node in left_out(source)
        if isinstance(node, ast.expr | ast.keyword)
    ]
    tree = get_ast(source)
    for name in sorted(operator_names()):
        operator = get_operator(name)
        short = name.partition("/")[2]
        if operator.arguments() or short in ("RemoveDecorator", "NoOp") or set(short.split("_")[1:]) in SAME:
            continue
        positions = (at for node in ast_nodes(tree) for at in operator().mutation_positions(node))
        for occurrence, (begin, _) in enumerate(positions):
            if not any(first <= begin < last for first, last in spans):
                yield Mutant(module=module, line=begin[0], column=begin[1], operator=short, occurrence=occurrence)


def mutated(mutant: Mutant) -> str:
    operator = get_operator(f"core/{mutant.operator}")()
    return str(mutate_code(source_of(mutant.module), operator, mutant.occurrence))


def is_program(source: str) -> bool:
    try:
        compile(source, "mutant", "exec")
    except SyntaxError:
        return False
    return True


def sample(plan: Plan) -> list[Mutant]:
    """Places by lot, and of what can be done at a place one thing: else arithmetic, for which there are eleven
    replacements, would be most of the sample. Each module has lots of its own."""
    places: dict[str, dict[tuple[int, int, str], list[Mutant]]] = {}
    for module, _ in plan.scopes:
        places[module] = defaultdict(list)
        for mutant in mutants_of(module):
            places[module][mutant.place].append(mutant)
    whole = sum(map(len, places.values()))
    drawn: list[Mutant] = []
    for module, found in places.items():
        dice = Random(f"{plan.seed} {module}")
        wanted = max(plan.fewest, round(plan.mutants * len(found) / whole))
        for place in dice.sample(sorted(found), len(found)):
            mutant = dice.choice(found[place])
            if wanted and is_program(mutated(mutant)):
                drawn.append(mutant)
                wanted -= 1
    Random(plan.seed).shuffle(drawn)
    return drawn


def change(mutant: Mutant) -> str:
    """The lines that a mutant changes, before and after."""
    lines = difflib.unified_diff(source_of(mutant.module).splitlines(), mutated(mutant).splitlines(), n=0, lineterm="")
    return "\n".join(line for line in lines if not line.startswith(("---", "+++", "@@")))


def is_inside_function(mutant: Mutant) -> bool:
    """Whether all that a mutant changes is what a function does when it is called."""
    for node in ast.walk(ast.parse(source_of(mutant.module))):
        if isinstance(node, ast.FunctionDef):
            last = node.body[-1]
            if (node.body[0].lineno, node.body[0].col_offset) <= (mutant.line, mutant.column) and mutant.line <= (
                last.end_lineno or 0
            ):
                return True
    return False
