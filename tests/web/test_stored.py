"""The pages over matches on the disk."""

from pathlib import Path

from flask.testing import FlaskClient

from referee.recording import Origin
from referee.store import Store
from referee.stored import StoredMatches
from tests.live.scene import even_times, table, write_recording
from tests.web.fake import FOUL, evening, header_of
from web import create_app


def pages(folder: Path) -> FlaskClient:
    """The pages as a fresh start of the program serves them."""
    return create_app(StoredMatches(Store(folder))).test_client()


def test_a_call_overruled_on_the_page_stays_overruled_after_a_restart(tmp_path: Path) -> None:
    recording = write_recording(tmp_path / "game.mp4", even_times(400))
    with Store(tmp_path).create(header_of("Ann", "Bob"), table(), Origin.of(str(recording))) as match:
        for event in evening():
            match.append(event)
        match_id = match.folder.id
    answer = pages(tmp_path).post(
        f"/match/{match_id}/call/{FOUL}/overrule",
        data={
            "verdict": "correct",
            "table_bounces": "1",
            "colour": "blue",
            "side": "north",
            "place": "hole",
            "hole": "E5",
            "by": "Cleo",
            "reason": "only once",
        },
        headers={"Origin": "http://localhost"},
    )
    assert answer.status_code == 303
    restarted = pages(tmp_path)
    assert restarted.get("/").headers["Location"] == f"/match/{match_id}"
    twin = restarted.get(f"/match/{match_id}.json").get_json()
    assert twin["score"]["scores"] == {"Ann": 24, "Bob": 7}
    assert twin["calls"][1]["overruled"]["reason"] == "only once"
    clip = restarted.get(f"/match/{match_id}/call/{FOUL}/clip.mp4", headers={"Range": "bytes=0-11"}, buffered=True)
    clip.close()
    assert (clip.status_code, clip.data[4:8]) == (206, b"ftyp")


def test_a_ruling_that_the_match_refuses_is_explained_on_the_form(tmp_path: Path) -> None:
    with Store(tmp_path).create(header_of("Ann", "Bob"), table(), Origin(name="camera", recording=None)) as match:
        for event in evening():
            match.append(event)
        match_id = match.folder.id
        form = {"verdict": "strike", "by": "Cleo", "reason": "no throw"}
        address = f"/match/{match_id}/call/{FOUL}/overrule"
        answer = pages(tmp_path).post(address, data=form, headers={"Origin": "http://localhost"})
    assert answer.status_code == 409
    assert "Nothing was changed: the ruling was not saved" in answer.text
