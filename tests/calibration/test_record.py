"""Numbers in files that no computer can hold are named like any other fault."""

from pathlib import Path

import pytest

from calibration.errors import BadTable
from calibration.record import Record, read_json


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("1" * 5000, "too deep or too long"),
        ('{"a":' + "9" * 400 + "}", "a must be a number"),
        ('{"a":1e999}', "a must be a number"),
        ('{"a":true}', "a must be a number"),
        ("[" * 100_000, "too deep or too long"),
    ],
)
def test_a_number_that_can_not_be(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "t.json").write_text(text)
    with pytest.raises(BadTable, match=said):
        Record.of(read_json(tmp_path / "t.json", BadTable, "make it"), "t.json", BadTable).number("a")
