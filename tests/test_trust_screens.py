"""What the screens of trust, memory and time say: wrong, failed and missing rows come out as what they are."""

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks.listening import Point, to_json
from benchmarks.pages.rows import NOT_MEASURED
from benchmarks.pages.screens import fact
from benchmarks.record.folder import ANEW, Record

Row = dict[str, Any]
DONE = {"outcome": "done", "load_beside": 0.0, "wall_seconds": 1.0, "peak_mb": 100.0}
KILLED = {"name": "killed", "outcome": "killed", "load_beside": 0.0, "wall_seconds": 200.0}


@pytest.fixture
def record(tmp_path: Path) -> Record:
    return Record(tmp_path)


def put(record: Record, part: str, *rows: Row) -> None:
    """Write the rows of a part, with the columns of the first of them."""
    with record.own_file(part).open("w", newline="") as stream:
        writer = csv.DictWriter(stream, rows[0])
        writer.writeheader()
        writer.writerows(rows)


def tried(record: Record, part: str) -> str:
    """Return what the table says that came of a part."""
    lines = [[cell.strip() for cell in line.split("|")[1:-1]] for line in fact(record, "trust.tried").splitlines()]
    return next(line[2] for line in lines if line[1] == part)


def cells(table: str) -> list[list[str]]:
    """Return the cells of the lines of a table below its header."""
    return [[cell.strip() for cell in line.split("|")[1:-1]] for line in table.splitlines()[2:]]


def seeds(**changes: Any) -> Row:
    counts = {"counts": json.dumps({"files": 30, "false claims": 20}), "kinds_wrong": "{}", "num_wrong": 0}
    return {"name": "seeds-0", "num_seeds": 10, **counts, **DONE} | changes


def kill(**changes: Any) -> Row:
    counts = {"kills": 3, "kills_in_tree": 2, "solved_twice": 0}
    return {
        "name": "kill-0",
        **counts,
        "same_objective": True,
        "same_bound": True,
        "same_status": True,
        **DONE,
    } | changes


def checked(name: str, **changes: Any) -> Row:
    row = {"name": name, "n_points": 150, "status": "OPTIMAL", "gap": 9e-5, "seconds": 2.0, "verify_mb": 50.0}
    return {**row, "verified": "OPTIMAL", "verify_seconds": 0.5, **DONE} | changes


def test_seeds_that_are_all_sound_are_told_without_a_wrong_one(record: Record) -> None:
    put(record, "forged", seeds())
    assert tried(record, "forged") == fact(record, "trust.forged") == "none of 20 false claims accepted (10 seeds)"
    assert tried(record, "hostile") == NOT_MEASURED


def test_wrong_seeds_come_first_and_with_their_kind(record: Record) -> None:
    wrong = seeds(num_wrong=2, kinds_wrong=json.dumps({"accepted": 3}))
    put(record, "forged", wrong, seeds(name="seeds-10"), KILLED)
    assert tried(record, "forged") == (
        "1 of 3 cases failed or did not end; of the others, WRONG in 2 of 20 seeds: accepted"
    )


def test_all_that_went_wrong_is_listed(record: Record) -> None:
    put(record, "hostile", seeds())
    put(record, "kill", kill())
    assert fact(record, "trust.wrong") == "nothing"
    put(record, "oracle", seeds(num_wrong=2, kinds_wrong=json.dumps({"verify refuses": 2})))
    put(record, "forged", KILLED)
    put(record, "kill", kill(), kill(name="kill-1", same_objective=False))
    assert fact(record, "trust.wrong").split("; ")[:3] == [
        "`forged`: 1 of 1 case failed or did not end",
        "`oracle`: WRONG in 2 of 10 seeds: the checker refuses the run file that a solve has written",
        "`kill`: ANOTHER result in 1 of 2 runs",
    ]


def test_a_part_that_was_measured_anew_says_so_and_what_it_found_before(record: Record) -> None:
    put(record, "oracle", seeds(num_wrong=2, kinds_wrong=json.dumps({"accepted": 3})))
    put(record, "hostile", seeds())
    (record.path / ANEW).mkdir()
    later = Record(record.path / ANEW)
    later.write_facts({"commit": "d" * 40})
    put(later, "oracle", seeds(counts=json.dumps({"instances": 10})))
    sound = "none of 10 instances contradicts it (10 seeds)"
    assert tried(record, "oracle") == (
        f"{sound}; measured anew on commit `dddddddddd`, before: WRONG in 2 of 10 seeds: accepted"
    )
    assert fact(record, "trust.wrong") == "nothing"
    assert "anew" not in tried(record, "hostile")
    put(record, "oracle", seeds())
    assert tried(record, "oracle") == f"{sound}; measured anew on commit `dddddddddd`"
    put(later, "oracle", seeds(num_wrong=1, kinds_wrong=json.dumps({"accepted": 1})))
    assert fact(record, "trust.wrong") == "`oracle`: WRONG in 1 of 10 seeds: accepted"


def test_harm_is_listed_by_whatever_word_it_is_told(record: Record) -> None:
    bomb = {"name": "a", "sentence": "refused", "seconds": 0.1, **DONE}
    put(record, "memory", bomb, bomb | {"name": "b", "sentence": "MemoryError"})
    seconds = {"first_process_seconds": 0.5, "first_seconds": 0.08, "second_seconds": 0.02}
    put(record, "checkers", {"name": "a", "difference": "status", **seconds, **DONE})
    known = {"name": "a", "status": "OPTIMAL", "gap": 1e-5, "optimum": 1.0, "seconds": 0.1, **DONE}
    put(record, "instances", known | {"objective": 1.0}, known | {"name": "b", "objective": 2.0})
    put(record, "scaling", known | {"status": "FEASIBLE"})
    said = fact(record, "trust.wrong").split("; ")
    assert [part.partition(":")[0] for part in said if part[0] == "`"] == ["`checkers`", "`memory`", "`instances`"]


def test_where_all_rows_failed_nothing_else_is_said(record: Record) -> None:
    failed = {"name": "a", "error": "a kill lost the run file", **DONE, "outcome": "failed"}
    for part in ("kill", "interrupt", "memory", "scaling", "verified"):
        put(record, part, failed)
        assert tried(record, part) == "1 of 1 case failed or did not end"


def test_objective_status_and_bound_of_killed_runs_stand_apart(record: Record) -> None:
    put(record, "kill", kill(), kill(name="kill-1", same_bound=False))
    assert tried(record, "kill") == (
        "6 kills, 4 within the tree: the same objective in all 2, the same status in all 2, the same bound in 1 of 2 "
        "runs; 0 nodes solved twice"
    )


def test_a_process_left_behind_and_a_harm_are_counted(record: Record) -> None:
    ended = {"name": "a", "ended_seconds": 0.5, "left_running": True, **DONE}
    put(record, "interrupt", ended, ended | {"name": "b", "left_running": False})
    assert tried(record, "interrupt") == "2 runs: ended within 0.50 s; 1 LEFT a process behind"
    harm = {
        "name": "a",
        "num_files": 20,
        "harms": "seed 1, verify: 900 MB",
        "most_mb": 900.0,
        "most_seconds": 2.0,
        **DONE,
    }
    put(record, "announced", harm)
    assert tried(record, "announced") == "20 files: HARM in 1 of 1 group; no command took more than 900 MB or 2.0 CPU s"


def test_both_ratios_of_the_checkers_are_said(record: Record) -> None:
    seconds = {"first_process_seconds": 0.5, "first_seconds": 0.08, "second_seconds": 0.02}
    put(record, "checkers", {"name": "a", "difference": "", **seconds, **DONE})
    assert "takes 25 times as long as the one in C++, 4.0 times without" in tried(record, "checkers")


def test_a_checker_that_crashed_has_not_accepted(record: Record) -> None:
    put(record, "published", checked("a"), checked("b", verified="CRASHED", verify_seconds="", verify_mb=""))
    assert fact(record, "trust.accepted") == "1 of 2"
    assert fact(record, "trust.unaccepted") == "b (the checker failed)"
    assert fact(record, "trust.share_proved") == "1"


def test_the_share_is_of_what_is_proved_and_the_most_has_a_name(record: Record) -> None:
    short, long = checked("short", verify_seconds=0.02), checked("long", verify_seconds=2.0)
    put(record, "million", short, long, checked("open", status="FEASIBLE", verify_seconds=9.0))
    assert fact(record, "trust.unaccepted") == "none"
    assert fact(record, "trust.share") == "10 %"
    assert fact(record, "trust.share_proved") == "2"
    assert fact(record, "trust.slower") == "0 of 2, at most 100 % (long)"
    put(record, "million", checked("slow", verify_seconds=3.0), checked("trifle", seconds=0.1, verify_seconds=0.9))
    assert fact(record, "trust.slower") == "1 of 1, at most 150 % (slow)"
    put(record, "million", checked("open", status="FEASIBLE"))
    assert [fact(record, f"trust.{what}") for what in ("share", "share_proved", "slower")] == [
        "–",
        "0",
        "0 of 0, at most –",
    ]


def test_memory_is_told_by_size_with_the_largest_and_what_failed(record: Record) -> None:
    put(record, "published", checked("a"), checked("b", peak_mb=300.0), KILLED)
    put(record, "scaling", checked("c", n_points=1000, verify_mb=""))
    assert cells(fact(record, "memory.by_size")) == [
        ["100 to 999", "2", "300", "b", "50", "a"],
        ["1,000 to 9,999", "1", "100", "c", "–", "–"],
        ["failed or did not end", "1", "–", "–", "–", "–"],
    ]


def test_seconds_to_gaps_have_a_line_for_what_did_not_end(record: Record) -> None:
    trace = to_json([Point(1.0, 80.0, 100.0), Point(4.0, 99.5, 100.0)])
    row = {"name": "a", "n_points": 300, "n_clusters": 5, "status": "FEASIBLE", "gap": 0.005, "seconds": 4.0}
    put(record, "trace", {**row, "trace": trace, **DONE}, KILLED)
    assert " s to 10 % | s to 1 % | s to 0.1 % | s to 0.01 % |" in fact(record, "time.gaps")
    assert cells(fact(record, "time.gaps")) == [
        ["a", "300", "5", "4.0", "4.0", "–", "–", "**0.50 %**", "4.0"],
        ["killed", *["–"] * 6, "failed or did not end", "–"],
    ]


def test_the_last_step_names_the_runs_that_it_takes_most_of_and_those_that_never_take_it(record: Record) -> None:
    def row(name: str, seconds: float, bound: float) -> Row:
        points = [Point(1.0, 80.0, 100.0), Point(2.0, 99.9, 100.0), Point(seconds, bound, 100.0)]
        return {"name": name, "trace": to_json(points), **DONE}

    put(record, "trace", row("soon", 3.0, 99.999), row("late", 9.0, 99.999), row("open", 60.0, 99.95), KILLED)
    assert fact(record, "time.last") == (
        "of 2 runs that reached 0.01 %, 1 took most of the seconds from 0.1 % on (late); "
        "2 did not reach it (open, killed)"
    )
