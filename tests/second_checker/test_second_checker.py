"""The second checker: written in another language from docs/certificate.md alone, it answers as the first one does."""

from pathlib import Path

import pytest

from tests.conformance.texts import honest_files
from tests.second_checker.rounding import sum_of_squares
from tests.second_checker.second import FOLDER, Answer

MOST_LINES = 4911


def sources() -> list[Path]:
    return sorted([*FOLDER.glob("*.cpp"), *FOLDER.glob("*.h")])


def test_it_is_short() -> None:
    assert 0 < sum(len(path.read_text().splitlines()) for path in sources()) <= MOST_LINES


def test_it_shares_no_library_with_the_first_one() -> None:
    text = "".join(path.read_text() for path in sources())
    assert all(word in text for word in ("gmpxx.h", "sqlite3.h", "zlib.h"))
    assert not any(word in text for word in ("flint", "arb.h", "mpfr", "Python.h", "lapack", "Eigen/"))


def test_answers_are_compared_to_the_last_digits() -> None:
    line = "a: b.run: accepted: OPTIMAL, objective 4, lower bound 3.5, gap 0.125, digest 12ab"
    path, answer = Answer.of_line(line)
    assert (path, answer) == ("a: b.run", Answer("OPTIMAL", 4.0, 3.5, 0.125, "12ab"))
    assert answer.differs(answer._replace(lower_bound=3.5 + 1e-10)) is None
    assert answer.differs(answer._replace(lower_bound=3.6)) == "lower_bound 3.5 / 3.6"
    assert answer.differs(answer._replace(objective=None)) == "objective 4.0 / None"
    refused = Answer.of_line("b.run: refused: a weight is not positive")[1]
    assert answer.differs(refused) == "OPTIMAL / a weight is not positive"
    assert not refused.is_limited


@pytest.mark.slow
def test_rounding_is_a_share_of_points_and_matrix(tmp_path: Path) -> None:
    found, path = [], tmp_path / "a.run"
    for name in ("outliers", "gram", "gram-moved"):
        path.write_bytes(honest_files()[f"honest/{name}"])
        found.append(sum_of_squares(path))
    assert found == pytest.approx([182 / 3, 20.0, 26.0])  # points 0, 1, 10; twice the diagonal; points and 4 + 4 + 8
