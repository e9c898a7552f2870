"""What never changes and yet grows."""

import threading

import pytest

from referee.match.growing import Growing, GrowingSet


def test_what_grew_has_more_and_what_it_grew_from_has_not() -> None:
    first = Growing("ab")
    second = first.grown("c")
    third = second.grown(["d", "e"])
    assert (list(first), list(second), list(third)) == (["a", "b"], ["a", "b", "c"], ["a", "b", "c", "d", "e"])
    assert (len(first), len(second), len(third)) == (2, 3, 5)


def test_one_may_grow_in_several_ways() -> None:
    root = Growing([1])
    left, right = root.grown([2]), root.grown([3])
    assert list(map(list, (left, right, root))) == [[1, 2], [1, 3], [1]]
    assert left.grown([4]) == (1, 2, 4)
    assert right.grown([5]) == (1, 3, 5)


def test_the_first_items_grow_by_themselves() -> None:
    whole = Growing("abc")
    begun = whole.first(1)
    assert list(map("".join, (begun, whole.first(0), whole.first(9)))) == ["a", "", "abc"]
    assert list(map("".join, (begun.grown("x"), whole))) == ["ax", "abc"]


def test_items_are_found_as_in_a_tuple() -> None:
    plain = tuple(range(10))
    begun = Growing(range(8))
    items = begun.grown([8, 9])
    for place in range(-10, 10):
        assert items[place] == plain[place]
    for part in (slice(None), slice(2, 5), slice(-3, None), slice(None, None, -2), slice(5, 99), slice(4, 2)):
        assert items[part] == plain[part]
        assert begun[part] == plain[:8][part]
    for beyond in (8, -9):
        with pytest.raises(IndexError):
            begun[beyond]
    assert list(reversed(begun)) == list(reversed(plain[:8]))
    assert (8 in begun, 8 in items) == (False, True)


def test_it_equals_a_tuple_of_equal_items() -> None:
    items = Growing([1]).grown([2])
    assert items == (1, 2)
    assert items == (1, 2)
    assert items == Growing([1, 2])
    assert items != (1, 3)
    assert items != [1, 2]
    assert {items: "found"}[Growing([1, 2])] == "found"
    assert hash(items) == hash((1, 2))
    assert repr(items) == "Growing([1, 2])"


def test_growing_does_not_copy_until_it_must() -> None:
    root: Growing[int] = Growing()
    newest = root
    for number in range(1_000):
        newest = newest.grown([number])
    assert newest._items is root._items
    assert root.grown([7])._items is not root._items


def test_others_may_read_while_it_grows() -> None:
    start = Growing(range(100))
    wrong: list[int] = []

    def read() -> None:
        for _ in range(300):
            if sum(start) != 4950 or len(start[:]) != 100:
                wrong.append(1)

    readers = [threading.Thread(target=read) for _ in range(3)]
    for reader in readers:
        reader.start()
    newest = start
    for number in range(20_000):
        newest = newest.grown([number])
    for reader in readers:
        reader.join()
    assert not wrong
    assert len(newest) == 20_100


def test_a_set_grows_in_several_ways() -> None:
    root: GrowingSet[str] = GrowingSet()
    one = root.grown("a")
    two, other = one.grown("b"), one.grown("c")
    assert [name in two for name in "abc"] == [True, True, False]
    assert [name in other for name in "abc"] == [True, False, True]
    assert [name in one for name in "abc"] == [True, False, False]
    assert "a" not in root
    assert "c" in two.grown("c")
    assert "b" in one.grown("b")
    assert one.grown("a") is one
