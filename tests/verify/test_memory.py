"""Run files in which a few bytes ask for gigabytes or years: refused, or read, in little memory and time."""

from pathlib import Path

import pytest

from benchmarks import runner
from benchmarks.case import Settings
from benchmarks.suites import memory
from tests.slow import first_few
from tests.verify.bombs import BOMBS
from tests.verify.certificates import hand_made

CASES = {case.arguments["bomb"]: case for case in memory.cases(Settings())}


@pytest.mark.parametrize("bomb", first_few(3, BOMBS))
def test_a_bomb_does_no_harm(bomb: str) -> None:
    row = runner.run_case("memory", CASES[bomb], Settings())
    assert memory.is_harmless(row), row


@pytest.mark.parametrize("bomb", BOMBS)
def test_a_bomb_is_small(bomb: str, tmp_path: Path) -> None:
    sound = hand_made(tmp_path / "sound").stat().st_size
    assert BOMBS[bomb](tmp_path / "run") < 500
    assert (tmp_path / "run").stat().st_size <= sound + 8192


def test_what_does_harm_is_noticed() -> None:
    row = {"outcome": "done", "sentence": "refused: too large", "peak_mb": 100.0, "seconds": 0.1}
    assert memory.is_harmless(row)
    for change in ({"outcome": "failed"}, {"sentence": "MemoryError()"}, {"peak_mb": 501.0}, {"seconds": 21.0}):
        assert not memory.is_harmless(row | change)
    done = row | {"bomb": "N", "bytes": 31, "error": None}
    assert "1 of 1" in memory.report([done], Settings())
