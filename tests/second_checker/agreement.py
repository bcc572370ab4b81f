"""Both checkers on the same files: forged ones, mutated ones, and any others."""

import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

from tests.judgement import Judgement
from tests.second_checker.mutants import write_mutant
from tests.second_checker.second import first_answers, second_answers
from tests.verify import forged_covers, forged_prices, forgeries

#: Files of one seed.
FILES = 50
#: Schools of forgeries, by turns.
SCHOOLS = (forgeries.TREES, forged_prices.PRICES, forged_covers.COVERS)
MEMORY = Path("/dev/shm")


def compare(paths: Sequence[Path]) -> tuple[Counter[str], list[tuple[str, str]]]:
    """Return how often what happened to files, and every disagreement of the two checkers."""
    counts: Counter[str] = Counter(files=len(paths))
    wrong: list[tuple[str, str]] = []
    for path, first, second in zip(paths, first_answers(paths), second_answers(paths), strict=True):
        if first.is_limited or second.is_limited:
            counts["beyond what a checker grants"] += 1
            continue
        difference = first.differs(second)
        counts["disagreements" if difference else "accepted by both" if first.status else "refused by both"] += 1
        if difference:
            wrong.append(("disagreement", f"{path.name}: {difference}"))
    return counts, wrong


def judge_forged(seed: int) -> Judgement:
    """Compare the checkers on forged files: each seed is a sound file, and changes that are to support a lie."""
    school = SCHOOLS[seed % len(SCHOOLS)]
    base = forgeries.base_of(seed, school)
    return _judged(seed, base.kind, lambda path, number: forgeries.forge(path, base, seed, number, school))


def judge_mutated(seed: int) -> Judgement:
    """Compare the checkers on files that were changed blindly, byte by byte."""
    return _judged(seed, "mutated", lambda path, number: write_mutant(path, seed, number))


def _judged(seed: int, kind: str, write: Callable[[Path, int], object]) -> Judgement:
    with tempfile.TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as folder:
        paths = [Path(folder) / f"{number}.run" for number in range(FILES)]
        for number, path in enumerate(paths):
            write(path, number)
        counts, wrong = compare(paths)
    return Judgement(seed, kind, counts, tuple(wrong))
