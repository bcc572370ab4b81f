"""Labels to begin with: taken over, checked, never lost."""

import json
from pathlib import Path

import numpy as np
import pytest

import pcsos
from pcsos.base.events import Event, IncumbentFound
from pcsos.base.exceptions import InputError
from pcsos.cli import main
from pcsos.evidence.result import Reason, Status
from pcsos.evidence.run_file import RunFile
from pcsos.search import run
from pcsos.verify import verify

POINTS = np.random.default_rng(4).standard_normal((60, 8))
LABELS = np.arange(60) % 6


def test_they_are_the_first_incumbent_and_not_the_last() -> None:
    events: list[Event] = []
    result = pcsos.solve(
        POINTS, 6, start=LABELS, workers=1, options=pcsos.Options(node_limit=0, on_event=events.append)
    )
    found = [event for event in events if isinstance(event, IncumbentFound)]
    assert (found[0].source, found[-1].source) == ("I", "K")
    assert result.objective == found[-1].objective < found[0].objective


@pytest.mark.slow
def test_the_best_ones_are_kept_and_named() -> None:
    best = pcsos.solve(POINTS, 2, workers=1, gap=1e-3)
    names = np.array(["oak", "elm"])[best.labels]
    events: list[Event] = []
    result = pcsos.solve(POINTS, 2, start=names, workers=1, gap=1e-3, options=pcsos.Options(on_event=events.append))
    assert [event.source for event in events if isinstance(event, IncumbentFound)] == ["I"]
    assert result.status is Status.OPTIMAL
    np.testing.assert_array_equal(result.labels, best.labels)


@pytest.mark.parametrize(
    ("labels", "reason"),
    [
        ([0, 0, 1], "there are 3 labels for 4 points"),
        ([0, 0, 0, 0], "cannot start from these labels: the labels use 1 cluster instead of 2; give labels"),
        ([0, 1, 2, 2], "use 3 clusters instead of 2"),
        ([0, 1, 1, 0], "points 2 and 3 must be linked but are apart"),
        ([0, 1, 1, 1], "points 1 and 2 cannot be linked but are together"),
        (["a", None, "b", "b"], r"start\[1\] is None"),
    ],
)
def test_those_that_are_no_partition_are_refused(labels: object, reason: str, tmp_path: Path) -> None:
    instance = pcsos.Instance([[0.0, 1.0], [1.0, 0.0], [5.0, 1.0], [6.0, 7.0]], 2, [(2, 3)], [(1, 2)])
    with pytest.raises(InputError, match=reason):
        pcsos.solve(instance, start=labels, run_file=tmp_path / "run")  # type: ignore[arg-type]
    assert not (tmp_path / "run").exists()


def test_they_are_kept_where_a_run_is_ended_before_its_search(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "presolve_root", lambda *_, **__: None)
    path = tmp_path / "run"
    result = pcsos.solve(POINTS, 6, start=LABELS, workers=1, run_file=path)
    assert (result.status, result.reason) == (Status.FEASIBLE, Reason.INTERRUPTED)
    np.testing.assert_array_equal(result.labels, LABELS)
    with RunFile.open(path) as file:
        assert file.incumbent().objective == result.objective
        assert file.given() is None  # they are not what is to be certified
    monkeypatch.undo()
    assert pcsos.resume(path, workers=1, options=pcsos.Options(node_limit=0)).objective < result.objective


def test_a_run_that_begins_with_them_is_verified(tmp_path: Path) -> None:
    points = np.random.default_rng(6).standard_normal((30, 2))
    path = tmp_path / "run"
    begun = pcsos.solve(
        points, 3, start=np.arange(30) % 3, workers=1, run_file=path, options=pcsos.Options(node_limit=0)
    )
    result = pcsos.resume(path, workers=1)
    assert result.status is Status.OPTIMAL
    assert result.objective <= begun.objective
    assert verify(path).objective == pytest.approx(result.objective)


def test_the_command_takes_them_from_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    points, labels, log = (tmp_path / name for name in ("points.csv", "labels.csv", "log"))
    np.savetxt(points, POINTS, delimiter=",")
    labels.write_text("label\n" + "".join(f"c{label}\n" for label in LABELS))
    command = ["solve", str(points), "-k", "6", "--initial-labels", str(labels), "--workers", "1", "--node-limit", "0"]
    assert main([*command, "--log", str(log)]) == 4
    heard = [json.loads(line) for line in log.read_text().splitlines()]
    assert next(event["source"] for event in heard if event["event"] == "incumbent") == "I"
    assert main([*command, "--labels", str(labels)]) == 2
    assert "--labels and --initial-labels are both" in capsys.readouterr().err
