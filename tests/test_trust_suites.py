"""The suites of trust ask what they say: kills meet a tree, and certificates in several blocks are checked twice."""

from dataclasses import replace
from pathlib import Path

import pcsos
from benchmarks.record.plan import PLAN
from benchmarks.suites import checkers, kill
from benchmarks.suites.certify import found_labels, mixture


def test_a_run_that_is_killed_has_a_tree_and_ends_as_without_kills(tmp_path: Path) -> None:
    alone, again = (kill.solve(150, str(tmp_path / name)) for name in ("alone.run", "again.run"))
    assert alone.nodes > 1
    assert (alone.objective, alone.lower_bound, alone.status) == (again.objective, again.lower_bound, again.status)


def test_the_record_has_a_certificate_in_blocks_for_both_checkers() -> None:
    part = next(part for part in PLAN if part.name == "checkers")
    cases = replace(part, data=None).cases(part.settings(None), quick=False)
    chosen = [case.arguments for case in cases if case.arguments.get("in_blocks")]
    assert [arguments["mixture"] for arguments in chosen] == [checkers.BLOCKS]


def test_a_certificate_in_blocks_has_several() -> None:
    instance = mixture(*checkers.BLOCKS)
    labels = found_labels(instance, 1.0)
    result = pcsos.certify(instance, labels, gap=0.1, time_limit=20.0, workers=1, params=checkers.IN_BLOCKS)
    assert result.to_dict()["n_blocks"] > 1
