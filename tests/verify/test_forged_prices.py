"""Forged price trees: nothing false is accepted, and nothing but a refusal is raised."""

import contextlib
import sqlite3
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from pcsos.verify import VerificationError, prices, verify
from pcsos.verify.reading.payloads import read_prices
from tests.blobs import arrays
from tests.judgement import Judgement
from tests.slow import shares
from tests.verify.forged_prices import PRICE_SUPPORTS, PRICES, judge, longer_axes, nothing_but_the_tree
from tests.verify.forgeries import WORDS, Base, base_of
from tests.verify.lies import Forgery


@pytest.fixture(scope="module", params=shares(2, 24))
def judgements(request: pytest.FixtureRequest) -> list[Judgement]:
    return [judge(seed) for seed in request.param]


def test_no_lie_is_accepted(judgements: list[Judgement]) -> None:
    wrong = [judgement.sentence for judgement in judgements if judgement.wrong]
    assert not wrong, "\n".join([f"{len(wrong)} of {len(judgements)}", *wrong[:5]])


def test_refusals_are_in_words_of_our_own(judgements: list[Judgement]) -> None:
    counts = sum((Counter(j.counts) for j in judgements), Counter())
    assert counts[WORDS] == 0
    assert counts["false claims"] > 0.5 * counts["files"]
    assert counts["accepted"] > 0


@pytest.fixture(scope="module")
def bases() -> list[Base]:
    return [base_of(seed, PRICES) for seed in range(8)]


def test_sound_trees_have_knots(tmp_path: Path, bases: list[Base]) -> None:
    found = 0
    for seed, base in enumerate(bases):
        (tmp_path / f"{seed}.run").write_bytes(base.content)
        connection = sqlite3.connect(tmp_path / f"{seed}.run")
        for (payload,) in connection.execute("SELECT payload FROM evidence WHERE kind = 'prices'"):
            found += read_prices(arrays(payload))[1].size > 0
        connection.close()
    assert found > 4


@pytest.mark.parametrize("support", PRICE_SUPPORTS)
def test_every_support_changes_a_file(tmp_path: Path, bases: list[Base], support: str) -> None:
    changed = 0
    for seed, base in enumerate(bases):
        path = tmp_path / f"{seed}.run"
        path.write_bytes(base.content)
        connection = sqlite3.connect(path)
        before = list(connection.iterdump())
        PRICE_SUPPORTS[support](
            Forgery(connection, np.random.default_rng(seed), base.instance, base.truth, base.proved, target=1.0)
        )
        changed += list(connection.iterdump()) != before
        connection.close()
    assert changed


def test_sound_trees_have_axes_and_leaves_without(tmp_path: Path, bases: list[Base]) -> None:
    found = Counter[bool]()
    for seed, base in enumerate(bases):
        (tmp_path / f"{seed}.run").write_bytes(base.content)
        with contextlib.closing(sqlite3.connect(tmp_path / f"{seed}.run")) as connection:
            for (payload,) in connection.execute("SELECT payload FROM evidence WHERE kind = 'prices'"):
                found[read_prices(arrays(payload))[2] is None] += 1
    assert min(found[True], found[False]) > 4


def false_bounds(path: Path, bases: list[Base]) -> int:
    """How many trees along axes that are too long are accepted with a bound that is false."""
    found = 0
    for seed, base in enumerate(bases):
        path.write_bytes(base.content)
        with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as connection:
            forgery = Forgery(connection, np.random.default_rng(seed), base.instance, base.truth, base.proved)
            nothing_but_the_tree(forgery)
            longer_axes(forgery)
        with contextlib.suppress(VerificationError):
            found += verify(path).lower_bound > base.truth.optimum
    return found


def test_forgers_deceive_a_checker_that_believes_in_axes(
    tmp_path: Path, bases: list[Base], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert false_bounds(tmp_path / "forged.run", bases) == 0
    monkeypatch.setattr(prices, "_row_sums", lambda _: [0])
    assert false_bounds(tmp_path / "forged.run", bases) > 0


@pytest.mark.slow
def test_forgers_deceive_a_checker_that_believes_in_knots(monkeypatch: pytest.MonkeyPatch) -> None:
    def believed(knot: list[int], *_: object) -> list[list[int]]:
        return [[int(i == j) for j in knot] for i in knot]

    monkeypatch.setattr(prices, "choices_of", believed)
    assert any(judge(seed).wrong for seed in range(8))
