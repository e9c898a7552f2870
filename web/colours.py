"""Ball colours for people: a class for the stylesheet, and a mark of a few letters for those who can't tell colours."""

from collections.abc import Iterable

# The stylesheet has these; a ball of any other colour is drawn grey with its mark.
KNOWN = ("red", "blue", "green", "yellow", "orange", "white", "black", "purple", "pink", "brown")


def colour_class(colour: str | None) -> str:
    """The stylesheet's class of a colour ("red"; also of "orange-small")."""
    base = (colour or "").lower().split("-")[0]
    return f"c-{base}" if base in KNOWN else "c-other"


def marks_of(colours: Iterable[str]) -> dict[str, str]:
    """A short mark for each colour, no two alike: its initial, else more of its letters ("Bl" beside "B")."""
    marks: dict[str, str] = {}
    for colour in dict.fromkeys(colours):
        letters = "".join(part[:1].upper() for part in colour.split("-")) or "?"
        choices = [letters, *(colour[:size].capitalize() for size in range(2, len(colour) + 1))]
        taken = set(marks.values())
        marks[colour] = next((choice for choice in choices if choice not in taken), f"{letters}{len(marks)}")
    return marks
