"""What is proved without cannot-links, limits or soft pairs counts with them: on a line, by prices, beside a tree."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pcsos
from pcsos.evidence.kinds import Cover, Line, Prices
from pcsos.evidence.result import Reason, Status
from pcsos.evidence.run_file import RunFile
from pcsos.problem.options import Options
from pcsos.problem.params import BlockParams, Params
from pcsos.search.blocks.bounder import ByBlocks
from pcsos.verify import verify
from tests.asked import asked
from tests.clouds import clouds

LINE = np.random.default_rng(3).normal(size=3_000)
ORDER = np.argsort(LINE).tolist()
FREE = pcsos.solve(LINE, 5, gap=1e-9, workers=1)
#: Two neighbours in the middle of a cluster.
NEIGHBOURS = next(
    (ORDER[at], ORDER[at + 1]) for at in range(1_400, 1_600) if FREE.labels[ORDER[at - 9]] == FREE.labels[ORDER[at + 9]]
)
CONDITIONS: dict[str, dict[str, Any]] = {
    "cannot-link": {"cannot_link": [NEIGHBOURS]},
    "cannot-link that holds anyway": {"cannot_link": [(ORDER[0], ORDER[-1])]},
    "soft": {"soft_cannot_link": [(*NEIGHBOURS, 0.01)]},
}


def rows(path: Path) -> list[tuple[int, str, float]]:
    """Problem, kind and bound of all evidence."""
    with RunFile.read(path) as file:
        return file._connection.execute("SELECT problem, kind, bound FROM evidence ORDER BY position").fetchall()


@pytest.mark.parametrize("given", CONDITIONS.values(), ids=CONDITIONS)
def test_the_bound_of_a_line_holds_for_whatever_else_is_asked(given: dict[str, Any], tmp_path: Path) -> None:
    result = pcsos.solve(LINE, 5, gap=0.3, workers=1, run_file=tmp_path / "run", **asked(**given))
    assert result.lower_bound == pytest.approx(FREE.lower_bound, rel=1e-14)
    assert result.status is Status.OPTIMAL
    (closed,) = rows(tmp_path / "run")
    assert closed == (0, Line.kind, FREE.lower_bound)
    assert verify(tmp_path / "run").status == result.status
    again = pcsos.resume(tmp_path / "run", workers=1)
    assert (again.status, again.lower_bound) == (result.status, result.lower_bound)
    assert rows(tmp_path / "run") == [closed]


def test_the_better_of_line_and_tree_counts(tmp_path: Path) -> None:
    points, path = LINE[:40], tmp_path / "run"
    free = pcsos.solve(points, 3, workers=1)
    pairs = [tuple(np.argsort(points)[at : at + 2].tolist()) for at in (5, 12, 20, 33)]
    first = pcsos.solve(points, 3, cannot_link=pairs, workers=1, run_file=path, options=pcsos.Options(node_limit=0))
    assert (first.reason, first.lower_bound) == (Reason.NODE_LIMIT, 0.0)
    result = pcsos.resume(path, workers=1)
    assert (result.status, result.nodes >= 1) == (Status.OPTIMAL, True)
    assert result.objective > 1.01 * free.objective
    (line, *others) = rows(path)
    assert line[:2] == (0, Line.kind)
    assert Line.kind not in {kind for _, kind, _ in others} != set()
    assert verify(path, gap=1e-4).lower_bound >= result.lower_bound


def test_behind_a_line_the_whole_is_certified_with_its_cannot_links(tmp_path: Path) -> None:
    points, path = LINE[:40], tmp_path / "run"
    pairs = [tuple(np.argsort(points)[at : at + 2].tolist()) for at in (5, 12, 20, 33)]
    best = pcsos.solve(points, 3, cannot_link=pairs, workers=1)
    result = pcsos.certify(points, best.labels, cannot_link=pairs, gap=1e-4, workers=1, run_file=path)
    assert result.status is Status.OPTIMAL
    (line, *others) = rows(path)
    assert line[:2] == (0, Line.kind)
    assert not {Line.kind, Cover.kind} & {kind for _, kind, _ in others}
    assert others[-1][2] > 1.01 * line[2]
    assert verify(path).lower_bound >= result.lower_bound


@pytest.mark.parametrize("limit", [{"size_min": 150}, {"soft_must_link": [(0, 1, 1e-6)]}], ids=["sizes", "soft"])
def test_prices_count_where_blocks_do(limit: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    points, _ = clouds(1, 900, 4, 2, 6.0)
    monkeypatch.setattr(ByBlocks, "bound", None)  # which leave out the same, and prove no more
    result = pcsos.solve(points, 4, workers=1, run_file=tmp_path / "run", **asked(**limit))
    assert result.status is Status.OPTIMAL
    assert [kind for _, kind, _ in rows(tmp_path / "run")] == [Prices.kind]
    assert verify(tmp_path / "run").lower_bound >= result.lower_bound


@pytest.mark.slow
@pytest.mark.parametrize("name", ["sizes", "soft"])
def test_beside_the_blocks_of_a_large_instance_the_tree_counts_all_that_is_asked(name: str, tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    points, _ = clouds(rng, 240, 3, 8, 20.0)
    points[:4] = points[4] + rng.normal(size=(4, 8))
    given: dict[str, Any] = {"size_min": 79, "size_max": 81}
    large = Options(params=Params(blocks=BlockParams(whole_up_to=100, least_size=20)), workers=1)
    if name == "soft":
        given = {"soft_must_link": [(0, 1, 5.0), (5, 6, 30.0)], "soft_cannot_link": [(0, 3, 50.0), (7, 10, 60.0)]}
    result = pcsos.solve(points, 3, options=large, run_file=tmp_path / "run", **asked(**given))
    assert (result.status, result.nodes >= 1) == (Status.OPTIMAL, True)
    with RunFile.read(tmp_path / "run") as file:
        assert file.cover()
        assert next(file.records()).node == 0
    assert verify(tmp_path / "run").status == "OPTIMAL"
    certified = pcsos.certify(points, result.labels, options=large, run_file=tmp_path / "certified", **asked(**given))
    assert verify(tmp_path / "certified").lower_bound >= certified.lower_bound > 0.0
