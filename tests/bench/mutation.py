"""Would the tests notice a slip in a game's rules? A sample of small changes, each tried against the tests.

``python -m tests.bench.mutation --results FILE`` draws the sample that ``mutation.toml`` describes (cosmic-ray has to
be installed too) and writes each mutant's verdict into the file. Run again with the same file it only tries those that
survived or are missing. Needs a system that can fork.

A mutant is never written to disk. At first its code is put into a process that has already imported everything and
collected the tests, and those that play by lot are left out: that is quick. What this lets through, and what changes
more than the inside of a function, is then imported in place of its module, and meets all tests that concern it.
"""

import argparse
import gc
import importlib.abc
import importlib.machinery
import importlib.util
import inspect
import json
import os
import resource
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Literal

import hypothesis
import hypothesis.stateful
import pytest

from tests.bench.mutants import GAMES, Mutant, Plan, Scope, change, is_inside_function, mutated, sample, source_path

TESTS = GAMES.parents[1] / "tests" / "games"
Verdict = Literal["killed", "survived"]


class InPlace(importlib.abc.MetaPathFinder, importlib.abc.InspectLoader):
    """Imports one module from another text than the one on disk."""

    def __init__(self, name: str, source: str) -> None:
        self.name, self.source = name, source

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname != self.name:
            return None
        return importlib.util.spec_from_loader(fullname, self, is_package=fullname == "referee.games")

    def exec_module(self, module: ModuleType) -> None:
        if module.__name__ == "referee.games":
            module.__path__ = [str(GAMES)]
        super().exec_module(module)

    def get_source(self, fullname: str) -> str:
        return self.source

    def get_code(self, fullname: str) -> CodeType:
        return compile(self.source, f"{fullname} (mutant)", "exec")


class OnlyGames:
    """A pytest plugin: leaves out what is about games other than these, and for a first look what plays by lot."""

    def __init__(self, games: Sequence[str], *, is_first_look: bool) -> None:
        self.games, self.is_first_look = games, is_first_look

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = [item for item in items if self.concerns(item)]

    def concerns(self, item: pytest.Item) -> bool:
        if self.is_first_look and hypothesis.is_hypothesis_test(getattr(item, "obj", None)):
            return False
        case = item.name.partition("[")[2].rstrip("]")
        is_shared = item.path.name in ("test_conformance.py", "test_golden.py")
        return not case or not is_shared or case.startswith(tuple(self.games))


def limit(plan: Plan) -> None:
    """A mutant that runs in circles, or takes ever more memory, ends like one that fails."""
    resource.setrlimit(resource.RLIMIT_CPU, (plan.cpu_s, plan.cpu_s))
    resource.setrlimit(resource.RLIMIT_AS, (plan.memory_mb * 2**20,) * 2)


def be_silent() -> None:
    silence = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silence, 1)
    os.dup2(silence, 2)


def functions_of(code: CodeType) -> Iterator[CodeType]:
    """The functions and methods that a module (or class) defines, without those inside them."""
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            if inner.co_flags & inspect.CO_NEWLOCALS:
                yield inner
            else:
                yield from functions_of(inner)


def put_in_place(mutant: Mutant) -> None:
    """Give the functions of a module that is already imported the code of a mutant."""
    path = str(source_path(mutant.module))
    codes = {
        (code.co_qualname, code.co_firstlineno): code for code in functions_of(compile(mutated(mutant), path, "exec"))
    }
    for thing in gc.get_objects():
        if isinstance(thing, FunctionType) and thing.__code__.co_filename == path:
            code = codes.get((thing.__code__.co_qualname, thing.__code__.co_firstlineno))
            if code is not None:
                thing.__code__ = code


class FirstLook:
    """A pytest plugin: once everything is imported and collected, a fork runs the tests on each mutant."""

    def __init__(self, mutants: Sequence[Mutant], plan: Plan, processes: int) -> None:
        self.waiting: list[Mutant | None] = [*mutants, None]  # None: no change, which the tests have to let through
        self.plan, self.processes = plan, processes
        self.is_fork = False
        self.survivors: set[Mutant | None] = set(self.waiting)

    def pytest_runtestloop(self) -> bool | None:
        running: dict[int, Mutant | None] = {}
        while self.waiting or running:
            while self.waiting and len(running) < self.processes:
                mutant = self.waiting.pop()
                process = os.fork()
                if not process:
                    self.is_fork = True
                    limit(self.plan)
                    if mutant is not None:
                        put_in_place(mutant)
                    return None  # the tests are run as always
                running[process] = mutant
            process, status = os.wait()
            mutant = running.pop(process)
            if status:
                self.survivors.discard(mutant)
        return True


def run_tests(scope: Scope, *plugins: object) -> bool:
    """Run the tests of a module in this process, which is of no other use thereafter."""
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"  # Hypothesis is here already, and works without its plugin
    phases = (hypothesis.Phase.explicit, hypothesis.Phase.generate)
    hypothesis.settings.register_profile("mutation", phases=phases, derandomize=True, database=None)
    hypothesis.settings.load_profile("mutation")  # the one of conftest.py builds on it
    flags = ["-x", "-p", "no:cacheprovider", "-p", "no:faulthandler", "--tb=no"]
    return pytest.main([*flags, *(str(TESTS / name) for name in scope.tests)], list(plugins)) == 0


def first_look(mutants: Sequence[Mutant], scope: Scope, plan: Plan, processes: int) -> set[Mutant]:
    """Those mutants of one module, which change the inside of a function, that a first look lets through."""
    out, into = os.pipe()
    process = os.fork()
    if process:
        os.close(into)
        with open(out, "rb") as answer:
            survivors = answer.read().decode()
        os.waitpid(process, 0)
        if not survivors:
            sys.exit(f"the tests of {mutants[0].module} fail without any change: mend them first")
        return {Mutant(**record) for record in json.loads(survivors)}
    os.close(out)
    status = 1
    try:
        be_silent()
        look = FirstLook(mutants, plan, processes)
        status = 0 if run_tests(scope, OnlyGames(scope.games, is_first_look=True), look) else 1
        if not look.is_fork and None in look.survivors:
            os.write(into, json.dumps([asdict(mutant) for mutant in look.survivors if mutant is not None]).encode())
    finally:
        os._exit(status)


def start(mutant: Mutant, scope: Scope, plan: Plan) -> int:
    """Try a mutant against all that concerns it, in a process of its own; gives its number."""
    process = os.fork()
    if process:
        return process
    status = 1
    try:
        be_silent()
        package = "referee.games" if mutant.module == "__init__" else f"referee.games.{mutant.module}"
        sys.meta_path.insert(0, InPlace(package, mutated(mutant)))
        limit(plan)
        status = 0 if run_tests(scope, OnlyGames(scope.games, is_first_look=False)) else 1
    finally:
        os._exit(status)


def second_look(mutants: Sequence[Mutant], plan: Plan, processes: int) -> Iterator[tuple[Mutant, Verdict]]:
    """Try mutants, several at a time; each as soon as it is known."""
    scopes = dict(plan.scopes)
    waiting = list(mutants)
    running: dict[int, Mutant] = {}
    while waiting or running:
        while waiting and len(running) < processes:
            mutant = waiting.pop()
            running[start(mutant, scopes[mutant.module], plan)] = mutant
        process, status = os.wait()
        yield running.pop(process), "survived" if status == 0 else "killed"


def verdicts(mutants: Sequence[Mutant], plan: Plan, processes: int) -> Iterator[tuple[Mutant, Verdict]]:
    """Both looks, module by module."""
    for module, scope in plan.scopes:
        own = [mutant for mutant in mutants if mutant.module == module]
        inside = [mutant for mutant in own if is_inside_function(mutant)]
        let_through = first_look(inside, scope, plan, processes) if inside else set()
        killed = set(inside) - let_through
        yield from ((mutant, "killed") for mutant in own if mutant in killed)
        yield from second_look([mutant for mutant in own if mutant not in killed], plan, processes)


def table(found: dict[Mutant, Verdict], plan: Plan) -> str:
    rows = ["| module | mutants | killed |", "|---|---|---|"]
    for module, _ in plan.scopes:
        verdict = [verdict for mutant, verdict in found.items() if mutant.module == module]
        rows.append(f"| {module} | {len(verdict)} | {verdict.count('killed')} |")
    killed = list(found.values()).count("killed")
    rows.append(f"| **all** | **{len(found)}** | **{killed}** ({killed / max(1, len(found)):.1%}) |")
    return "\n".join(rows)


def read_results(path: Path) -> dict[Mutant, Verdict]:
    """What an earlier run found; the last verdict counts."""
    if not path.exists():
        return {}
    records = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    return {Mutant(**record["mutant"]): record["verdict"] for record in records}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--results", type=Path, required=True, help="what was found, one mutant a line; taken up again")
    parser.add_argument("--module", action="append", help="only this module of referee/games (may be repeated)")
    parser.add_argument("--processes", type=int, default=2)
    options = parser.parse_args()
    plan = Plan.read()
    drawn = [mutant for mutant in sample(plan) if not options.module or mutant.module in options.module]
    found = read_results(options.results)
    left = [mutant for mutant in drawn if found.get(mutant) != "killed"]
    with options.results.open("a", encoding="utf-8") as results:
        for count, (mutant, verdict) in enumerate(verdicts(left, plan, options.processes), 1):
            found[mutant] = verdict
            results.write(json.dumps({"mutant": asdict(mutant), "verdict": verdict}) + "\n")
            results.flush()
            print(f"{count}/{len(left)} {mutant.module}:{mutant.line} {mutant.operator} {verdict}", flush=True)
    known = {mutant: found[mutant] for mutant in drawn}
    for mutant, verdict in known.items():
        if verdict == "survived":
            print(f"\n{mutant.module}:{mutant.line} {mutant.operator}\n{change(mutant)}")
    print(f"\n{table(known, plan)}")


if __name__ == "__main__":
    main()
