"""The suites of trust ask what they say: kills meet a tree, and certificates in several blocks are checked twice."""

import re
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

import pcsos
from benchmarks.record.plan import PLAN
from benchmarks.suites import checkers, kill
from benchmarks.suites.certify import found_labels, mixture


def test_a_run_that_is_killed_has_a_tree_and_ends_as_without_kills(tmp_path: Path) -> None:
    alone, again = (kill.solve(150, str(tmp_path / name)) for name in ("alone.run", "again.run"))
    assert alone.nodes > 1
    assert (alone.objective, alone.lower_bound, alone.status) == (again.objective, again.lower_bound, again.status)


@pytest.mark.parametrize("lost", [{1}, {2}, set()])
def test_a_run_whose_file_lacks_a_closed_node_fails(monkeypatch: pytest.MonkeyPatch, lost: set[int]) -> None:
    lives = iter([(True, {0, 1}), (False, {2})])
    held: set[int] = set()

    def live(*_: object) -> tuple[bool, set[int]]:
        killed, closed = next(lives)
        held.update(closed - lost)
        return killed, closed

    result = SimpleNamespace(nodes=3, objective=1.0, lower_bound=1.0, status="OPTIMAL")
    monkeypatch.setattr(kill, "solve", lambda *_: result)
    monkeypatch.setattr(kill.pcsos, "resume", lambda _: result)
    monkeypatch.setattr(kill, "_live", live)
    monkeypatch.setattr(kill, "_nodes_in", lambda _: set(held) or None)
    found = pytest.raises(RuntimeError, match=re.escape(f"closed nodes are not in the run file: {sorted(lost)}"))
    with found if lost else nullcontext():
        assert kill.run(0)["kills"] == 1


def test_only_a_file_that_holds_nothing_was_killed_before_it_was_written(tmp_path: Path) -> None:
    path = tmp_path / "killed.run"
    assert kill._nodes_in(path) is None
    path.touch()
    assert kill._nodes_in(path) is None
    path.write_bytes(b"half of a database")
    with pytest.raises(pcsos.RunFileError):
        kill._nodes_in(path)
    assert path.exists()


def test_the_record_has_a_certificate_in_blocks_for_both_checkers() -> None:
    part = next(part for part in PLAN if part.name == "checkers")
    cases = replace(part, data=None).cases(part.settings(None), quick=False)
    chosen = [case.arguments for case in cases if case.arguments.get("in_blocks")]
    assert [arguments["mixture"] for arguments in chosen] == [checkers.BLOCKS]


def test_a_certificate_in_blocks_has_several() -> None:
    instance = mixture(*checkers.BLOCKS)
    labels = found_labels(instance, 600.0)
    result = pcsos.certify(instance, labels, gap=0.1, workers=1, params=checkers.IN_BLOCKS)
    assert result.to_dict()["n_blocks"] > 1
