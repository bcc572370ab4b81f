"""The pages that are generated from the record: spans, checks, what is not measured, and no figure by hand."""

import csv
import re
from argparse import Namespace
from pathlib import Path

import pytest

from benchmarks.__main__ import parser
from benchmarks.pages import command, pictures, provenance, published, spans
from benchmarks.pages.rows import NOT_MEASURED
from benchmarks.pages.screens import NAMES, fact, facts_of, screen_named
from benchmarks.record.command import WHOLE, new_facts
from benchmarks.record.folder import ANEW, Record
from benchmarks.record.plan import PLAN, Part
from benchmarks.repository import ROOT
from benchmarks.runner import read_rows
from benchmarks.suites import suite_named

EARLIER = ROOT / "benchmarks" / "results" / "earlier"
PAGE = """We prove <!-- record constrained.proved -->all 7<!-- end record --> instances.

<!-- record constrained.datasets -->

<!-- end record -->
"""
ROWS = [
    {"name": "iris/a", "dataset": "iris", "constraint_type": "ML", "num_constraints": 50, "n_points": 150, "nodes": 1}
    | {
        "status": "OPTIMAL",
        "gap": 9e-5,
        "seconds": 0.5,
        "outcome": "done",
        "wall_seconds": 1.0,
        "load_beside": 0.9,
        "peak_mb": 180.0,
    },
    {"name": "wine/a", "dataset": "wine", "constraint_type": "ML", "num_constraints": 50, "wall_seconds": 300.0}
    | {"outcome": "killed", "load_beside": 0.1},
]
#: A measured figure: a number and a unit of time, of memory or of comparison.
MEASURED = re.compile(
    r"\d\s*(?:%|(?:CPU )?(?:s|ms|seconds?|minutes?|hours?|days?|[kMG]i?B|times(?: (?:faster|slower|as))?)\b)"
)
CODE_OR_TARGET = re.compile(r"^```.*?^```$|`[^`\n]*`|\]\([^)]*\)", flags=re.DOTALL | re.MULTILINE)


def by_hand(text: str) -> list[str]:
    """Return the lines of a page in which a measured figure stands outside of what is generated, code and links."""
    plain = CODE_OR_TARGET.sub("", spans.without(text))
    return [line for line in plain.splitlines() if MEASURED.search(line)]


@pytest.fixture
def record(tmp_path: Path) -> Record:
    """Return a record of two rows of one part."""
    made = Record(tmp_path / "record")
    said = {"versions": "pcsos 9", "machines": {"published": "Zx, 2 cores"}}
    made.write_facts(new_facts("c" * 40, quick=False) | said)
    with made.file("published").open("w", newline="") as stream:
        writer = csv.DictWriter(stream, ROWS[0])
        writer.writeheader()
        writer.writerows(ROWS)
    return made


@pytest.fixture
def page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a page that takes the place of all pages, in a root of its own."""
    monkeypatch.setattr(command, "PAGES", ("page.md",))
    path = tmp_path / "page.md"
    path.write_text(PAGE)
    return path


def test_spans_are_filled_and_writing_again_changes_nothing(record: Record, page: Path) -> None:
    assert command.write_all(record, page.parent) == []
    text = page.read_text()
    assert "We prove <!-- record constrained.proved -->1 of 2<!-- end record --> instances.\n" in text
    assert re.search(r"datasets -->\n\n\| data set ", text)
    assert re.search(r"\n\| iris +\| +150 \|.* 0\.50 \|", text)
    assert text.endswith(" |\n\n<!-- end record -->\n")
    command.write_all(record, page.parent)
    assert page.read_text() == text


def test_what_has_no_rows_is_not_measured_and_leaves_no_old_figure(tmp_path: Path, page: Path) -> None:
    missing = command.write_all(Record(tmp_path / "none"), page.parent)
    assert missing == ["constrained.proved", "constrained.datasets"]
    assert "all 7" not in page.read_text()
    assert page.read_text().count(NOT_MEASURED) == 2


def test_a_figure_that_was_changed_by_hand_is_found(record: Record, page: Path) -> None:
    command.write_all(record, page.parent)
    assert "page.md" not in command.differing(record, page.parent)
    page.write_text(page.read_text().replace("1 of 2", "2 of 2"))
    assert "page.md" in command.differing(record, page.parent)


def test_a_picture_of_other_rows_is_found(record: Record, page: Path) -> None:
    parts = screen_named("constrained").DRAWN_FROM
    figure = command.picture_of("constrained", page.parent)
    assert not command.is_fresh(record, "constrained", page.parent)  # it is not there
    figure.parent.mkdir(parents=True)
    figure.write_text("<svg/>\n")
    pictures.stamp(figure, provenance.digest(record, parts))
    assert command.is_fresh(record, "constrained", page.parent)
    record.file("published").write_text(record.file("published").read_text().replace("0.5", "0.6"))
    assert not command.is_fresh(record, "constrained", page.parent)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("a <!-- record nowhere.proved --><!-- end record -->", "no screen 'nowhere'"),
        ("a <!-- record constrained.nothing --><!-- end record -->", "no fact 'nothing' for 'constrained.nothing'"),
        ("a <!-- record constrained.proved -->1", "has no '<!-- end record -->'"),
        ("<!-- record constrained.proved -->1<!-- end record --> instances", "must not begin its line"),
    ],
)
@pytest.mark.parametrize("check", [False, True])
def test_a_page_that_cannot_be_written_is_refused_in_a_sentence(
    record: Record, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, reason: str, *, check: bool
) -> None:
    path = tmp_path / "bad.md"
    path.write_text(text)
    monkeypatch.setattr(command, "PAGES", (str(path),))
    monkeypatch.setattr(command, "draw_all", lambda _: None)
    with pytest.raises(SystemExit) as refused:
        command.main(Namespace(record=record.path, check=check))
    assert reason in str(refused.value)
    assert "\n" not in str(refused.value)
    assert path.read_text() == text


def test_provenance_says_what_happened_what_was_asked_for_and_how_to_repeat_it(record: Record) -> None:
    with record.file("published").open("a", newline="") as stream:
        csv.DictWriter(stream, ROWS[0]).writerow(ROWS[1])  # killed twice
    said = fact(record, "constrained.provenance").splitlines()
    assert said[0] == '<details markdown="1">'
    assert said[1] == (
        "<summary>2 rows, 300 seconds in all; 1 of them beside other work, so perhaps too slow (iris/a); "
        "1 of them failed or killed; 1 of them taken again, 1 after a failure; on Zx</summary>"
    )
    assert said[3].startswith("Rows in `record/`:")
    asked = "the plan: every case of the suite `published`, 300 s, gap 1e-4, a worker for each core"
    assert [text for text in said if text.startswith("- ")] == [f"- `published.csv`: 2 rows; {asked}"]
    again = "python -m benchmarks record --out NEW --part published --data DATA"
    assert said[-3:] == [f"Again: `{again}`.", "", "</details>"]
    assert "git worktree add ../record cccccccccc && " in fact(record, "whole.worktree")
    head = fact(record, "whole.head")
    assert head.startswith("Machine: Zx, 2 cores. Commit `cccccccccc`, ")
    assert head.endswith("<details><summary>Versions</summary>pcsos 9</details>")


def test_a_part_that_was_measured_anew_is_named_with_its_commit_and_machine(record: Record) -> None:
    record.file("published-1e-6").write_text(record.file("published").read_text())
    record.write_facts(record.facts | {"machines": dict.fromkeys(("published", "published-1e-6"), "Zx, 2 cores")})
    before = record.file("published").read_text()
    later = Record(record.path / ANEW)
    later.write_facts(new_facts("d" * 40, quick=False) | {"machines": {"published": "Yy, 4 cores"}})
    later.file("published").write_text(before.replace("0.5", "7.5"))
    assert record.rows("published")[0]["seconds"] == 7.5
    said = fact(record, "constrained.provenance")
    assert "; on Yy (published), Zx (published-1e-6)</summary>" in said
    assert "\n- `anew/published.csv`: 2 rows, measured anew on commit `dddddddddd`; the plan: " in said
    assert "\n- `published-1e-6.csv`: 2 rows; the plan: " in said
    assert " hours; `published` measured anew on commit `dddddddddd`.\n" in fact(record, "whole.head")
    assert record.own_file("published").read_text() == before


def test_what_is_printed_as_the_command_is_one_and_names_parts_of_the_plan(
    record: Record, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("DATA").mkdir()
    printed = provenance.command(record, ["tsplib", "oracle"]).split("python -m benchmarks ")[1]
    options = parser().parse_args(printed.split())
    assert (options.out, options.part, options.data) == (Path("NEW"), ["tsplib", "oracle"], Path("DATA").resolve())
    assert "--data" not in provenance.command(record, ["oracle"])
    record.write_facts(record.facts | {"quick": True})
    assert " --out NEW --quick --part oracle" in provenance.command(record, ["oracle"])


@pytest.mark.parametrize(
    ("part", "asked"),
    [
        (Part("a", "b", every=10, workers=1), "every 10th case of the suite `b`, 60 s, gap 1e-4, 1 worker"),
        (
            Part("a", "b", "^x|y", gap=5e-3),
            "every case named `^x|y` of the suite `b`, 60 s, gap 5e-3, a worker for each core",
        ),
    ],
)
def test_what_the_plan_asks_of_a_part(record: Record, part: Part, asked: str) -> None:
    assert provenance.asked_for(record, part) == f"0 rows; the plan: {asked}"
    record.write_facts(record.facts | {"quick": True})
    assert provenance.asked_for(record, part) == f"0 rows; the plan: a sample of {asked}"


def test_where_parts_ran_on_several_machines_each_is_named_with_its_parts(record: Record) -> None:
    record.file("published-1e-6").write_text(record.file("published").read_text())
    machines = {"published": "Zx, 2 cores", "published-1e-6": "Yy, 4 cores"}
    record.write_facts(record.facts | {"machines": machines})
    said = fact(record, "constrained.provenance")
    assert "; on Zx (published), Yy (published-1e-6)</summary>" in said
    assert fact(record, "whole.head").startswith("Machines: Zx, 2 cores (1 part); Yy, 4 cores (1 part). Commit ")


def test_a_record_that_has_just_begun_says_something_of_every_fact(tmp_path: Path) -> None:
    begun = Record(tmp_path)
    machines = {part.name: "Zx, 2 cores" for part in PLAN}
    begun.write_facts(new_facts("c" * 40, quick=False) | {"versions": "pcsos 9", "machines": machines})
    for part in PLAN:
        for earlier in read_rows(EARLIER / f"{part.name}.csv")[:1]:
            row = (
                dict.fromkeys(suite_named(part.suite).COLUMNS, 0.5) | earlier
            )  # columns that are new have a value, too
            with begun.file(part.name).open("w", newline="") as stream:
                writer = csv.DictWriter(stream, row)
                writer.writeheader()
                writer.writerow(row)
    said = {f"{name}.{which}": fact(begun, f"{name}.{which}") for name in NAMES for which in facts_of(name)}
    assert all(said.values())
    assert sum(text != NOT_MEASURED for text in said.values()) > len(said) / 2


def test_rivals_are_drawn_from_a_sample_that_has_none_of_the_exact_ones(tmp_path: Path) -> None:
    begun = Record(tmp_path)
    begun.file("rivals").write_text("name,outcome,load_beside\npairs/iris/cop-kmeans,done,0.0\n")
    screen_named("rivals").draw(begun, tmp_path / "rivals.svg")
    assert "<svg" in (tmp_path / "rivals.svg").read_text()
    assert fact(begun, "rivals.scip_proved") == NOT_MEASURED


def test_the_pages_are_as_the_record_says() -> None:
    assert command.differing(Record(WHOLE)) == []


def test_every_screen_is_shown_with_its_picture_and_where_it_comes_from() -> None:
    shown = spans.names(ROOT.joinpath("docs/benchmarks.md").read_text())
    assert [name for name in NAMES if f"{name}.picture" not in shown] == []
    assert [name for name in NAMES if name != "whole" and f"{name}.provenance" not in shown] == []


@pytest.mark.parametrize(
    "line",
    [
        "in 6.2 minutes",
        "takes 53 s",
        "677 MB",
        "76 % of them",
        "379 times faster",
        "0.11 CPU seconds",
        "| 53 seconds |",
    ],
)
def test_a_planted_figure_is_found(line: str) -> None:
    assert by_hand(f"We prove it {line}.\n") == [f"We prove it {line}."]
    assert by_hand(f"so <!-- record a.b -->{line}<!-- end record -->, `{line}`\n\n```text\n{line}\n```\n") == []


def test_no_measured_figure_is_written_by_hand() -> None:
    assert by_hand(ROOT.joinpath("docs/benchmarks.md").read_text()) == []


def test_published_seconds_have_a_source() -> None:
    with ROOT.joinpath("benchmarks", "published.csv").open(newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert {row["method"] for row in rows} == set(published.SOURCES)
    assert all(row["source"] and float(row["seconds"]) > 0.0 for row in rows)


@pytest.mark.slow
def test_pictures_are_small_have_text_and_are_the_same_each_time(record: Record, page: Path) -> None:
    figure = command.picture_of("constrained", page.parent)
    drawn = []
    for _ in range(2):
        command.draw_all(record, page.parent)
        drawn.append(figure.read_bytes())
    assert drawn[0] == drawn[1]
    assert len(drawn[0]) < 60_000
    assert b">iris</text>" in drawn[0]
    record.file("published").unlink()
    command.draw_all(record, page.parent)
    assert not figure.exists()
