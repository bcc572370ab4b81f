"""The commands ``path`` and ``front``: table, JSON, picture, exit statuses, and what is refused at once."""

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.program import Call
from tests.report.pages import read_page

ROWS = "0,0\n0,1\n5,0\n5,1\n9,9\n9,8\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("points.csv").write_text(f"x,y\n{ROWS}")
    Path("pairs.txt").write_text("CL 0 1\nCL 1 2\nCL 0 2\n")
    return tmp_path


@pytest.fixture
def choose(call: Call) -> Call:
    """The program called with these points, for a path unless another command is given."""
    return lambda *arguments, command="path", **status: call(command, "points.csv", *arguments, **status)


def test_table_json_and_picture(choose: Call) -> None:
    pytest.importorskip("matplotlib")
    out, err = choose("--to", 4, "--json", "path.json", "--plot", "path.svg")
    assert [line.split()[:2] for line in out.splitlines()[1:4]] == [[k, "OPTIMAL"] for k in "234"]
    assert out.splitlines()[-1] == "k = 3 has the greatest index of Calinski and Harabasz for certain"
    assert [line.split(",")[0] for line in err.splitlines()] == [f"k = {k}: OPTIMAL" for k in (2, 3, 4)]
    values = json.loads(Path("path.json").read_text())
    assert (values["best"], values["contenders"]) == (3, [3])
    assert values["path"][1]["labels"] == [0, 0, 1, 1, 2, 2]
    assert values["path"][1]["objective"] == pytest.approx(1.5)
    assert "<svg" in Path("path.svg").read_text()


def test_a_range_of_numbers(choose: Call) -> None:
    out = choose("-k", "2-3").out
    assert [line.split()[0] for line in out.splitlines()[1:3]] == ["2", "3"]
    assert out.endswith("for certain; this is where the range ends, so try more clusters, too\n")


def test_json_on_standard_output_is_alone_there(choose: Call) -> None:
    out, err = choose("--to", 3, "--json", "-", "--quiet")
    assert err == ""
    assert [row["n_clusters"] for row in json.loads(out)["path"]] == [2, 3]


def test_numbers_that_constraints_do_not_allow(choose: Call) -> None:
    out = choose("--to", 4, "--constraints", "pairs.txt").out
    assert [line.split()[1] for line in out.splitlines()[1:4]] == ["INFEASIBLE", "OPTIMAL", "OPTIMAL"]
    choose("--from", 1, "--to", 2, "--constraints", "pairs.txt", status=3)


def test_what_is_stopped_is_no_proof(choose: Call) -> None:
    choose("--to", 3, "--time-limit", 0, status=4)


def test_a_front(choose: Call) -> None:
    pytest.importorskip("matplotlib")
    Path("points.csv").write_text("x\n0\n4\n5\n9.2\n10\n16\n")
    options = ("-k", 2, "--json", "front.json", "--plot", "front.png")
    out, err = choose(*options, "--criterion", "split", command="front")
    lines = [line.split() for line in out.splitlines()]
    assert out.splitlines()[-1] == "no partition has a larger split"
    assert [(line[0], line[3]) for line in lines[1:-1]] == [("4.2", "41.626667"), ("6", "66.592")]
    assert len(err.splitlines()) == 2
    assert [row["split"] for row in json.loads(Path("front.json").read_text())["corners"]] == pytest.approx([4.2, 6.0])
    assert Path("front.png").read_bytes().startswith(b"\x89PNG")


def test_a_front_without_partitions_or_without_time(choose: Call) -> None:
    err = choose("-k", 2, "--constraints", "pairs.txt", command="front", status=3).err
    assert "the instance is infeasible: two clusters are too few" in err
    choose("-k", 3, "--time-limit", 0, command="front", status=4)


@pytest.mark.parametrize(
    ("command", "options", "said"),
    [("path", ("--to", 3), "so try more clusters, too."), ("front", ("-k", 3), "This is proved.")],
)
def test_a_page(command: str, options: tuple[object, ...], said: str, choose: Call) -> None:
    pytest.importorskip("plotly", reason='needs plotly (pip install "pcsos[report]")')
    assert choose(*options, "--report", "page.html", "--quiet", command=command) == ("", "")
    page = read_page(Path("page.html").read_text())
    assert "points.csv" in page.by_id("data").text
    assert "2: x, y" in page.by_id("data").text
    assert page.by_id("proved").text.endswith(said)
    err = choose(*options, "--report", "no folder/page.html", command=command, status=2).err
    assert "no folder" in err


def test_a_page_needs_plotly_before_anything_is_searched(
    refused: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "plotly", None)
    assert 'pip install "pcsos[report]"' in refused("path", "points.csv", "--to", 3, "--report", "page.html")


def test_limits_of_distance_hold_for_every_number(choose: Call) -> None:
    out = choose("--to", 3, "--max-diameter", 1.5).out
    assert [line.split()[1] for line in out.splitlines()[1:3]] == ["INFEASIBLE", "OPTIMAL"]


@pytest.mark.slow
def test_limits_and_soft_pairs(choose: Call) -> None:
    out, err = choose("--from", 2, "--to", 4, "--size-min", 2)
    assert [line.split()[:2] for line in out.splitlines()[1:4]] == [
        ["2", "OPTIMAL"],
        ["3", "OPTIMAL"],
        ["4", "INFEASIBLE"],
    ]
    assert "4 clusters of size_min = 2 need 8 points, but there are 6; give at most 1" in err
    Path("soft.txt").write_text("SML 0 2 3\nSCL 4 5\n")
    soft = ("--constraints", "soft.txt", "--penalty", 0.5)
    out = choose("--to", 3, *soft).out
    assert out.splitlines()[2].split()[3] == "5"  # 1.5 and both penalties
    out = choose("-k", 3, *soft, "--sizes", "1,2,3", "--json", "front.json", command="front").out
    corners = json.loads(Path("front.json").read_text())["corners"]
    assert all(sorted(corner["labels"].count(c) for c in range(3)) == [1, 2, 3] for corner in corners)


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("--from", 4, "--to", 3), "numbers of clusters from 4 to 3 are none; give the least one first"),
        (("--to", 7), "7 clusters are asked for, but there are only 6 points; give at most that"),
        (("--plot", "path.gif"), "--plot is path.gif; give a file that ends with .png, .svg or .pdf"),
        (("--json", "points.csv"), "--json and POINTS are both points.csv; give different files"),
        (("-k", "3-two"), "'3-two' is not a range of numbers of clusters; give one such as 2-5"),
        (("-k", "5-2"), "numbers of clusters from 5 to 2 are none; give the least one first"),
        (("--to", 3, "--sizes", "1,2,3"), "sizes list the points of one number of clusters, and a path has several"),
        (("--to", 3, "--penalty", "confidence"), "--penalty says nothing without soft pairs"),
        (
            ("--to", 3, "--size-min", 3, "--size-max", 2),
            "size_min is 3, more than size_max = 2; exchange or correct them",
        ),
    ],
)
def test_bad_arguments_are_refused(refused: Callable[..., str], arguments: tuple[object, ...], reason: str) -> None:
    assert reason in refused("path", "points.csv", *arguments)
