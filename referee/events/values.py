"""Values out of decoded JSON, each of the kind that is asked for, else Unusable; and objects to be encoded."""

import math
from collections.abc import Mapping
from typing import TypeVar

Object = Mapping[str, object]
Json = dict[str, object]
T = TypeVar("T")


class Unusable(ValueError):
    """A key of an event is missing or can't be used; the text says which and why."""


def as_whole(value: object) -> int | None:
    """A whole number, which may be written 1.0, or None; true and false are no numbers."""
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    return int(value) if isinstance(value, float) and value.is_integer() else None


def object_of(value: object, what: str) -> Object:
    if not isinstance(value, dict):
        raise Unusable(f"{what} is no object")
    return value


def list_at(obj: Object, key: str) -> list[object]:
    value = obj.get(key)
    if not isinstance(value, list):
        raise Unusable(f"{key} is no list")
    return value


def text_of(value: object, what: str) -> str:
    if not isinstance(value, str):
        raise Unusable(f"{what} is no text")
    return value


def text_at(obj: Object, key: str) -> str:
    return text_of(obj.get(key), key)


def text_or_none(obj: Object, key: str) -> str | None:
    """A text, or None for anything else: for keys that nothing depends on."""
    value = obj.get(key)
    return value if isinstance(value, str) else None


def optional_text(obj: Object, key: str) -> str | None:
    """A text, or None where the key is missing or null."""
    return None if obj.get(key) is None else text_at(obj, key)


def texts_of(value: object, what: str) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise Unusable(f"{what} is no list")
    return tuple(text_of(one, what) for one in value)


def one_of(obj: Object, key: str, known: tuple[T, ...]) -> T:
    value = obj.get(key)
    for one in known:
        if one == value:
            return one
    raise Unusable(f"{key} is none of {', '.join(map(str, known))}")


def flag_at(obj: Object, key: str) -> bool:
    value = obj.get(key)
    if not isinstance(value, bool):
        raise Unusable(f"{key} is neither true nor false")
    return value


def flag_or_none(obj: Object, key: str) -> bool | None:
    value = obj.get(key)
    return value if isinstance(value, bool) else None


def whole_of(value: object, what: str) -> int:
    number = as_whole(value)
    if number is None:
        raise Unusable(f"{what} is no whole number")
    return number


def count_at(obj: Object, key: str) -> int:
    number = whole_of(obj.get(key), key)
    if number < 0:
        raise Unusable(f"{key} is less than nothing")
    return number


def number_of(value: object, what: str) -> float:
    if isinstance(value, float) and math.isfinite(value):
        return value
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 10**300:
        return float(value)
    raise Unusable(f"{what} is no finite number")


def number_or_none(obj: Object, key: str) -> float | None:
    try:
        return number_of(obj.get(key), key)
    except Unusable:
        return None


def point_of(value: object, what: str) -> tuple[float, float]:
    if not isinstance(value, list) or len(value) != 2:
        raise Unusable(f"{what} is no [x, y]")
    return (number_of(value[0], what), number_of(value[1], what))


def points_at(obj: Object, key: str) -> tuple[tuple[float, float], ...]:
    return tuple(point_of(value, key) for value in list_at(obj, key))


def given(**keys: object) -> Json:
    """The keys that have a value, None being none."""
    return {key: value for key, value in keys.items() if value is not None}
