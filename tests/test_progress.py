import io
import json
import logging
import math
import os
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import pcsos
from pcsos import heuristics
from pcsos.base import events
from pcsos.base.exceptions import InputError
from pcsos.evidence.result import Status
from pcsos.report.progress import (
    EVENT_NAMES,
    HEADER_EVERY,
    JsonLines,
    ProgressTable,
    Unwatched,
    broadcast,
    counted,
    listener,
)
from tests.results import some_result

RUN = [
    events.RunStarted(150, 4, 3, 140, 100),
    events.IncumbentFound(80.0, "K", 0.1),
    events.CutRound(0, 140, 60.0, 0, 0, 0.5),
    events.CutRound(0, 140, 70.0, 500, 0, 0.6),
    events.CutRound(0, 140, 79.0, 700, 0, 2.5),
    events.IncumbentFound(79.5, "S", 2.6),
    events.NodeClosed(0, None, 140, 79.25, "branched", 2, 2.7),
    events.BoundImproved(79.25, 2.7),
    events.CutRound(1, 139, 79.4, 300, 0, 2.9),
    events.NodeClosed(1, 0, 139, 79.4, "bound", 1, 3.0),
    events.NodeClosed(2, 0, 139, 79.4, "bound", 0, 5.5),
]


#: Lines before the first row: what the run is about, its letter, the header.
START = 2 + 1 + 1


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def table_of(run: list[events.Event], **options: object) -> list[str]:
    stream, clock = io.StringIO(), Clock()
    table = ProgressTable(stream, clock=clock, **options)  # type: ignore[arg-type]
    for event in run:
        clock.now = getattr(event, "seconds", clock.now)
        table(event)
    return stream.getvalue().splitlines()


def rows(lines: list[str]) -> list[list[str]]:
    return [line.split() for line in lines if line.endswith("s") and line[2:].split()[0] in {"0", "1", "2", "-"}]


def test_table_of_a_run() -> None:
    lines = table_of(RUN)
    assert "150 points, 4 features, 3 clusters" in lines[0]
    assert "140 super-points, 100 cannot-links" in f"{lines[0]} {lines[1].strip()}"
    assert lines[START - 1].split() == ["node", "size", "bound", "incumbent", "gap", "cuts", "open", "time"]
    assert rows(lines) == [
        ["K", "-", "-", "-", "80", "-", "-", "-", "0.1s"],
        ["0", "140", "79", "80", "1.2500%", "700", "-", "2.5s"],
        ["S", "0", "140", "79", "79.5", "0.6289%", "700", "-", "2.6s"],
        ["0", "140", "79.25", "79.5", "0.3145%", "700", "2", "2.7s"],
        ["2", "139", "79.25", "79.5", "0.3145%", "300", "0", "5.5s"],
    ]


def test_bound_after_fixing_is_not_taken_for_the_global_one() -> None:
    run = [events.IncumbentFound(80.0, "K", 0.1), events.CutRound(0, 9, 70.0, 5, 0, 2.0)]
    lines = table_of([*run, events.CutRound(0, 4, 79.0, 5, 20, 4.0), events.BoundImproved(75.0, 6.0)])
    assert [row[-6] for row in rows(lines)[1:]] == ["70", "70", "75"]


def test_letters_that_occur_are_explained_where_they_first_do() -> None:
    lines = table_of([*RUN, events.IncumbentFound(79.4, "K", 5.6)])
    for letter, words in events.SOURCES.items():
        assert lines.count(f"{letter} = {words}") == (letter in "KS")
    own = [line[0] for line in lines if line[0] in "KS"]
    assert own == ["K", "K", "S", "S", "K"]


def test_columns_line_up() -> None:
    lines = [line for line in table_of(RUN)[START - 1 :] if " = " not in line]
    assert len({len(line) for line in lines}) == 1


def test_every_line_fits_into_eighty_columns() -> None:
    block = events.BlockBounded(1200, 0.01, 12, 40, 1.0, 0.0123, 0.0456, 1234.5)
    prices = events.PricesRaised(1_000_000, 1234, 1.0, 12345.6)
    notice = events.Notice("a sentence that goes on and on " * 5)
    long = [events.IncumbentFound(1.234567891e12, "M", 99999.9), events.CutRound(99999, 9999, 1.1e12, 99999, 0, 1e5)]
    lines = table_of([*RUN, *long, block, prices, notice])
    assert max(len(line) for line in lines) <= 80
    assert sum(line.startswith("  ") and "sentence" in line for line in lines) >= 1


def test_words_are_folded_where_the_terminal_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

        def fileno(self) -> int:
            return 2

    for columns, width in ((40, 40), (300, 300), (0, 80)):
        monkeypatch.setattr("os.get_terminal_size", lambda _, columns=columns: os.terminal_size((columns, 24)))
        stream = Terminal()
        ProgressTable(stream)(RUN[0])
        longest = max(len(line) for line in stream.getvalue().splitlines())
        assert longest <= width
        assert longest > width - 20 or width == 300


def test_without_times_the_clock_has_no_influence() -> None:
    late = [
        type(event)(**{**vars(event), "seconds": 3 * event.seconds}) if hasattr(event, "seconds") else event
        for event in RUN
    ]
    lines = table_of(RUN, show_times=False)
    assert lines == table_of(late, show_times=False)
    assert len(lines) == START + 10 + 1  # every event but the start, and the second letter
    assert not any("time" in line or line.endswith("s") for line in lines[START - 1 :])


def test_prices_are_shown_while_the_bound_stands_still() -> None:
    run = [
        events.IncumbentFound(80.0, "K", 0.1),
        *(events.PricesRaised(9000, number, 30.0 * (number - 1), 2.0 * number) for number in (1, 1, 3)),
        events.BoundImproved(70.0, 5.0),
    ]
    shown = [line for line in table_of(run) if "prices" in line]
    own = "  prices of 9000 groups of points, round {}: gap {} so far; {} s"
    assert shown == [own.format(1, "-", 2.0), own.format(3, "25.0000%", 6.0)], "the second came within the interval"
    assert not any("prices" in line for line in table_of(run, show_times=False)), "their number is up to the clock"


def test_header_is_repeated() -> None:
    run = [events.IncumbentFound(100.0 - i, "M", float(i)) for i in range(2 * HEADER_EVERY + 1)]
    lines = table_of(list(run))
    assert [i for i, line in enumerate(lines) if "incumbent" in line] == [
        1,  # the letter is explained first
        HEADER_EVERY + 2,
        2 * HEADER_EVERY + 3,
    ]


def test_notice_is_shown_once() -> None:
    notice = events.Notice("HiGHS is used: the licence of Gurobi is too small.")
    lines = table_of([notice, notice])
    assert lines == ["Note: HiGHS is used: the licence of Gurobi is too small."]


@pytest.mark.parametrize("terminal", [True, False])
def test_escape_codes_only_on_a_terminal(monkeypatch: pytest.MonkeyPatch, terminal: bool) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    stream = io.StringIO()
    monkeypatch.setattr(stream, "isatty", lambda: terminal)
    ProgressTable(stream)(RUN[1])
    assert ("\x1b[" in stream.getvalue()) == terminal


def test_broken_stream_silences_the_table() -> None:
    class Broken(io.StringIO):
        writes = 0

        def write(self, text: str) -> int:
            self.writes += 1
            raise BrokenPipeError

    stream = Broken()
    table = ProgressTable(stream)
    for event in RUN:
        table(event)
    assert stream.writes == 1


def test_no_stream_is_fine() -> None:
    table = ProgressTable(None)
    for event in RUN:
        table(event)
    assert table._incumbent == 79.5


def test_log_has_an_event_a_line(tmp_path: Path) -> None:
    log = JsonLines(tmp_path / "log")
    for event in [*RUN, events.Notice("Grüße")]:
        log(event)
    log.finish(some_result(lower_bound=-math.inf, status=Status.OPTIMAL))
    lines = [json.loads(line) for line in (tmp_path / "log").read_text(encoding="utf-8").splitlines()]
    assert [line["event"] for line in lines] == [
        *(EVENT_NAMES[type(event)] for event in RUN),
        "notice",
        "run_finished",
    ]
    assert lines[1] == {"event": "incumbent", "objective": 80.0, "source": "K", "seconds": 0.1}
    assert lines[-1]["status"] == "OPTIMAL"
    assert lines[-1]["lower_bound"] is None
    assert "labels" not in lines[-1]


def test_every_kind_of_event_has_a_name() -> None:
    assert set(EVENT_NAMES) == set(events.Event.__args__)
    assert len(set(EVENT_NAMES.values())) == len(EVENT_NAMES)


def test_event_is_on_disk_at_once(tmp_path: Path) -> None:
    log = JsonLines(tmp_path / "log")
    log(RUN[0])
    assert (tmp_path / "log").read_text().endswith("\n")
    log.close()


def test_appended_log_keeps_what_was_there(tmp_path: Path) -> None:
    for append in (False, True):
        log = JsonLines(tmp_path / "log", append=append)
        log(RUN[1])
        log.close()
    assert len((tmp_path / "log").read_text().splitlines()) == 2


def test_log_that_cannot_be_opened(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"the log .* cannot be written"):
        JsonLines(tmp_path / "none" / "log")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full, a full disk on Linux")
def test_full_disk_ends_the_log_and_not_the_run() -> None:
    log = JsonLines("/dev/full")
    log(RUN[0])
    log(RUN[1])
    log.close()
    assert log.failure == "the log /dev/full is incomplete (No space left on device)"


def test_broadcast_tells_all_in_order() -> None:
    heard: list[tuple[str, events.Event]] = []
    tell = broadcast(lambda e: heard.append(("a", e)), None, lambda e: heard.append(("b", e)))
    tell(RUN[0])
    assert heard == [("a", RUN[0]), ("b", RUN[0])]


GRID = [[0.0, 0.0], [1.0, 0.0], [5.0, 1.0], [6.0, 0.0]]


class TestVerbose:
    def test_the_table_goes_to_standard_error_beside_a_listener(self, capsys: pytest.CaptureFixture[str]) -> None:
        heard: list[events.Event] = []
        pcsos.solve(GRID, 2, workers=1, verbose=True, options=pcsos.Options(on_event=heard.append))
        shown = capsys.readouterr()
        assert shown.out == ""
        assert "4 points, 2 features, 2 clusters" in shown.err
        assert "incumbent" in shown.err
        assert any(isinstance(event, events.RunStarted) for event in heard)

    def test_a_feature_that_decides_alone_is_pointed_at(self, capsys: pytest.CaptureFixture[str]) -> None:
        points = np.random.default_rng(0).standard_normal((20, 2)) * [1.0, 100.0]
        for table, called in ((points, "number 2"), (pd.DataFrame(points, columns=["age", "income"]), "'income'")):
            pcsos.solve(table, 2, workers=1, verbose=True)
            assert f"the feature {called} has 100 % of the variance" in " ".join(capsys.readouterr().err.split())
        pcsos.solve(points, 2, workers=1)
        assert capsys.readouterr().err == ""

    def test_certificates_and_runs_that_go_on_show_it_too(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        pcsos.certify(GRID, [0, 0, 1, 1], workers=1, verbose=True)
        assert "4 points, 2 features, 2 clusters" in capsys.readouterr().err
        pcsos.solve(GRID, 2, workers=1, run_file=tmp_path / "run", options=pcsos.Options(node_limit=0))
        assert capsys.readouterr().err == ""
        pcsos.resume(tmp_path / "run", workers=1, verbose=True)
        assert "4 points, 2 features, 2 clusters" in capsys.readouterr().err

    @pytest.mark.parametrize(("method", "letter"), [("s-mdeclust", "M"), ("ipc-kmeans", "K"), ("blp-km", "-")])
    def test_heuristics_show_what_they_find(self, method: str, letter: str, capsys: pytest.CaptureFixture[str]) -> None:
        heuristics.run(pcsos.Instance(GRID, 2), method, verbose=True)
        lines = capsys.readouterr().err.splitlines()
        assert "4 points, 2 features, 2 clusters" in lines[0]
        assert lines[-1].split()[0] == letter

    def test_a_run_is_quiet_otherwise(
        self, capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
    ) -> None:
        with caplog.at_level(logging.DEBUG, logger="pcsos"):
            square = [[0.0, 0.0], [0.0, 4.0], [5.0, 0.0], [5.0, 4.0]]
            pcsos.solve(square, 2, workers=1)
            pcsos.certify(square, [0, 0, 1, 1], workers=1)
            heuristics.run(pcsos.Instance(square, 2))
        assert capsys.readouterr() == ("", "")
        assert caplog.records == []

    def test_notices_that_nobody_hears_are_logged(self, caplog: pytest.LogCaptureFixture) -> None:
        alone = listener(None, verbose=False)
        for event in [*RUN, events.Notice("HiGHS is used.")]:
            alone(event)
        assert [(record.levelno, record.message) for record in caplog.records] == [(logging.WARNING, "HiGHS is used.")]
        listener(lambda event: None, verbose=False)(events.Notice("heard"))
        assert len(caplog.records) == 1

    def test_a_long_run_that_nobody_watches_says_once_how_far_it_is(self, caplog: pytest.LogCaptureFixture) -> None:
        clock = Clock()
        alone = Unwatched(clock)
        asked = alone.meanwhile(lambda: clock.now > 50.0)
        for now, event in zip([0.0, 29.0, 30.0, 60.0], RUN, strict=False):
            clock.now = now
            alone(event)
            assert asked() is (now > 50.0)
            assert bool(caplog.records) is (now > 29.0)
        assert [record.message.partition("; ")[0] for record in caplog.records] == [
            "still running after 30 s: the best partition so far costs 80, and a gap of 25.0000% is proved of it"
        ]
        assert "time_limit=60" in caplog.messages[0]

    @pytest.mark.parametrize("is_watched", [True, False])
    def test_it_does_so_where_there_is_no_table(
        self, is_watched: bool, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("pcsos.report.progress.SILENCE", 0.0)
        pcsos.solve(GRID, 2, workers=1, verbose=is_watched)
        own = Unwatched()
        pcsos.solve(GRID, 2, workers=1, options=pcsos.Options(on_event=own))
        pcsos.path(GRID, [2, 3], verbose=True)
        assert len([text for text in caplog.messages if text.startswith("still running")]) == (not is_watched)

    def test_what_cannot_hear_is_refused(self) -> None:
        with pytest.raises(InputError, match="on_event is of type list; give a function"):
            pcsos.solve(GRID, 2, options=pcsos.Options(on_event=[]))  # type: ignore[arg-type]


def test_items_are_counted_after_some_silence() -> None:
    seconds = iter([0.0, 0.0, 1.0, 2.5, 3.0, 5.0])
    stream = io.StringIO()
    assert list(counted("abcde", 5, "letters", stream, clock=lambda: next(seconds))) == list("abcde")
    told = ["2 of 5 letters, 2 s, about 4 s left", "4 of 5 letters, 5 s, about 1 s left"]
    assert stream.getvalue().splitlines() == told


def test_who_cannot_be_told_does_not_stop_the_count() -> None:
    stream = io.StringIO()
    stream.close()
    assert list(counted("abc", 3, "letters", stream, silence=0.0)) == list("abc")
    assert list(counted("abc", 3, "letters", None, silence=0.0)) == list("abc")
