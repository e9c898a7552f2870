"""So many things, in words."""


def counted(number: int, one: str, several: str | None = None) -> str:
    """A number and its noun: "1 match", "3 matches". ``several``: where an s alone doesn't make it of ``one``."""
    return f"{number} {one if number == 1 else several or one + 's'}"
