"""Memory that is freed is there for the next picture, and what stays isn't searched for garbage."""

import gc
import platform
import weakref
from resource import RUSAGE_SELF, getrusage

import numpy as np
import pytest

from referee.memory import keep_freed_memory, let_the_program_be


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="other libraries have ways of their own")
def test_planes_are_taken_from_memory_that_was_freed() -> None:
    keep_freed_memory()
    np.ones(4 << 20, dtype=np.uint8)
    before = getrusage(RUSAGE_SELF).ru_minflt
    for _ in range(20):
        np.ones(4 << 20, dtype=np.uint8)
    assert getrusage(RUSAGE_SELF).ru_minflt - before < 100


class Cycle:
    def __init__(self) -> None:
        self.itself = self


def test_what_is_there_is_let_be_but_for_garbage() -> None:
    garbage, kept = weakref.ref(Cycle()), Cycle()
    let_the_program_be()
    assert garbage() is None
    assert gc.get_freeze_count() > 0
    assert not any(one is kept for one in gc.get_objects())
    # What was let be before is looked through again.
    of_kept = weakref.ref(kept)
    del kept
    let_the_program_be()
    assert of_kept() is None
