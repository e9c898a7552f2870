"""``referee store``: what it says of a store in order, and of one that isn't."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from referee.catalogue import Catalogue
from referee.checkup import Finding, check_store
from tests.archive.matches import drop, header, play, whole_match
from tests.ending import Referee
from tests.live.scene import throw


def findings(catalogue: Catalogue) -> tuple[Finding, ...]:
    return check_store(catalogue, lambda done: None).findings


def test_an_empty_store(referee: Referee, tmp_path: Path) -> None:
    assert referee("store", "list").output == f"no matches are stored in {tmp_path / 'data' / 'matches'}\n"
    assert json.loads(referee("store", "list", "--json").output) == {"matches": []}
    assert referee("store", "check").output == "0 matches looked at: all in order\n"
    assert referee("store", "rebuild").output == "the index knows 0 matches with 0 events now\n"


def test_a_store_is_a_directory(referee: Referee, tmp_path: Path) -> None:
    (tmp_path / "data").touch()
    for words in (["store", "list"], ["store", "check"], ["store", "rebuild"], ["serve", "--port", "0"]):
        ending = referee(*words)
        assert ending.status == 2
        assert "Not a directory: name another place with --data" in " ".join(ending.complaints)


def test_the_list_shows_who_played_what_newest_first(referee: Referee, catalogue: Catalogue, tmp_path: Path) -> None:
    drop(tmp_path / "data", "20260101-120000-abcd", whole_match()[:1], header("Cem", "Dot"))
    new = play(catalogue.store, whole_match())
    ending = referee("store", "list")
    assert (ending.status, ending.complaints) == (0, [])
    headings, first, second = ending.output.splitlines()
    assert headings.split() == ["match", "begun", "game", "state", "players"]
    assert first.startswith(new.id)
    assert "Bounce-Em-All" in first
    assert "finished" in first
    assert first.count("(won)") == 1
    assert second.startswith("20260101-120000-abcd  2026-01-01") or "2025-12-31" in second or "2026-01-02" in second
    assert second.endswith("playing   Cem 7, Dot 0") or "Cem" in second


def test_the_list_for_programs(referee: Referee, catalogue: Catalogue) -> None:
    folder = play(catalogue.store, whole_match())
    (match,) = json.loads(referee("store", "list", "--json").output)["matches"]
    assert match["match"] == folder.id
    assert match["begun"].endswith("+00:00")
    assert (match["game"], match["phase"], match["source"]) == ("bounce-em-all", "finished", "usb:0")
    assert (match["events"], match["clips"], match["warnings"], match["fault"]) == (12, 0, [], None)
    assert match["scores"].keys() == {"Ann", "Bob"}
    assert match["winners"] == [max(match["scores"], key=match["scores"].get)]


def test_names_can_not_play_tricks_on_the_terminal(referee: Referee, tmp_path: Path) -> None:
    drop(tmp_path / "data", "20260101-120000-abcd", (), header("Ann\u202e", "👩\u200d👧"))
    output = referee("store", "list").output
    assert "Ann\N{REPLACEMENT CHARACTER} 0" in output
    assert "👩\u200d👧 0" in output


def test_matches_without_score_are_listed_with_the_reason(referee: Referee, tmp_path: Path) -> None:
    folder = drop(tmp_path / "data", "20260101-120000-abcd")
    (folder / "events.jsonl").write_text("nothing\n")
    ending = referee("store", "list")
    assert ending.status == 0
    assert "can't be scored" in ending.output
    assert "line 1" in ending.output


def test_a_list_without_index_is_right_and_says_so(referee: Referee, catalogue: Catalogue) -> None:
    play(catalogue.store)
    catalogue.settle()
    catalogue.index.path.unlink()
    catalogue.index.path.mkdir()
    ending = referee("store", "list", "--json")
    assert len(json.loads(ending.output)["matches"]) == 1
    assert len(ending.complaints) == 1
    assert ending.complaints[0].startswith("referee: warning: the index can't be used now")
    rebuilding = referee("store", "rebuild")
    assert (rebuilding.status, rebuilding.output, len(rebuilding.complaints)) == (2, "", 1)


def test_rebuilding_says_what_it_found(referee: Referee, catalogue: Catalogue, tmp_path: Path) -> None:
    play(catalogue.store, whole_match())
    broken = drop(tmp_path / "data", "20260101-120000-abcd")
    (broken / "events.jsonl").write_text("nothing\n")
    ending = referee("store", "rebuild")
    assert ending.status == 0
    first, second = ending.output.splitlines()
    assert first == "the index knows 2 matches with 12 events now"
    assert second.startswith("20260101-120000-abcd can't be scored: ")
    said = json.loads(referee("store", "rebuild", "--json").output)
    assert said["matches"] == 2
    assert said["faults"].keys() == {"20260101-120000-abcd"}
    assert catalogue.index.entries().keys() == set(catalogue.store.ids())


def test_a_store_in_order_passes_the_check(referee: Referee, catalogue: Catalogue) -> None:
    play(catalogue.store, whole_match())
    ending = referee("store", "check")
    assert (ending.status, ending.output) == (0, "1 match looked at: all in order\n")


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("events.jsonl", b"nothing\n", "line 1"),
        ("events.jsonl", b"", "the log is empty"),
        ("table.json", b"{}", "the match can't be shown"),
        ("source.json", b"{}", "the match can't be shown"),
        ("clips/00000300-00001900.mp4", b"", "the clip 00000300-00001900.mp4 is empty"),
    ],
)
def test_what_is_unreadable_is_named(catalogue: Catalogue, name: str, content: bytes, said: str) -> None:
    play(catalogue.store)
    folder = play(catalogue.store)
    (folder.path / name).write_bytes(content)
    (finding,) = findings(catalogue)
    assert finding.name == folder.id
    assert said in finding.wrong
    assert ": " in finding.wrong, "no remedy"


def test_a_torn_log_is_named_but_not_while_it_is_written(catalogue: Catalogue) -> None:
    folder = play(catalogue.store)
    with folder.open() as match:
        with folder.log_path.open("ab") as log:
            log.write(b'{"type":"no')
        assert folder.is_open()
        assert findings(catalogue) == ()
        del match
    assert not folder.is_open()
    (finding,) = findings(catalogue)
    assert finding.name == folder.id
    assert "line 2, the last, was cut off" in finding.wrong
    with folder.open() as match:
        match.append(throw("red", "D6", 1.0))
    assert findings(catalogue) == ()


def test_what_lies_among_the_matches_is_named(referee: Referee, catalogue: Catalogue, tmp_path: Path) -> None:
    play(catalogue.store)
    matches = tmp_path / "data" / "matches"
    (matches / ".20260101-120000-abcd.0a1b").mkdir()
    (matches / "20260101-120000-abcd").write_text("")
    (matches / "Bob's match").mkdir()
    assert [(finding.name, finding.wrong.partition(":")[0]) for finding in findings(catalogue)] == [
        (".20260101-120000-abcd.0a1b", "a match that was never finished being stored"),
        ("20260101-120000-abcd", "this is no directory, so it is no match"),
        ("Bob's match", "this is no match's name, so it is passed over"),
    ]
    ending = referee("store", "check")
    assert ending.status == 1
    assert ending.output.splitlines()[-1] == "1 match looked at: 3 findings"
    said = json.loads(referee("store", "check", "--json").output)
    assert (said["matches"], len(said["findings"])) == (1, 3)


def test_a_broken_index_is_named_and_the_remedy_helps(referee: Referee, catalogue: Catalogue) -> None:
    play(catalogue.store)
    catalogue.settle()
    with closing(sqlite3.connect(catalogue.index.path)) as connection:
        connection.execute("DELETE FROM about")
        connection.commit()
    ending = referee("store", "check")
    assert ending.status == 1
    assert "referee store rebuild" in ending.output
    assert referee("store", "rebuild").status == 0
    assert referee("store", "check").status == 0


def test_a_lock_that_can_not_be_looked_at_hides_no_torn_log(catalogue: Catalogue) -> None:
    folder = play(catalogue.store)
    with folder.log_path.open("ab") as log:
        log.write(b'{"type":"no')
    (folder.path / "lock").unlink()
    assert len(findings(catalogue)) == 1
    (folder.path / "lock").mkdir()
    assert len(findings(catalogue)) == 1


def test_a_missing_index_is_no_fault(referee: Referee, tmp_path: Path, catalogue: Catalogue) -> None:
    drop(tmp_path / "data", "20260101-120000-abcd")
    wrong = [finding.wrong for finding in findings(catalogue)]
    assert all("table.json" in line or "source.json" in line for line in wrong)
    assert not catalogue.index.path.exists()


def test_an_unknown_action_is_one_line(referee: Referee) -> None:
    ending = referee("store", "delete")
    assert (ending.status, ending.output, len(ending.complaints)) == (2, "", 1)
    assert "rebuild" in ending.complaints[0]
