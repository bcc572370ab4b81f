"""Forged certifications: nothing false is accepted, and nothing but a refusal is raised."""

import sqlite3
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from pcsos.verify import evidence, parts
from tests.judgement import Judgement
from tests.slow import shares
from tests.verify.forged_covers import COVER_SUPPORTS, COVERS, judge
from tests.verify.forgeries import WORDS, Base, base_of
from tests.verify.lies import Forgery


@pytest.fixture(scope="module", params=shares(2, 16))
def judgements(request: pytest.FixtureRequest) -> list[Judgement]:
    return [judge(seed) for seed in request.param]


def test_no_lie_is_accepted(judgements: list[Judgement]) -> None:
    wrong = [judgement.sentence for judgement in judgements if judgement.wrong]
    assert not wrong, "\n".join([f"{len(wrong)} of {len(judgements)}", *wrong[:5]])


def test_refusals_are_in_words_of_our_own(judgements: list[Judgement]) -> None:
    counts = sum((Counter(j.counts) for j in judgements), Counter())
    assert counts[WORDS] == 0
    assert counts["false claims"] > 0.4 * counts["files"]
    assert counts["accepted"] > 0.1 * counts["files"]  # those that claim nothing about bounds


@pytest.fixture(scope="module")
def bases() -> list[Base]:
    return [base_of(seed, COVERS) for seed in range(8)]


@pytest.mark.parametrize("support", COVER_SUPPORTS)
def test_every_support_changes_a_file(tmp_path: Path, bases: list[Base], support: str) -> None:
    changed = 0
    for seed, base in enumerate(bases):
        path = tmp_path / f"{seed}.run"
        path.write_bytes(base.content)
        connection = sqlite3.connect(path)
        before = list(connection.iterdump())
        COVER_SUPPORTS[support](
            Forgery(connection, np.random.default_rng(seed), base.instance, base.truth, base.proved, target=1.0)
        )
        changed += list(connection.iterdump()) != before
        connection.close()
    assert changed


@pytest.mark.parametrize(
    ("room", "rule", "seeds"),
    [(parts, "brings more", [*range(2, 12), 0, 1]), (evidence, "not at one place", [16, 13, *range(17, 25)])],
    ids=["points that bring more", "points that are joined"],
)
def test_the_judge_notices_a_checker_that_forgets_a_rule(
    monkeypatch: pytest.MonkeyPatch, room: object, rule: str, seeds: list[int]
) -> None:
    check = parts.require

    def forgetful(holds: object, otherwise: str) -> None:
        check(holds or rule in otherwise, otherwise)

    monkeypatch.setattr(room, "require", forgetful)
    assert any(judge(seed).wrong for seed in seeds)
