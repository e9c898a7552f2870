"""The same for many recordings, on all processors at once."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


def in_processes(function: Callable[[Item], Result], items: Sequence[Item]) -> Iterator[Result]:
    """Results in the order of the items, each as soon as it and those before it are there."""
    # Decoders and OpenCV have threads of their own, which a fork would leave behind.
    with ProcessPoolExecutor(mp_context=get_context("spawn")) as executor:
        yield from executor.map(function, items)
