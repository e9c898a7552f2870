"""``referee export`` and ``referee import`` as people type them; the results as spreadsheets read them."""

import csv
import io
import json
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.catalogue import Catalogue
from referee.recording import Origin
from referee.results import COLUMNS, guarded, results_csv, unguarded
from referee.survey import Entry, Mark, Result
from tests.archive.matches import ANN_AND_BOB, drop, header, play, whole_match
from tests.ending import Referee
from tests.live.scene import even_times, table, throw, write_recording

MARK = Mark(log_bytes=1, log_changed_ns=2, clips_changed_ns=3)


def entry(*results: Result, phase: str = "finished") -> Entry:
    return Entry(
        match_id="20260314-201502-9f3a",
        mark=MARK,
        game="hit-66",
        phase="finished" if phase == "finished" else "playing",
        results=results,
    )


def read_csv(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text, newline="")))


def test_a_match_goes_to_another_store(referee: Referee, catalogue: Catalogue, tmp_path: Path) -> None:
    folder = play(catalogue.store, whole_match())
    ending = referee("export", folder.id, "-o", "final.zip")
    assert (ending.status, ending.complaints) == (0, [])
    assert ending.output.startswith(f"final.zip: match {folder.id}, 0 replays, ")
    again = referee("import", "final.zip")
    assert (again.status, again.output, len(again.complaints)) == (2, "", 1)
    assert "stored already" in again.complaints[0]
    folder.path.rename(tmp_path / "moved away")
    taken = referee("import", "final.zip")
    assert (taken.status, taken.complaints) == (0, [])
    assert taken.output == f"final.zip: match {folder.id} is stored, 12 events\n"
    assert folder.log_path.read_bytes() == (tmp_path / "moved away" / "events.jsonl").read_bytes()


def test_what_is_odd_about_a_match_is_said(referee: Referee, catalogue: Catalogue, tmp_path: Path) -> None:
    drop(tmp_path / "data", "20260101-120000-abcd", whole_match())
    referee("export", "latest", "-o", "bare.zip")
    (tmp_path / "data").rename(tmp_path / "moved away")
    ending = referee("import", "bare.zip")
    assert (ending.status, len(ending.complaints)) == (0, 1)
    assert ending.complaints[0].startswith("referee: warning: there is no table file")


def test_one_that_can_not_be_taken_does_not_keep_the_others_out(
    referee: Referee, catalogue: Catalogue, tmp_path: Path
) -> None:
    folder = play(catalogue.store)
    referee("export", "latest", "-o", "good.zip")
    folder.path.rename(tmp_path / "moved away")
    Path("bad.zip").write_text("no archive")
    ending = referee("import", "bad.zip", "none.zip", "good.zip")
    assert ending.status == 2
    assert [line.partition("(")[2].partition(")")[0] for line in ending.complaints] == ["bad.zip", "none.zip"]
    assert catalogue.store.ids() == (folder.id,)


def test_matches_are_named_by_their_beginnings(referee: Referee, tmp_path: Path) -> None:
    for number in (1, 2):
        drop(tmp_path / "data", f"2026010{number}-120000-abcd")
    assert referee("export", "20260101").status == 0
    assert referee("export", "latest").status == 0
    assert sorted(path.name for path in Path.cwd().iterdir()) == [
        "20260101-120000-abcd.zip",
        "20260102-120000-abcd.zip",
    ]
    for name, said in (("2026", "several matches begin with '2026'"), ("2027", "there is no match '2027'")):
        ending = referee("export", name)
        assert (ending.status, ending.output, len(ending.complaints)) == (2, "", 1)
        assert said in ending.complaints[0]


def test_nothing_is_written_over(referee: Referee, catalogue: Catalogue) -> None:
    play(catalogue.store)
    Path("mine.zip").write_text("mine")
    ending = referee("export", "latest", "-o", "mine.zip")
    assert (ending.status, ending.output) == (2, "")
    assert "there is a file of that name (mine.zip)" in ending.complaints[0]
    assert Path("mine.zip").read_text() == "mine"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "there is no match to export"),
        (["latest"], "no matches are stored"),
        (["latest", "--results"], "--results is about all matches"),
        (["--results", "--with-replays"], "--results is about all matches"),
        (["--results", "-o", "no/such/place.csv"], "no such directory"),
    ],
)
def test_what_can_not_be_exported(referee: Referee, words: list[str], said: str) -> None:
    ending = referee("export", *words)
    assert (ending.status, ending.output, len(ending.complaints)) == (2, "", 1)
    assert said in ending.complaints[0]


def test_replays_are_cut_before_they_go(referee: Referee, catalogue: Catalogue, tmp_path: Path) -> None:
    film = write_recording(tmp_path / "game.mp4", even_times(90))
    with catalogue.store.create(ANN_AND_BOB, table(), Origin.of(str(film))) as match:
        match.append(throw("red", "D6", 1.0))
        match.append(throw("blue", "A1", 2.0))
        folder = match.folder
    ending = referee("export", "latest", "--with-replays", "-o", "final.zip")
    assert (ending.status, ending.complaints) == (0, [])
    assert "2 replays" in ending.output
    folder.path.rename(tmp_path / "moved away")
    film.unlink()
    assert referee("import", "final.zip").status == 0
    assert len(list(folder.clips_path.glob("*.mp4"))) == 2


def test_replays_of_what_was_not_recorded_can_not_be_cut(referee: Referee, catalogue: Catalogue) -> None:
    play(catalogue.store, whole_match())
    ending = referee("export", "latest", "--with-replays")
    assert (ending.status, len(ending.complaints)) == (2, 1)
    assert "was not recorded here" in ending.complaints[0]
    assert list(Path.cwd().iterdir()) == []


def test_the_results_of_all_matches(referee: Referee, catalogue: Catalogue, tmp_path: Path) -> None:
    drop(tmp_path / "data", "20260101-120000-abcd", whole_match()[:1], header("Cem", "Dot"))
    broken = drop(tmp_path / "data", "20260102-120000-abcd")
    (broken / "events.jsonl").write_text("nothing\n")
    folder = play(catalogue.store, whole_match())
    ending = referee("export", "--results", "-o", "results.csv")
    assert ending.status == 0
    assert ending.output == "results.csv: 4 results of 3 matches\n"
    assert len(ending.complaints) == 1
    assert "20260102-120000-abcd is left out" in ending.complaints[0]
    rows = read_csv(Path("results.csv").read_bytes().decode())
    assert rows[0] == list(COLUMNS)
    assert [row[0] for row in rows[1:]] == ["20260101-120000-abcd"] * 2 + [folder.id] * 2
    cem = dict(zip(COLUMNS, rows[1], strict=True))
    assert cem == {
        "match": "20260101-120000-abcd",
        "begun": "2026-01-01T12:00:00Z",
        "game": "bounce-em-all",
        "phase": "playing",
        "player": "Cem",
        "seat": "south",
        "score": cem["score"],
        "won": "",
    }
    listed = json.loads(referee("store", "list", "--json").output)["matches"]
    assert {row[4]: int(row[6]) for row in rows[3:]} == listed[0]["scores"]
    assert sorted(row[7] for row in rows[3:]) == ["no", "yes"]


def test_results_are_printed_where_no_file_is_named(referee: Referee) -> None:
    ending = referee("export", "--results")
    assert (ending.status, ending.output.splitlines()) == (0, [",".join(COLUMNS)])


def test_lines_end_as_the_rfc_says() -> None:
    result = Result(player='Ann "the arm", jr', seat=None, score=-3, has_won=True)
    text = results_csv([entry(result)])
    assert text.endswith(
        '\r\n20260314-201502-9f3a,2026-03-14T20:15:02Z,hit-66,finished,"Ann ""the arm"", jr",,-3,yes\r\n'
    )
    assert text.count("\r\n") == text.count("\n") == 2


@pytest.mark.parametrize("name", ["=1+1", "+1", "-1", "@SUM(A1)", "  =1", "\N{FULLWIDTH EQUALS SIGN}1", "'=1"])
def test_no_name_is_a_formula(name: str) -> None:
    (_, row) = read_csv(results_csv([entry(Result(player=name, seat=None, score=1, has_won=False))]))
    assert row[4] == f"'{name}"


def test_a_match_whose_name_is_no_time_has_none() -> None:
    odd = Entry(match_id="99999999-999999-abcd", mark=MARK, results=(entry_result(),))
    assert read_csv(results_csv([odd]))[1][1] == ""
    assert entry().begun == datetime(2026, 3, 14, 20, 15, 2, tzinfo=UTC)


def entry_result() -> Result:
    return Result(player="Ann", seat="south", score=0, has_won=False)


names = st.text(
    st.characters(codec="utf-8").filter(lambda letter: letter.isprintable() or letter == "\u3000"), min_size=1
)


@given(st.lists(names, max_size=5, unique=True))
def test_every_name_comes_through_and_none_is_a_formula(players: list[str]) -> None:
    results = [Result(player=name, seat=None, score=10**30, has_won=False) for name in players]
    rows = read_csv(results_csv([entry(*results)]))
    assert [unguarded(row[4]) for row in rows[1:]] == players
    assert all(row[4].lstrip()[:1] not in tuple("=+-@") for row in rows[1:])
    assert all(int(row[6]) == 10**30 for row in rows[1:])


@given(st.text())
def test_what_is_guarded_can_be_told_from_what_is_not(text: str) -> None:
    assert unguarded(guarded(text)) == text
