"""Sequences and sets that never change, and yet grow without being copied."""

from collections.abc import Hashable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Generic, TypeVar, overload

T = TypeVar("T")
K = TypeVar("K", bound=Hashable)


class Growing(Sequence[T]):
    """A sequence that never changes: ``grown`` gives a longer one, which shares its items with this one.

    That takes constant time for each new item; only when this one was grown before it is copied first. Equal to a
    tuple of equal items. While one thread grows it, others may read.
    """

    __slots__ = ("_items", "_length")

    def __init__(self, items: Iterable[T] = ()) -> None:
        self._items = list(items)
        self._length = len(self._items)

    def grown(self, items: Iterable[T]) -> "Growing[T]":
        """This one with more items at its end."""
        is_newest = len(self._items) == self._length
        longer: Growing[T] = Growing()
        longer._items = self._items if is_newest else self._items[: self._length]
        longer._items.extend(items)
        longer._length = len(longer._items)
        return longer

    def first(self, length: int) -> "Growing[T]":
        """Its first items, as many as are asked for."""
        shorter: Growing[T] = Growing()
        shorter._items, shorter._length = self._items, min(length, self._length)
        return shorter

    def __len__(self) -> int:
        return self._length

    def __iter__(self) -> Iterator[T]:
        return islice(self._items, self._length)

    @overload
    def __getitem__(self, key: int) -> T: ...

    @overload
    def __getitem__(self, key: slice) -> tuple[T, ...]: ...

    def __getitem__(self, key: int | slice) -> T | tuple[T, ...]:
        if isinstance(key, slice):
            return tuple(self._items[place] for place in range(self._length)[key])
        return self._items[range(self._length)[key]]

    def __eq__(self, other: object) -> bool:
        return tuple(self) == tuple(other) if isinstance(other, Growing | tuple) else NotImplemented

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return f"Growing({list(self)!r})"


class GrowingSet(Generic[K]):
    """A set that never changes, and grows as ``Growing`` does."""

    __slots__ = ("_length", "_places")

    def __init__(self) -> None:
        self._places: dict[K, int] = {}
        self._length = 0

    def grown(self, key: K) -> "GrowingSet[K]":
        """This one with one more key."""
        if key in self:
            return self
        is_newest = len(self._places) == self._length
        larger: GrowingSet[K] = GrowingSet()
        larger._places = self._places if is_newest else dict(islice(self._places.items(), self._length))
        larger._places[key] = self._length
        larger._length = self._length + 1
        return larger

    def __contains__(self, key: K) -> bool:
        return self._places.get(key, self._length) < self._length
