"""Run files that a hostile reader built by hand: few bytes that asked for gigabytes, minutes, or other files."""

import json
import os
import re
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pcsos.cli import main
from pcsos.evidence.codec import encode_floats, encode_integers
from pcsos.verify.reading import memory
from pcsos.verify.reading.database import JOURNAL_MAGIC
from tests.announcements import COMMANDS, Allowed, cost, harm
from tests.drafts import Draft, decisions, draft, evidence, infeasible, line, multipliers, write, zeros
from tests.slow import first_few
from tests.verify.certificates import hand_made

LIMITS = json.dumps({"limits": {"size_min": 1}})


def complete(n: int) -> bytes:
    """Cannot-links between all pairs of n points."""
    return encode_integers(np.array(np.triu_indices(n, 1)).T, differences=True)


def places(n: int, d: int = 1) -> bytes:
    return encode_floats(np.zeros((n, d)))


def many_digits() -> Draft:
    """Two points of very many features, in integers of 2,100 digits."""
    values = np.full((2, 1_500_000), 1e308)
    values[0, 0] = 5e-324
    found = draft(2, 1, encode_floats(values), evidence("open", multipliers(2)))
    found.claim.update(status="FEASIBLE", labels=zeros(2), objective=1.0)
    return found


def many_features() -> Draft:
    return draft(60, 2, encode_floats(np.ones((60, 50_000))), evidence("open", multipliers(60)))


def far_line() -> Draft:
    """A line of coordinates and weights over 600 decades."""
    n = 150_000
    x, w = np.arange(n) % 256 * 1e150, np.ones(n)
    x[1], w[0], w[1] = 5e-324, 5e-324, 1e300
    return draft(n, 2, encode_floats(x[:, None]), line(), weights=encode_floats(w))


def branched(n: int, **columns: Any) -> Draft:
    """A file about n points at one place, of which nothing is known but that two are together or apart."""
    found = draft(n, 2, places(n), **columns)
    found.branch(0, 0, 1)
    return found


def far_pairs() -> Draft:
    """Deductions of 400,000 cannot-links in all, on top of one another."""
    found, pairs = branched(900), np.array(np.triu_indices(900, 1))
    for own in np.array_split(pairs, 5, axis=1):
        found.add(0, "far", decisions(1, *own))
    return found


def empty_deductions() -> Draft:
    found = branched(1000, cannot_link=complete(1000))
    for _ in range(12):
        found.add(0, "fixed", zeros(3, 0), multipliers(1000))
    return found


def limits_of_many_points() -> Draft:
    """Leaves that are refuted under limits, with very many super-points."""
    n = 12_000
    triangle = encode_integers(np.array([[2, 3], [2, 4], [3, 4]]))
    found = draft(n, 2, places(n), conditions=LIMITS, cannot_link=triangle)
    for problem in found.branch(0, 0, 1):
        found.add(problem, "infeasible", encode_integers([2, 3, 4]))
    return found


def limits_of_a_complete_graph() -> Draft:
    return draft(1200, 1200, places(1200), infeasible(), conditions=LIMITS, cannot_link=complete(1200))


def deep_covers() -> Draft:
    """Parts of all points, each of the one before it, hundreds deep."""
    found, problem = draft(3, 2, places(3)), 0
    content = encode_integers([0, 1, 2], differences=True) + encode_floats([1.0, 1.0, 1.0])
    for _ in range(300):
        part = found.make(problem, "part", content)
        found.add(problem, "cover", encode_integers([part]))
        problem = part
    return found


ABSURD = (
    many_digits,
    many_features,
    far_line,
    far_pairs,
    empty_deductions,
    limits_of_many_points,
    limits_of_a_complete_graph,
    deep_covers,
)


@pytest.mark.parametrize("absurd", first_few(2, ABSURD), ids=lambda made: made.__name__)
def test_what_is_absurd_does_no_harm(tmp_path: Path, absurd: Callable[[], Draft]) -> None:
    path = tmp_path / "absurd.run"
    write(path, absurd())
    assert path.stat().st_size < 150_000
    found = cost(COMMANDS["verify"](path))
    assert not harm("verify", found, Allowed.of(path)), found


def parts_of_everything(number: int) -> Draft:
    found = branched(1000)
    content = encode_integers(np.arange(1000), differences=True) + encode_floats(np.full(1000, 2.0**-10))
    parts = [found.make(0, "part", content) for _ in range(number)]
    found.add(0, "cover", encode_integers(np.array(parts)))
    return found


def pairs_without_end(number: int) -> Draft:
    found = branched(100)
    for _ in range(number):
        found.add(0, "far", decisions(np.ones(1000, np.int64), 0, 1))
    return found


def matrices_without_end(number: int) -> Draft:
    found = branched(100)
    for _ in range(number):
        found.add(0, "fixed", zeros(3, 0), multipliers(100))
    return found


@pytest.mark.parametrize(
    ("command", "absurd"),
    [("report", parts_of_everything), ("info", pairs_without_end), ("info", matrices_without_end)],
)
def test_what_is_small_by_itself_is_refused_where_it_is_much_together(
    tmp_path: Path,
    command: str,
    absurd: Callable[[int], Draft],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(memory, "FIXED", 400_000)
    for number, status in ((1, 0), (200, 2)):
        write(tmp_path / f"{number}.run", absurd(number))
        assert main(COMMANDS[command](tmp_path / f"{number}.run")) == status
    assert re.search(r"takes \d MB, more than a file of this size may take", capsys.readouterr().err)


def test_far_pairs_are_not_read_into_tables_of_all_pairs_for_which_there_is_no_memory(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    found, path = draft(50, 2, places(50), evidence("far", decisions([1], 0, 1))), tmp_path / "far.run"
    found.branch(0, 0, 1)
    write(path, found)
    monkeypatch.setattr("pcsos.bounds.relaxation.peng_wei.MATRICES", 1e12)
    assert main(["resume", str(path), "--time-limit", "0", "--quiet"]) == 2
    assert "50 super-points at once needs about" in capsys.readouterr().err


@pytest.mark.parametrize("command", COMMANDS)
def test_a_journal_that_names_another_file_harms_none(tmp_path: Path, command: str) -> None:
    path, victim = hand_made(tmp_path / "a.run"), tmp_path / "victim"
    victim.write_text("precious")
    size = struct.unpack(">H", path.read_bytes()[16:18])[0]
    head = JOURNAL_MAGIC + struct.pack(">IIIII", 0, 0, path.stat().st_size // size, 512, size)
    name = os.fsencode(victim)
    signed = sum(c if c < 128 else c - 256 for c in name) & 0xFFFFFFFF
    last = struct.pack(">I", 0x40000000 // size + 1) + name + struct.pack(">II", len(name), signed) + JOURNAL_MAGIC
    Path(f"{path}-journal").write_bytes(head.ljust(512, b"\0") + last)
    assert main(COMMANDS[command](path)) == 2
    assert victim.read_text() == "precious"


@pytest.mark.parametrize("command", COMMANDS)
def test_a_pipe_is_no_run_file(tmp_path: Path, command: str, capsys: pytest.CaptureFixture[str]) -> None:
    os.mkfifo(tmp_path / "pipe.run")
    assert main(COMMANDS[command](tmp_path / "pipe.run")) == 2
    assert "there is no run file" in capsys.readouterr().err or command == "info"
