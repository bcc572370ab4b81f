"""The first run tells that it compiles, and only the first."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import pcsos
from pcsos import kernels
from pcsos.events import Event, Notice


def told_by_a_solve() -> list[str]:
    told: list[Event] = []
    pcsos.solve([[0.0], [1.0], [5.0]], 2, cannot_link=[(0, 1)], workers=1, on_event=told.append)
    return [event.message for event in told if isinstance(event, Notice)]


def test_an_empty_cache_is_seen_without_compiling(tmp_path: Path) -> None:
    environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)}
    script = "from pcsos.kernels import are_compiled; print(are_compiled())"
    done = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


def test_the_first_run_says_that_it_compiles(monkeypatch: pytest.MonkeyPatch) -> None:
    told_by_a_solve()
    assert kernels.are_compiled()
    assert told_by_a_solve() == []
    monkeypatch.setattr(kernels, "are_compiled", lambda: False)
    assert told_by_a_solve() == [kernels.FIRST_RUN]
