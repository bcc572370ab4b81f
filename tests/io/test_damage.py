"""Files damaged at random are read or refused in one sentence, whatever the damage."""

from pathlib import Path

import numpy as np
import pytest

from pcsos.base.exceptions import InputError
from pcsos.io import read_constraints, read_points
from tests.io.test_points import POINTS, WELL_FORMED

CONSTRAINTS = {
    "text": b"ML 0 1\nCL 1 2\nGAMMA 3\nDELTA 0.5\n",
    "JSON": b'{"ml": [[0, 1]], "cl": [[1, 2]]}',
}
LETTERS = b'0123456789.,;- \t\nexnaMLC#"{}[]\x00\xff\x93PK'


def damaged(data: bytes, rng: np.random.Generator) -> bytes:
    """Return the data with a byte changed, a few removed, a few inserted, or the end cut off."""
    at = int(rng.integers(len(data)))
    length = int(rng.integers(1, 8))
    inserted = bytes(rng.choice(list(LETTERS), length).tolist())
    return [
        data[:at] + inserted[:1] + data[at + 1 :],
        data[:at] + data[at + length :],
        data[:at] + inserted + data[at:],
        data[:at],
    ][rng.integers(4)]


@pytest.mark.parametrize("kind", WELL_FORMED)
def test_points(tmp_path: Path, kind: str) -> None:
    rng = np.random.default_rng(0)
    refused = []
    for _ in range(40):
        (tmp_path / "points").write_bytes(damaged(WELL_FORMED[kind], rng))
        try:
            points = read_points(tmp_path / "points")
        except InputError as error:
            refused.append(str(error))
        else:
            assert points.ndim == 2
            assert points.size > 0
            assert np.isfinite(points).all()
    assert refused
    assert not any("\n" in message for message in refused)


@pytest.mark.parametrize("kind", CONSTRAINTS)
def test_constraints(tmp_path: Path, kind: str) -> None:
    rng = np.random.default_rng(0)
    refused = []
    for _ in range(100):
        (tmp_path / "constraints").write_bytes(damaged(CONSTRAINTS[kind], rng))
        try:
            constraints = read_constraints(tmp_path / "constraints", POINTS)
        except InputError as error:
            refused.append(str(error))
        else:
            for pairs in (constraints.must_link, constraints.cannot_link):
                assert (pairs[:, 0] < pairs[:, 1]).all()
    assert 0 < len(refused) < 100
    assert not any("\n" in message for message in refused)
