"""The command line with loads: a file of columns, limits of each, and what is refused."""

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from pcsos import Instance, Loads
from tests.cli.program import Call

POINTS = [0.0, 1.0, 2.0, 8.0, 9.0, 10.0]
TABLE = np.array([[3, 1], [1, 1], [1, 1], [1, 1], [2, 4], [1, 1]])
CARRIED = ["--loads", "loads.csv", "--load-max", "5,7"]


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("points.csv").write_text("x\n" + "".join(f"{value}\n" for value in POINTS))
    Path("loads.csv").write_text("kg,m3\n" + "".join(f"{kg},{volume}\n" for kg, volume in TABLE))
    Path("labels.csv").write_text("0\n0\n1\n1\n1\n0\n")


@pytest.mark.slow
def test_a_run_from_its_beginning_to_its_page(call: Call) -> None:
    own = ["-k", "2", *CARRIED, "--load-min", "4"]
    shown = call("solve", "points.csv", *own, "--workers", "1", "--run-file", "a.run", "--json", "result.json").out
    found = json.loads(Path("result.json").read_text())
    asked = Instance(POINTS, 2, conditions=[Loads(TABLE, at_least=4, at_most=[5, 7])]).asked.to_dict()["limits"]
    assert found["limits"] == asked
    kg, volume = (np.bincount(found["labels"], column).tolist() for column in TABLE.T)
    assert f"loads        {kg[0]:g}, {kg[1]:g}; {volume[0]:g}, {volume[1]:g}" in shown
    call("verify", "a.run", "--points", "points.csv", *own)
    call("verify", "a.run", "--points", "points.csv", *own[:-3], "5,8", status=5)
    call("verify", "a.run", "--points", "points.csv", "-k", "2", status=5)
    assert "load_min = 4, 4, load_max = 5, 7" in call("info", "a.run").out
    pytest.importorskip("plotly")
    call("report", "a.run", "-o", "page.html")
    page = Path("page.html").read_text()
    assert "maximum load of a cluster" in page
    assert "5, 7" in page


@pytest.mark.parametrize("command", ["heuristic", "certify", "path", "info"])
def test_other_commands_keep_to_the_loads(command: str, call: Call) -> None:
    own = {
        "heuristic": ["-k", "2", "--max-stall", "20"],
        "certify": ["--labels", "labels.csv", "--workers", "1"],
        "path": ["--to", "3", "--workers", "1"],
        "info": ["-k", "2"],
    }[command]
    call(command, "points.csv", *own, *CARRIED, "--json", "found.json", "--quiet", status=(0, 4))
    found = json.loads(Path("found.json").read_text())
    assert command != "info" or found["load_max"] == [5.0, 7.0]
    for row in found.get("path") or [found]:
        if row.get("labels") is not None:
            held = np.array([np.bincount(row["labels"], column) for column in TABLE.T])
            assert (held.max(axis=1) <= [5, 7]).all()


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        (["--load-max", "5"], "load_max is given without loads"),
        ([*CARRIED[:3], "5,x"], "'x' is not a load; give a number of 0 or more"),
        ([*CARRIED[:3], "5,7,9"], "load_max are 3 limits for 2 loads"),
        ([*CARRIED[:3], "4"], "2 clusters of load_max = 4 hold 8 of load 0 in all, but there are 9"),
        (["--loads", "short.csv", *CARRIED[2:]], "short.csv has 2 rows; give a row for each of 6 points"),
        (["--loads", "ids.csv", *CARRIED[2:]], "ids.csv has the column 'id'"),
    ],
)
def test_bad_options_are_refused_in_one_sentence(given: list[str], sentence: str, refused: Callable[..., str]) -> None:
    Path("short.csv").write_text("kg\n1\n2\n")
    Path("ids.csv").write_text("id,kg\n" + "".join(f"{row},{row}\n" for row in range(6)))
    assert sentence in refused("solve", "points.csv", "-k", "2", *given)
