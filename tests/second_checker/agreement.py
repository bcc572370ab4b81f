"""Both checkers on the same files: forged ones, mutated ones, and any others."""

import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

from tests.judgement import Judgement
from tests.second_checker.mutants import write_mutant
from tests.second_checker.rounding import SHARE, has_huge_multipliers, sum_of_squares
from tests.second_checker.second import NEAR, Answer, first_answers, second_answers
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
        difference = first.differs(second)
        if difference is None:
            counts["accepted by both" if first.status else "refused by both"] += 1
        elif first.is_limited or second.is_limited:
            counts["beyond what one of them grants"] += 1
        elif is_rounding(path, first, second):
            counts["alike but for rounding"] += 1
        else:
            counts["disagreements"] += 1
            wrong.append(("disagreement", f"{path.name}: {difference}"))
    return counts, wrong


def is_rounding(path: Path, first: Answer, second: Answer) -> bool:
    """Tell whether one proves less than the other, and just as much less as sections 7 and 14 grant."""
    proves_less = second.status is None
    if first.status is not None and second.status is not None:
        pairs = [(first.lower_bound, second.lower_bound)]
        proves_less = None not in pairs[0] and pairs[0][1] < pairs[0][0]
    else:
        pairs = [answer.missed for answer in (first, second) if answer.status is None and answer.missed]
    if not pairs:
        return False
    allowed = SHARE * sum_of_squares(path)
    numbers = [abs(a - b) for a, b in pairs if a is not None and b is not None]
    is_near = all(off <= allowed or off <= NEAR for off in numbers)
    return is_near or (proves_less and has_huge_multipliers(path))


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
