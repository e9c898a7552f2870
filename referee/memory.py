"""Memory that one picture leaves is kept for the next, and none is searched between them that stays anyway."""

import gc

import numpy as np

KEPT_BYTES = 31 << 20
"""More than any plane of a picture takes, and less than the most that the C library keeps."""


def keep_freed_memory() -> None:
    """Have the C library keep what is freed, for what is asked for next.

    GNU's gives large blocks back to the system, to get the next ones anew, page by page: for a picture's planes that
    costs as much as the arithmetic. Large is what no freed block has been yet (mallopt(3), M_MMAP_THRESHOLD), so one is
    taken and freed; as nothing is written to it, it takes no memory. Other libraries don't mind.
    """
    np.empty(KEPT_BYTES, dtype=np.uint8)


def let_the_program_be() -> None:
    """Have Python search for garbage only among what is made from now on.

    What the program is made of stays to its end. To look through it, now and then, takes as long as twenty pictures.
    What is garbage by now is given back first.
    """
    gc.unfreeze()
    gc.collect()
    gc.freeze()
