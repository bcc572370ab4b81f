"""Programs of others: one that fails costs its own figures and no others."""

from functools import partial

import pytest

from benchmarks.comparators import programs
from benchmarks.suites.comparators import measure
from pcsos.problem.instance import Instance


def test_of_a_program_that_fails_only_the_failures_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(kind: object, instance: Instance, seed: int, num_starts: int) -> object:
        raise ValueError("an empty cluster")

    monkeypatch.setitem(programs.PROGRAMS, "KMeans", programs.Program("sklearn.cluster", fail))
    instance = Instance([0.0, 1.0, 8.0, 9.0], 2)
    with pytest.raises(programs.ProgramFailedError, match="KMeans raised ValueError: an empty cluster"):
        programs.run_program("KMeans", instance, seed=0)
    assert measure(partial(programs.run_program, "KMeans", instance)) == {"num_failed": 5}
