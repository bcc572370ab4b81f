"""The database of a run file: whatever is not just its tables is refused, by every command, before anything is read."""

import contextlib
import os
import sqlite3
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import pcsos
from pcsos.base.exceptions import FormatError, PcsosError, RunFileError
from pcsos.cli import main
from pcsos.verify.reading.database import open_to_read
from tests.announcements import COMMANDS
from tests.conformance import texts
from tests.slow import slow_where
from tests.verify.certificates import edit, hand_made

ENDLESS = (
    "CREATE VIEW {table} AS WITH RECURSIVE r(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM r) "
    "SELECT hidden.* FROM hidden, r"
)


def endless_view(table: str) -> Callable[[Path], None]:
    """Put an endless view in the place of a table."""

    def write(path: Path) -> None:
        edit(path, (f"ALTER TABLE {table} RENAME TO hidden", ()), (ENDLESS.format(table=table), ()))

    return write


def trigger(path: Path) -> None:
    edit(path, ("CREATE TRIGGER more AFTER INSERT ON events BEGIN DELETE FROM evidence; END", ()))


def virtual_table(path: Path) -> None:
    edit(path, ("DROP TABLE incumbents", ()), ("CREATE VIRTUAL TABLE incumbents USING fts5(labels)", ()))


def index(path: Path) -> None:
    edit(path, ("CREATE INDEX more ON evidence(abs(bound))", ()))


STRANGE = {
    "an endless instance": endless_view("instance"),
    "endless events": endless_view("events"),
    "a trigger": trigger,
    "a virtual table": virtual_table,
    "an index": index,
}


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("strange", STRANGE)
def test_more_than_plain_tables_is_refused_by_every_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], strange: str, command: str
) -> None:
    path = hand_made(tmp_path / "strange.run")
    STRANGE[strange](path)
    before = path.read_bytes()
    begun = time.process_time()
    status = main(COMMANDS[command](path))
    assert status == (5 if command == "verify" else 2)
    assert time.process_time() - begun < 10.0
    said = capsys.readouterr().err
    assert "tables of a run file and nothing else" in said
    assert path.read_bytes() == before


FORM = {
    own.name: own for own in texts.expected() if own.kind in ("database", "classes", "instance", "JSON", "conditions")
}
REFUSED = [name for name, own in FORM.items() if own.answer == "refused"]


@pytest.mark.parametrize("name", slow_where(lambda name: REFUSED.index(name) % 5 > 0, REFUSED))
def test_what_the_checker_refuses_for_its_form_is_no_run_to_go_on_with(tmp_path: Path, name: str) -> None:
    with pytest.raises(PcsosError):
        pcsos.resume(texts.write_file(tmp_path / "some.run", FORM[name]), time_limit=0.0)


def test_reading_leaves_no_file_behind(tmp_path: Path) -> None:
    path = hand_made(tmp_path / "run")
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA journal_mode = WAL")  # as after a run that could not end in peace
    connection.close()
    assert main(["verify", str(path)]) == 0
    assert main(["info", str(path)]) == 0
    assert os.listdir(tmp_path) == ["run"]


def test_what_a_killed_run_left_in_its_log_is_read(tmp_path: Path) -> None:
    path = hand_made(tmp_path / "run")
    code = """
        import os, sqlite3, sys
        connection = sqlite3.connect(sys.argv[1], isolation_level=None)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("INSERT INTO events (name, time, data) VALUES ('Notice', 0.0, '{\\"message\\": \\"x\\"}')")
        os._exit(9)
    """
    subprocess.run([sys.executable, "-c", textwrap.dedent(code), str(path)], check=False)
    assert (tmp_path / "run-wal").stat().st_size > 0
    connection = open_to_read(path)
    assert connection.execute("SELECT count(*) FROM events").fetchone() == (1,)
    connection.close()


def test_a_log_that_cannot_be_read_for_lack_of_space_is_told_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = hand_made(tmp_path / "run")
    (tmp_path / "run-wal").write_bytes(bytes(100))

    def full(*_: object) -> None:
        (tmp_path / "run-shm").write_bytes(b"")
        error = sqlite3.OperationalError("disk I/O error")
        error.sqlite_errorname = "SQLITE_IOERR_SHMSIZE"
        raise error

    monkeypatch.setattr("pcsos.verify.reading.database._check", full)
    with pytest.raises(RunFileError, match=r"cannot be read \(disk I/O error\): part of it is in .*run-wal"):
        open_to_read(path)
    assert sorted(os.listdir(tmp_path)) == ["run", "run-wal"]


def test_an_index_that_says_otherwise_than_its_table_is_damage(tmp_path: Path) -> None:
    path, other = hand_made(tmp_path / "run"), hand_made(tmp_path / "other")
    edit(other, ("UPDATE evidence SET problem = 7 WHERE problem = 4", ()))
    with contextlib.closing(sqlite3.connect(path)) as connection:
        query = "SELECT rootpage FROM sqlite_master WHERE type = 'index' AND tbl_name = 'evidence'"
        (page,), (size,) = connection.execute(query).fetchone(), connection.execute("PRAGMA page_size").fetchone()
    index, content = slice((page - 1) * size, page * size), bytearray(path.read_bytes())
    content[index] = other.read_bytes()[index]
    path.write_bytes(content)
    with contextlib.closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA quick_check").fetchall() == [("ok",)]
    with pytest.raises(FormatError, match=r"damaged \(.*missing from index"):
        open_to_read(path)
