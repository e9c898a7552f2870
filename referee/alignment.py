"""Pairing of two ordered lists: what was seen with what happened."""

from collections.abc import Callable


def align(rows: int, columns: int, weight: Callable[[int, int], float | None]) -> list[tuple[int, int]]:
    """Pairs (row, column) of two ordered lists, keeping their order, with the greatest sum of weights.

    ``weight`` is None where the two can never be a pair. Dynamic programming over what is left from (row, column) on.
    """
    best = [[0.0] * (columns + 1) for _ in range(rows + 1)]
    paired = [[False] * columns for _ in range(rows)]
    for i in reversed(range(rows)):
        for j in reversed(range(columns)):
            best[i][j] = max(best[i + 1][j], best[i][j + 1])
            own = weight(i, j)
            if own is not None and own + best[i + 1][j + 1] > best[i][j]:
                best[i][j], paired[i][j] = own + best[i + 1][j + 1], True
    pairs, i, j = [], 0, 0
    while i < rows and j < columns:
        if paired[i][j]:
            pairs.append((i, j))
            i, j = i + 1, j + 1
        elif best[i + 1][j] >= best[i][j + 1]:
            i += 1
        else:
            j += 1
    return pairs
