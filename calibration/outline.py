"""Inside or outside of an outline."""

import math


def room_mm(point: tuple[float, float], outline: tuple[tuple[float, float], ...]) -> float:
    """Distance from a point to the outline; negative outside of it."""
    x, y = point
    nearest_mm, is_inside = math.inf, False
    for (x0, y0), (x1, y1) in zip(outline, outline[1:] + outline[:1], strict=True):
        dx, dy = x1 - x0, y1 - y0
        length2 = dx * dx + dy * dy
        share = 0.0 if length2 == 0 else min(1.0, max(0.0, ((x - x0) * dx + (y - y0) * dy) / length2))
        nearest_mm = min(nearest_mm, math.hypot(x - x0 - share * dx, y - y0 - share * dy))
        if (y0 > y) != (y1 > y) and x < x0 + (y - y0) * dx / dy:
            is_inside = not is_inside
    return nearest_mm if is_inside else -nearest_mm
