"""The log file: read, grown line by line, and what a crash leaves."""

import json
import os
import threading
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calibration.errors import BadLayout, CantSave
from calibration.layout import layout_to_json, load_layout
from referee import log as log_module
from referee.errors import BadHeader, BadLog
from referee.events import BadEvent, Header, LayoutObject, Note, OtherEvent, header_to_json
from referee.log import Addition, LogWriter, layout_of, read_log, read_on, write_log

HEADER = Header(game="bounce-em-all", layout="grid-7x7")
FIRST = json.dumps(header_to_json(HEADER)).encode()
A_NOTE = b'{"type":"note","text":"a"}'
NOTE = Note(text="a")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "match.jsonl"


def test_lines_are_counted_without_blank_ones(path: Path) -> None:
    path.write_bytes(b"\n" + FIRST + b"\r\n  \n\n" + A_NOTE + b"\n\t\n5\n")
    log = read_log(path)
    assert log.header == HEADER
    assert log.events[0] == NOTE
    assert isinstance(log.events[1], BadEvent)
    assert (len(log.events), log.warnings) == (2, ())


def test_a_line_is_ended_by_nothing_but_a_line_feed(path: Path) -> None:
    text = "above\u2028below\x85\x0b"
    path.write_bytes(FIRST + b"\n")
    with LogWriter(path) as log:
        log.append(Note(text=text))
    assert read_log(path).events == (Note(text=text),)


def test_a_byte_order_mark_does_no_harm(path: Path) -> None:
    path.write_bytes(b"\xef\xbb\xbf" + FIRST)
    assert read_log(path).header == HEADER


def test_a_last_line_without_its_newline_is_read_when_it_is_whole(path: Path) -> None:
    path.write_bytes(FIRST + b"\n" + A_NOTE)
    assert read_log(path).events == (NOTE,)
    assert read_log(path).warnings == ()


@pytest.mark.parametrize("torn", [A_NOTE[:-1], A_NOTE[:1], b'{"type":"note","text":"\xc3', b"\0\0\0"])
def test_a_torn_last_line_is_left_out_with_a_warning(path: Path, torn: bytes) -> None:
    path.write_bytes(FIRST + b"\n\n" + A_NOTE + b"\n" + torn)
    log = read_log(path)
    assert log.events == (NOTE,)
    assert len(log.warnings) == 1
    assert "line 4" in log.warnings[0]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (b"{", "no JSON"),
        (b'{"type":"note"} 5', "no JSON"),
        (b"\xff", "no UTF-8"),
        (b"[" * 100_000 + b"]" * 100_000, "nested too deeply"),
        (b'{"type":"ruling","event":0,"replace":' * 900 + b"null" + b"}" * 900, "nested too deeply"),
        (b'{"type":"x","a":' + b"[" * 100 + b"]" * 100 + b"}", "nested too deeply"),
        (b'{"type":"x","a":' + b'{"a":' * 100 + b"0" + b"}" * 100 + b"}", "nested too deeply"),
        (b'{"type":"note","text":"a\0b"}', "no JSON"),
        (b"\0" * 4096, "no JSON"),
        (b'{"type":"note","text":"\xed\xa0\x80"}', "no UTF-8"),
        (b'{"type":"note","text":"' + b"a" * 4_000_000 + b'"}', "longer than 4 MB"),
    ],
    ids=range(11),
)
def test_a_line_that_is_no_json_is_named(path: Path, line: bytes, said: str) -> None:
    path.write_bytes(FIRST + b"\n\n" + line + b"\n" + A_NOTE + b"\n")
    with pytest.raises(BadLog, match=said) as raised:
        read_log(path)
    assert f"{path}, line 3" in str(raised.value)


@pytest.mark.parametrize(
    "line",
    [
        b'{"type":"x","a":' + b"[" * 99 + b"]" * 99 + b"}",
        b'{"type":"x","a":[' + b"[]," * 200 + b'"[[{{"]}',
        b'{"type":"x","text":"' + b"a" * 3_999_900 + b'"}',
    ],
    ids=range(3),
)
def test_a_long_or_nested_line_is_read(path: Path, line: bytes) -> None:
    path.write_bytes(FIRST + b"\n" + line + b"\n")
    (event,) = read_log(path).events
    assert isinstance(event, OtherEvent)
    assert json.loads(event.text) == json.loads(line)


@pytest.mark.parametrize("number", [b"9" * 5_000, b"-" + b"9" * 5_000, b"0.5" + b"9" * 5_000, b"1e999", b"NaN"])
def test_numbers_of_any_length_are_read(path: Path, number: bytes) -> None:
    path.write_bytes(FIRST + b'\n{"type":"tap","standing":' + number + b'}\n{"type":"x","a":' + number + b"}\n")
    unusable, unread = read_log(path).events
    assert isinstance(unusable, BadEvent)
    assert isinstance(unread, OtherEvent)


@pytest.mark.parametrize("text", ["\\u0000", "\\ud800", "\\udc00\\ud800"])
def test_texts_that_no_file_can_hold_are_read_and_written_as_escapes(path: Path, text: str) -> None:
    path.write_text(f'{FIRST.decode()}\n{{"type":"note","text":"{text}"}}\n')
    events = read_log(path).events
    assert events == (Note(text=json.loads(f'"{text}"')),)
    write_log(path, HEADER, events)
    assert read_log(path).events == events


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-32-le"])
def test_a_log_in_another_encoding_is_named(path: Path, encoding: str) -> None:
    path.write_text(f"{FIRST.decode()}\n{A_NOTE.decode()}\n", encoding=encoding)
    with pytest.raises(BadLog, match=r"line 1\): mend or delete the line"):
        read_log(path)


def test_a_log_that_never_ends_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log_module, "MOST_BYTES", 3_000_000)
    with pytest.raises(BadLog, match="larger than 3 MB"):
        read_log(Path("/dev/zero"))


def test_a_log_may_come_through_a_pipe(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=[FIRST + b"\n" + A_NOTE + b"\n"])
    writer.start()
    assert read_log(pipe).events == (NOTE,)
    writer.join()


@pytest.mark.parametrize("content", [b"", b"\n \n", FIRST[:-3]])
def test_a_log_without_a_line_is_empty(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    with pytest.raises(BadLog, match="empty"):
        read_log(path)


def test_the_first_line_has_to_be_a_header(path: Path) -> None:
    path.write_bytes(A_NOTE + b"\n" + FIRST + b"\n")
    with pytest.raises(BadHeader, match="line 1"):
        read_log(path)


def test_a_log_that_is_not_there_is_named(tmp_path: Path) -> None:
    for path in (tmp_path / "none.jsonl", tmp_path, tmp_path / "no\0name"):
        with pytest.raises(BadLog, match="can't be read"):
            read_log(path)


def test_a_whole_log_is_written_and_read_the_same(path: Path) -> None:
    events = (NOTE, OtherEvent(type="seen.hand", text='{"type": "seen.hand"}'), Note(text="Zoë \ud800 \n"))
    write_log(path, HEADER, events)
    log = read_log(path)
    assert (log.header, log.events) == (HEADER, events)
    assert "Zoë" in path.read_text(encoding="utf-8")
    assert [entry.name for entry in path.parent.iterdir()] == [path.name]


def test_writing_replaces_the_log_that_was_there(path: Path) -> None:
    write_log(path, HEADER, [NOTE])
    write_log(path, HEADER, [])
    assert read_log(path).events == ()


def test_a_log_that_can_not_be_written_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(CantSave):
        write_log(tmp_path / "none" / "match.jsonl", HEADER, [])
    (tmp_path / "match.jsonl").mkdir()
    with pytest.raises(CantSave):
        write_log(tmp_path / "match.jsonl", HEADER, [])
    assert [entry.name for entry in tmp_path.iterdir()] == ["match.jsonl"]


def test_every_appended_line_can_be_read_at_once(path: Path) -> None:
    write_log(path, HEADER, [])
    with LogWriter(path) as log:
        for count in range(1, 4):
            log.append(NOTE)
            assert read_log(path).events == (NOTE,) * count
    assert log.warnings == ()


def test_a_torn_last_line_is_cut_away_before_the_next_is_written(path: Path) -> None:
    path.write_bytes(FIRST + b"\n" + A_NOTE + b"\n" + A_NOTE[:9])
    with LogWriter(path) as log:
        assert len(log.warnings) == 1
        log.append(NOTE)
    assert path.read_bytes() == FIRST + b"\n" + A_NOTE + b"\n" + A_NOTE + b"\n"


def test_a_whole_last_line_gets_its_newline(path: Path) -> None:
    path.write_bytes(FIRST + b"\n" + A_NOTE)
    with LogWriter(path) as log:
        log.append(NOTE)
    assert path.read_bytes() == FIRST + b"\n" + A_NOTE + b"\n" + A_NOTE + b"\n"


def test_a_line_that_could_not_be_synced_is_taken_back(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_log(path, HEADER, [NOTE])
    before = path.read_bytes()

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    with LogWriter(path) as log:
        with monkeypatch.context() as patch:
            patch.setattr(os, "fsync", full)
            with pytest.raises(OSError, match="No space left"):
                log.append(NOTE)
        assert path.read_bytes() == before
        log.append(NOTE)
    assert read_log(path).events == (NOTE, NOTE)


def test_there_must_be_a_log_to_go_on_with(path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        LogWriter(path)


@settings(max_examples=200)
@given(cut=st.integers(min_value=1, max_value=400))
def test_a_log_cut_off_anywhere_loses_only_its_last_line(tmp_path_factory: pytest.TempPathFactory, cut: int) -> None:
    path = tmp_path_factory.mktemp("cut") / "match.jsonl"
    write_log(path, HEADER, [NOTE, NOTE, Note(text="Zoë")])
    whole, data = read_log(path).events, path.read_bytes()
    kept = data[: len(FIRST) + cut]
    path.write_bytes(kept)
    events = read_log(path).events
    assert events == whole[: len(events)]
    assert len(events) >= kept.count(b"\n") - 1


def test_layouts_that_a_header_may_name(tmp_path: Path) -> None:
    own = layout_to_json(load_layout("grid-6x6"))
    (tmp_path / "own.json").write_text(json.dumps(own), encoding="utf-8")
    assert layout_of(Header(layout="grid-7x7"), tmp_path) == load_layout("grid-7x7")
    assert layout_of(Header(layout="own.json"), tmp_path) == load_layout("grid-6x6")
    assert layout_of(Header(layout=str(tmp_path / "own.json")), Path("/")) == load_layout("grid-6x6")
    assert layout_of(Header(layout=LayoutObject(text=json.dumps(own))), tmp_path) == load_layout("grid-6x6")
    for none in (None, "none", "cards"):
        assert layout_of(Header(layout=none), tmp_path) is None
    with pytest.raises(BadLayout):
        layout_of(Header(layout="other.json"), tmp_path)
    with pytest.raises(BadLayout):
        layout_of(Header(layout=LayoutObject(text="[1]")), tmp_path)


def added(path: Path, text: bytes) -> None:
    with path.open("ab") as file:
        file.write(text)


def test_a_log_is_read_on_from_where_it_ended(path: Path) -> None:
    path.write_bytes(b"\n" + FIRST + b"\n\n" + A_NOTE + b"\n")
    end = read_log(path).end
    assert read_on(path, end) == Addition(events=(), end=end)
    added(path, b"\n" + A_NOTE + b"\n" + A_NOTE[:9])
    addition = read_on(path, end)
    assert addition is not None
    assert (addition.events, addition.end.events) == ((NOTE,), 2)
    added(path, A_NOTE[9:] + b"\n5\n")
    again = read_on(path, addition.end)
    assert again is not None
    assert again.events == read_log(path).events[2:]
    assert again.end == read_log(path).end


def test_a_line_that_can_not_be_read_on_is_named_as_in_the_whole_log(path: Path) -> None:
    path.write_bytes(b"\n" + FIRST + b"\n\n" + A_NOTE + b"\n")
    end = read_log(path).end
    added(path, A_NOTE + b"\n{\n")
    with pytest.raises(BadLog, match="line 6") as once:
        read_on(path, end)
    with pytest.raises(BadLog) as whole:
        read_log(path)
    assert str(once.value) == str(whole.value)
    path.unlink()
    with pytest.raises(BadLog, match="can't be read"):
        read_on(path, end)


@pytest.mark.parametrize("other", [b"", FIRST + b"\n", FIRST + b"\n" + A_NOTE.replace(b"a", b"b") + b"\n" + A_NOTE])
def test_another_log_is_not_read_on(path: Path, other: bytes) -> None:
    path.write_bytes(FIRST + b"\n" + A_NOTE + b"\n")
    end = read_log(path).end
    path.write_bytes(other)
    assert read_on(path, end) is None


@given(st.data())
def test_reading_on_gives_the_same_wherever_a_log_is_parted(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    path = tmp_path_factory.mktemp("parts") / "match.jsonl"
    write_log(path, HEADER, [NOTE, Note(text="Zoë" * 400), NOTE, Note(text="\n")])
    whole = path.read_bytes()
    cuts = sorted(data.draw(st.lists(st.integers(len(FIRST) + 1, len(whole)), max_size=5)))
    path.write_bytes(whole[: len(FIRST) + 1])
    end, events = read_log(path).end, list(read_log(path).events)
    for size in (*cuts, len(whole)):
        path.write_bytes(whole[:size])
        addition = read_on(path, end)
        assert addition is not None
        events += addition.events
        end = addition.end
    log = read_log(path)
    assert (tuple(events), end) == (log.events, log.end)
