"""The page is as the rows say, short, with no figure by hand; and what is missing or wrong comes out as what it is."""

import csv
import re
from pathlib import Path
from string import Formatter
from typing import Any

import pytest

from benchmarks import page, published, record
from benchmarks.__main__ import parser
from benchmarks.case import Row
from benchmarks.picture import dots
from benchmarks.rows import NOT_MEASURED
from benchmarks.suites import NAMES, suite_named

#: A measured figure: a number and a unit of time, of memory or of comparison.
MEASURED = re.compile(
    r"\d\s*(?:%|(?:CPU )?(?:s|ms|seconds?|minutes?|hours?|days?|[kMG]i?B|times(?: (?:faster|slower|as))?)\b)"
)


def by_hand(text: str) -> list[str]:
    """Return the lines of a template in which a measured figure stands outside of what is generated, and of code."""
    plain = re.sub(r"`[^`\n]*`|\]\([^)]*\)|\{[^}]*\}", "", text)
    return [line for line in plain.splitlines() if MEASURED.search(line)]


def test_the_page_and_its_picture_are_as_the_rows_say(capsys: pytest.CaptureFixture[str]) -> None:
    options = parser().parse_args(["pages", "--check"])
    with pytest.raises(SystemExit, match="0"):
        options.main(options)
    assert capsys.readouterr().out == "all is as the record says\n"


def test_the_page_is_short_and_opens_with_a_picture_and_ten_figures() -> None:
    text = page.PAGE.read_text()
    assert len(text.split()) <= 3000
    title, picture, *_ = text.split("\n\n")
    assert (title, picture.partition("]")[2]) == ("# Benchmarks", "(pictures/benchmarks.svg)")
    table = next(part for part in text.split("\n\n") if part.startswith("| what"))
    assert len(table.splitlines()) == 2 + 10
    assert all(re.search(r"`run \w+", line) for line in table.splitlines()[2:])


def test_every_figure_of_the_template_is_there_and_every_suite_says_where_it_comes_from() -> None:
    fields = {name for _, name, *_ in Formatter().parse(page.TEMPLATE.read_text()) if name}
    for name in NAMES:
        own = {field for field in fields if field.startswith(f"{name}[")}
        assert f"{name}[source]" in own
        assert {field[len(name) + 1 : -1] for field in own} <= {*suite_named(name).FIGURES, "source"}


@pytest.mark.parametrize("line", ["in 6.2 minutes", "takes 53 s", "677 MB", "76 % of them", "0.11 CPU seconds"])
def test_no_measured_figure_is_written_by_hand(line: str) -> None:
    assert by_hand(page.TEMPLATE.read_text()) == []
    assert by_hand(f"We prove it {line}.\n") == [f"We prove it {line}."]


@pytest.mark.slow
def test_a_figure_or_a_picture_that_was_changed_by_hand_is_found(tmp_path: Path, monkeypatch: Any, capsys: Any) -> None:
    for name in ("PAGE", "PICTURE"):
        monkeypatch.setattr(page, name, tmp_path / name)
    options = {"record": record.WHOLE, "check": False}
    page.main(type("Options", (), options))
    with pytest.raises(SystemExit, match="0"):
        page.main(type("Options", (), options | {"check": True}))
    for name in ("PAGE", "PICTURE"):
        (tmp_path / name).write_text((tmp_path / name).read_text().replace("wine", "beer").replace("198", "199"))
    with pytest.raises(SystemExit, match="1"):
        page.main(type("Options", (), options | {"check": True}))
    assert capsys.readouterr().out.splitlines()[-2:] == [
        "PAGE differs from the record",
        "PICTURE differs from the record",
    ]


def test_what_has_no_rows_is_not_measured(tmp_path: Path) -> None:
    text = page.text(tmp_path)
    assert text.count(NOT_MEASURED) > 80
    assert "not measured yet instances proved" in text
    assert "iris" not in page.picture({})


def test_the_figures_that_the_readme_quotes_are_those_of_the_rows() -> None:
    found = page.quoted()
    assert set(found) == set(page.QUOTED)
    (row,) = (row for row in record.rows_in(record.WHOLE)["sizes"] if row["name"] == "iris/50-50")
    assert found["sizes.iris_seconds"] == f"{row['seconds']:#.2g}"


def test_each_row_is_of_a_commit_and_a_machine_that_the_page_names() -> None:
    facts, text = record.facts_of(record.WHOLE), page.PAGE.read_text()
    for name in record.rows_in(record.WHOLE):
        head = (record.WHOLE / f"{name}.csv").read_text().split("\nname,")[0]
        assert f"# commit: {facts['commit'][:10]}" in head
        assert f"# machine: {facts['machines'][name]}" in head
        machine = facts["machines"][name].partition(",")[0]
        assert re.search(rf"`{name}\.csv`: .* commit `{facts['commit'][:10]}`, {machine}", text)


def test_a_picture_has_a_dot_a_value_and_a_line_a_name() -> None:
    drawn = dots({"a": {"printed": 100.0, "pcsos": 1.0}, "b": {"printed": None, "pcsos": 10.0}}, "seconds")
    assert drawn.count("<circle") == 3 + 2  # with those of the legend
    assert all(f">{word}</text>" in drawn for word in ("a", "b", "seconds", "printed", "pcsos", "100"))


def test_published_seconds_have_a_source() -> None:
    with published.FILE.open(newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert all(row["source"] and float(row["seconds"]) > 0.0 for row in rows)
    assert {"PC-SOS-SDP", "SOS-SDP", "CG+DCA", "CC-SOS-SDP"} < {row["method"] for row in rows}


# Figures of single suites


def proved(name: str, seconds: float, **columns: Any) -> Row:
    """Return a row that is proved."""
    ended = {"outcome": "done", "status": "OPTIMAL", "gap": 5e-5, "nodes": 1, "wall_seconds": seconds + 1}
    return {"name": name, "seconds": seconds} | ended | columns


def failed(name: str, **columns: Any) -> Row:
    """Return a row that ended after a second without a result."""
    nothing = dict.fromkeys(("status", "gap", "nodes", "seconds", "objective"))
    return {"name": name, "outcome": "failed", "wall_seconds": 1.0} | nothing | columns


def of(dataset: str, kind: str, number: int) -> Row:
    """Return the columns of a configuration."""
    return {"dataset": dataset, "constraint_type": kind, "num_constraints": number}


def test_a_ratio_is_of_the_means_of_a_configuration_and_leaves_out_what_is_not_all_proved() -> None:
    iris, wine = of("iris", "CL", 50), of("wine", "CL", 50)
    rows = [proved("iris/a", 1.0, **iris), proved("iris/b", 3.0, **iris), proved("wine/a", 1.0, **wine)]
    found = page.figures_of("constrained", {"constrained": rows})
    assert found["ratio_smaller"] == "58"  # of 78.4 / 2 and 85.2
    assert found["extremes"] == "39 (iris CL 50) to 85 (wine CL 50)"
    assert (found["proved"], found["at_root"], found["ratio_larger"]) == ("all 3", "3", NOT_MEASURED)
    found = page.figures_of("constrained", {"constrained": [*rows, failed("wine/b", **wine)]})
    assert found["ratio_smaller"] == "39 (without 1 of 2 configurations)"
    assert found["proved"] == "3 of 4"
    found = page.figures_of("constrained", {"constrained": [failed("wine/b", **wine)]})
    assert (found["extremes"], found["slowest"]) == ("–", "wine/b, 1.0 seconds")


def test_seconds_of_a_method_that_was_stopped_are_bounds_and_what_is_not_proved_is_named() -> None:
    rows = [proved("tsplib/u2152/k40", 10.0), proved("tsplib/u2152/k50", 10.0)]
    found = page.figures_of("plane", {"plane": rows})
    assert found["sos_sdp"] == "at least 8,278"
    assert (found["tsplib"], found["million_gap"]) == ("all 2", NOT_MEASURED)
    rows = [rows[0], proved("tsplib/u2152/k20", 58.0, status="FEASIBLE", gap=2e-3), failed("tsplib/rl5934/k60")]
    found = page.figures_of("plane", {"plane": rows})
    assert found["sos_sdp"] == "7,931"
    assert found["tsplib_not_proved"] == "tsplib/u2152/k20 (gap 2.0e-3), tsplib/rl5934/k60 (no bound)"


def test_a_method_counts_on_the_instances_that_it_has_run_on() -> None:
    runs = [("a", "pcsos", 10.0, 10.0), ("a", "SG-MDE", 10.001, 10.0), ("b", "pcsos", None, 12.0)]
    rows = [
        {"name": f"published/{instance}/{method}", "instance": f"published/{instance}", "method": method}
        | {"objective": worst, "best_objective": best, "cpu_seconds": 1.0, "outcome": "done"}
        for instance, method, worst, best in runs
    ]
    found = page.figures_of("heuristics", {"heuristics": rows})
    assert (found["reached"], found["paper"], found["drawn"]) == ("1 of 2", "0 of 1", NOT_MEASURED)
    better = {"constrained": [proved("a", 1.0, objective=9.0)]}
    assert page.figures_of("heuristics", {"heuristics": rows} | better)["reached"] == "0 of 2"


def test_seeds_are_compared_with_the_best_of_their_set() -> None:
    objectives = {"seed0": 20.0, "seed1": 21.0, "seed2": None}
    rows = [
        {"name": f"dense/x/{seed}", "instance": "dense/x", "method": seed, "objective": value, "outcome": "done"}
        for seed, value in objectives.items()
    ]
    found = page.figures_of("heuristics", {"heuristics": rows})
    assert found["dense"] == "5.0 % in 3 runs on 1 sets; 1 without a partition"
    assert page.figures_of("heuristics", {"heuristics": rows[:1]})["dense"] == NOT_MEASURED


def test_rows_of_a_later_commit_are_said_to_be_of_it(tmp_path: Path) -> None:
    path = tmp_path / "trust.csv"
    path.write_text("# commit: aaaa\n# machine: slow, 2 cores\nname,outcome,wall_seconds,load_beside\na,done,1.0,0.0\n")
    with path.open("a") as stream:
        stream.write("# commit: bbbb\n# machine: fast, 8 cores\nb,done,2.0,0.0\n")
    assert page.source(tmp_path, "trust")["source"].endswith("commit `aaaa` and `bbbb`, slow and fast")
