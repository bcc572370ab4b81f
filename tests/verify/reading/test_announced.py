"""Run files that announce more than they hold do no harm. The suite ``announced`` takes many more, and all commands."""

from pathlib import Path

import numpy as np
import pytest

from tests.announcements import COMMANDS, KINDS, Allowed, Cost, announce, cost, harm
from tests.drafts import write, zeros
from tests.slow import first_few


@pytest.mark.parametrize("seed", first_few(1, [0, 2, 4, 1, 3, *range(5, 12)]))
def test_what_is_announced_does_no_harm(tmp_path: Path, seed: int) -> None:
    path = tmp_path / "announced.run"
    kind = announce(path, seed)
    name, allowed = "verify" if seed % 3 else list(COMMANDS)[seed // 3], Allowed.of(path)
    found = cost(COMMANDS[name](path))
    assert not harm(name, found, allowed), (kind, found)


#: 25 bytes that once took 2.7 GB and were accepted.
KNOWN = {
    "must-links": {"must_link": zeros(2**25, 2)},
    "cannot-links": {"cannot_link": zeros(2**25, 2)},
}


@pytest.mark.slow
@pytest.mark.parametrize("known", KNOWN)
def test_pairs_that_are_not_there_are_refused(tmp_path: Path, known: str) -> None:
    rng = np.random.default_rng(0)
    draft = KINDS["chain"](rng)
    draft.instance.update(KNOWN[known])
    write(tmp_path / "known.run", draft)
    for name in ("verify", "info"):
        found = cost(COMMANDS[name](tmp_path / "known.run"))
        assert found.status == (5 if name == "verify" else 2)
        assert not harm(name, found, Allowed(202.0, 33.0))
        assert found.megabytes < 150.0


def test_harm_is_noticed() -> None:
    fine = Cost(0, 1.0, 100.0, "")
    assert harm("verify", fine, Allowed(202.0, 33.0)) == ""
    for other in (
        fine._replace(status=1),
        fine._replace(status=-9),
        fine._replace(said="pcsos: unexpected error"),
        fine._replace(megabytes=203.0),
        fine._replace(seconds=40.0),
    ):
        assert harm("verify", other, Allowed(202.0, 33.0))
