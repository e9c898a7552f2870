"""Processor time of the parts of a program, measured from outside: the parts don't know, and cost nothing else.

While a block runs, chosen functions are replaced, where their callers look them up, by ones that also note the time;
after it they are the old ones again. The price is that the functions are known here by name: who renames one is told
by the test that looks for a time of every stage. A hook within the watcher would be typed, but it would be there, and
in the reader's way, in every match that nobody measures.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import wraps
from typing import Any
from unittest.mock import patch


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """The function ``name`` of a module or class, whose time goes to a stage."""

    stage: str
    owner: object
    name: str


@dataclass(slots=True)
class Stopwatch:
    """Seconds of this thread's processor time by stage; what one stage calls of another counts for that one alone."""

    seconds: dict[str, float] = field(default_factory=dict)
    _inner: list[float] = field(default_factory=list)

    def timed(self, stage: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """The same function, timed."""
        self.seconds.setdefault(stage, 0.0)

        @wraps(function)
        def run(*arguments: Any, **named: Any) -> Any:
            self._inner.append(0.0)
            begin = time.thread_time()
            try:
                return function(*arguments, **named)
            finally:
                took = time.thread_time() - begin
                self.seconds[stage] += took - self._inner.pop()
                if self._inner:
                    self._inner[-1] += took

        return run


@contextmanager
def timing(parts: Sequence[Part]) -> Iterator[Stopwatch]:
    """Time some parts while the block runs."""
    watch = Stopwatch()
    with ExitStack() as stack:
        for part in parts:
            function = getattr(part.owner, part.name)
            stack.enter_context(patch.object(part.owner, part.name, watch.timed(part.stage, function)))
        yield watch
