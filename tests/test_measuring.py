"""The scripts that measure: what they write and how they spoil pictures."""

import numpy as np
import pytest

from hardware.frame import Frame
from tests.bench.accuracy import DOCUMENTS, replaced
from tests.bench.markdown import markdown_table
from tests.bench.worse import DEGRADATIONS


def frames(count: int) -> list[Frame]:
    """Pictures of a blue-grey wall, one every 20 ms."""
    y, u, v = (np.full(shape, level, np.uint8) for shape, level in (((48, 64), 116), ((24, 32), 148), ((24, 32), 118)))
    return [Frame(index=i, t_s=i / 50, y=y, u=u, v=v) for i in range(count)]


@pytest.mark.parametrize("part", ["calls", "stills", "degraded", "summary"])
def test_a_part_of_a_document_is_replaced_and_the_rest_stays(part: str) -> None:
    documents = [path.read_text(encoding="utf-8") for path in DOCUMENTS]
    (document,) = [text for text in documents if f"<!-- {part}:" in text]
    changed = replaced(document, part, "\\1 new")
    assert "\\1 new" in changed
    assert replaced(changed, part, "") == replaced(document, part, "")
    assert replaced(document, "other", "new") == document


def test_rows_become_a_markdown_table() -> None:
    assert markdown_table(("a", "b"), [("1", "2")]) == "| a | b |\n| --- | --- |\n| 1 | 2 |"


def test_spoilt_pictures_differ_as_their_names_say() -> None:
    spoilt = {each.name: list(each.change(frames(200))) for each in DEGRADATIONS}
    assert spoilt["half the light"][0].y[0, 0] == 66
    assert spoilt["half the light"][0].u[0, 0] == 138
    noise = np.stack([frame.y for frame in spoilt["noise"][:9]]).astype(float)
    assert noise.std() == pytest.approx(8, rel=0.1)
    assert (noise[0] != noise[1]).any()
    turned = complex(int(spoilt["hue +10°"][0].u[0, 0]) - 128, int(spoilt["hue +10°"][0].v[0, 0]) - 128)
    assert np.degrees(np.angle(turned / complex(20, -10))) == pytest.approx(10, abs=2)
    halved = spoilt["half the frame rate"]
    assert [(frame.index, frame.t_s) for frame in halved[:3]] == [(0, 0.0), (1, 0.04), (2, 0.08)]
    assert spoilt["half the size"][0].y.shape == (24, 32)
    thinned = spoilt["5 % of frames dropped"]
    assert 180 <= len(thinned) < 200
    assert [frame.index for frame in thinned] == list(range(len(thinned)))
