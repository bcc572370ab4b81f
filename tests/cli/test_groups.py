"""The command line with groups: files of labels, numbers for each group, and what is refused."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from pcsos import Groups, Instance
from tests.cli.program import Call

POINTS = [0.0, 1.0, 2.0, 8.0, 9.0, 10.0]
FAIR = ["--groups", "groups.csv", "--group-min", "1"]


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("points.csv").write_text("x\n" + "".join(f"{value}\n" for value in POINTS))
    Path("groups.csv").write_text("a\na\na\nb\nb\nb\n")
    Path("labels.csv").write_text("0\n0\n1\n0\n1\n1\n")


@pytest.mark.slow
def test_a_run_from_its_beginning_to_its_page(call: Call, refused: Callable[..., str]) -> None:
    command = ["solve", "points.csv", "-k", "2", *FAIR, "--group-max", "a=2,b=2", "--workers", "1"]
    call(*command, "--run-file", "a.run", "--json", "result.json")
    found = json.loads(Path("result.json").read_text())
    own = Instance(POINTS, 2, conditions=[Groups([*"aaabbb"], at_least=1, at_most=2)]).asked.to_dict()["limits"]
    assert found["limits"] == own
    assert sorted(found["labels"][:3]) in ([0, 0, 1], [0, 1, 1])
    given = ["verify", "a.run", "--points", "points.csv", "-k", "2"]
    call(*given, *FAIR, "--group-max", "2")
    call(*given, *FAIR, status=5)
    call(*given, status=5)
    assert "--groups says nothing without --points" in refused("verify", "a.run", "--groups", "groups.csv")
    limits = "group_min = 1 of the 3 of group 'a', 1 of the 3 of group 'b', group_max = 2 of the 3"
    assert limits in call("info", "a.run").out
    pytest.importorskip("plotly")
    call("report", "a.run", "-o", "page.html")
    page = Path("page.html").read_text()
    assert "minimum number of points of each group in a cluster" in page
    assert "1 of the 3 of group &#x27;a&#x27;" in page or "1 of the 3 of group 'a'" in page


def test_info_says_in_words_what_json_holds_of_all_points(call: Call) -> None:
    shown = call("info", "points.csv", "-k", "2", *FAIR, "--json", "info.json").out
    assert "group min   1 of the 3 of group 'a', 1 of the 3 of group 'b'\n" in shown
    assert "a, a, a" not in shown
    found = json.loads(Path("info.json").read_text())
    assert (found["groups"], found["group_min"]) == ([*"aaabbb"], [["a", 1], ["b", 1]])


@pytest.mark.parametrize("command", ["heuristic", "certify", "path", "front"])
def test_other_commands_keep_to_the_groups(command: str, call: Call) -> None:
    own = {
        "heuristic": ["-k", "2", "--max-stall", "20"],
        "certify": ["--labels", "labels.csv", "--workers", "1"],
        "path": ["--to", "4", "--workers", "1"],
        "front": ["-k", "2", "--workers", "1"],
    }[command]
    call(command, "points.csv", *own, *FAIR, "--json", "found.json", "--quiet", status=(0, 4))
    found = json.loads(Path("found.json").read_text())
    rows = found.get("path") or found.get("corners") or [found]
    partitions = [row["labels"] for row in rows if row["labels"] is not None]
    assert partitions
    for labels in partitions:
        assert set(labels[:3]) == set(labels[3:]) == set(labels)
    if command == "path":
        assert rows[-1]["status"] == "INFEASIBLE"


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        (["--group-min", "1"], "group_min is given without groups; give the group of each point as groups, too"),
        (["--groups", "none.csv", "--group-min", "1"], "none.csv"),
        ([*FAIR[:3], "c=1"], "group_min names the group 'c', but the groups are 'a', 'b'; correct the name"),
        ([*FAIR[:3], "a=1,a=1"], "group_min names the group 'a' twice; leave one of them out"),
        ([*FAIR[:3], "a=x"], "'x' is not a whole number of at least 0"),
        ([*FAIR[:3], "a=1,b"], "'b' is not a whole number of at least 0"),
        ([*FAIR[:3], "-1"], "group-min"),
        ([*FAIR[:3], "2"], "2 clusters of group_min = 2 for group 'a' need 4 points of it, but there are 3"),
        (["--groups", "short.csv", "--group-max", "0=2"], "short.csv holds 1 labels for 6"),
    ],
)
def test_bad_options_are_refused_in_one_sentence(given: list[str], sentence: str, refused: Callable[..., str]) -> None:
    Path("short.csv").write_text("a\n")
    assert sentence in refused("solve", "points.csv", "-k", "2", *given)


def test_an_output_does_not_overwrite_the_groups(refused: Callable[..., str]) -> None:
    assert "--groups" in refused("solve", "points.csv", "-k", "2", *FAIR, "--labels", "groups.csv")
    assert Path("groups.csv").read_text().startswith("a\na\n")
