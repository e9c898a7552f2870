"""How far a long command has come, on a terminal; nothing where nobody watches."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from tqdm import tqdm

FORMAT = "{desc} {percentage:3.0f} % |{bar:30}| {remaining} left"


@contextmanager
def progress_bar(label: str) -> Iterator[Callable[[float], None]]:
    """A bar on standard error while the block runs; the block calls what it is given with the share done, 0 to 1."""
    with tqdm(total=1.0, desc=label, disable=None, leave=False, bar_format=FORMAT, file=sys.stderr) as bar:

        def advance(done: float) -> None:
            bar.update(min(done, 1.0) - bar.n)

        yield advance
