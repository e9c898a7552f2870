"""Memory that is freed is there for the next picture."""

import platform
from resource import RUSAGE_SELF, getrusage

import numpy as np
import pytest

from referee.memory import keep_freed_memory


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="other libraries have ways of their own")
def test_planes_are_taken_from_memory_that_was_freed() -> None:
    keep_freed_memory()
    np.ones(4 << 20, dtype=np.uint8)
    before = getrusage(RUSAGE_SELF).ru_minflt
    for _ in range(20):
        np.ones(4 << 20, dtype=np.uint8)
    assert getrusage(RUSAGE_SELF).ru_minflt - before < 100
