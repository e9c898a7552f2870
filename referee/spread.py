"""Errors and shares in few numbers."""

import math
from collections.abc import Sequence
from statistics import median


def quantile(values: Sequence[float], part: float) -> float | None:
    """The smallest value that at least this share of the values does not exceed; None when there are none."""
    return sorted(values)[max(0, math.ceil(part * len(values)) - 1)] if values else None


def share(part: int, whole: int) -> float | None:
    """Rounded for JSON; None of nothing."""
    return round(part / whole, 4) if whole else None


def spread_json(values: Sequence[float]) -> dict[str, float | None]:
    """Median and 90 % quantile."""
    ends = {"median": median(values) if values else None, "p90": quantile(values, 0.9)}
    return {name: None if end is None else round(end, 3) for name, end in ends.items()}


def spread_text(values: Sequence[float]) -> str:
    """Median and, in brackets, 90 % quantile."""
    end = quantile(values, 0.9)
    return "-" if end is None else f"{median(values):.1f} ({end:.1f})"
