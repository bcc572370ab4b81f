"""Run files of confused values end no command in an unexpected way. The suite ``confused`` takes many more."""

from collections import Counter

import pytest

from tests.confusions import bases, endings, judge
from tests.slow import first_few


@pytest.mark.parametrize("seed", first_few(1, range(8)))
def test_every_command_ends_in_its_own_words(seed: int) -> None:
    judgement = judge(seed)
    assert not judgement.wrong, judgement.sentence


@pytest.mark.slow
def test_most_files_are_refused_and_some_are_not() -> None:
    counts: Counter[str] = sum((Counter(judge(seed).counts) for seed in range(4)), Counter())
    assert counts["info ends with 2"] > 0.3 * counts["files"]
    assert counts["info ends with 0"] > 0.1 * counts["files"]


@pytest.mark.slow
def test_honest_files_are_read_by_every_command(tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.mktemp("honest") / "base.run"
    for number, data in enumerate(bases()):
        path.write_bytes(data)
        for ending, problem in endings(path):
            assert not problem
            assert ending.endswith(("0", "3", "4")), f"base {number}: {ending}"
