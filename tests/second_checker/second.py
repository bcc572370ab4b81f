"""The second checker: built where there is a compiler and its libraries, and what it answers."""

import fcntl
import math
import re
import shutil
import subprocess
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple, Self

from pcsos.base.exceptions import PcsosError
from pcsos.verify import verify

FOLDER = Path(__file__).parent
HEADERS = ("sqlite3.h", "zlib.h", "gmpxx.h")
#: What both checkers say where a file asks for more than they grant: that says nothing about the proof.
LIMITED = re.compile(r"more work|more memory|too long|too many cuts|may take|\bMB\b")
#: Files that are checked by one process, and seconds that they may take together.
AT_ONCE, PATIENCE = 200, 1200
NUMBER = r"([-+.\dinfe]+)"
MISSED = re.compile(rf"{NUMBER} is claimed, but only {NUMBER} is proved|at most {NUMBER}, but only {NUMBER} is proved")
LINE = re.compile(r"(?P<path>.*?): (?:accepted: (?P<status>[A-Z]+), (?P<figures>.*)|refused: (?P<reason>.*))")


#: Checkers differ by that at most, relatively or absolutely, where they agree.
NEAR = 1e-9


class Answer(NamedTuple):
    """What a checker says about a file.

    Parameters
    ----------
    status : str or None
        As claimed, and proved; None if the file is refused.
    objective, lower_bound, gap : float or None
        As proved; None where there is none.
    digest : str
        Of the instance.
    reason : str
        Why the file is refused.
    """

    status: str | None = None
    objective: float | None = None
    lower_bound: float | None = None
    gap: float | None = None
    digest: str = ""
    reason: str = ""

    @property
    def is_limited(self) -> bool:
        """Whether the file is refused only because it asks for more than the checker grants."""
        return self.status is None and bool(LIMITED.search(self.reason))

    @classmethod
    def of_line(cls, line: str) -> tuple[str, Self]:
        """Return the file that a line of the second checker is about, and the answer."""
        found = LINE.fullmatch(line)
        assert found, line
        if found["status"] is None:
            return found["path"], cls(reason=found["reason"])
        figures = dict(re.findall(r"(objective|lower bound|gap|digest) (\S+?)(?:,|$)", found["figures"]))
        said = [figures[name] for name in ("objective", "lower bound", "gap")]
        numbers = (None if figure == "-" else float(figure) for figure in said)
        return found["path"], cls(found["status"], *numbers, figures["digest"])

    @property
    def missed(self) -> tuple[float, float] | None:
        """What is asked of a bound, or of a gap, and what is proved, where that is why the file is refused."""
        found = MISSED.search(self.reason)
        return None if found is None else (float(found[1] or found[3]), float(found[2] or found[4]))

    def differs(self, other: "Answer") -> str | None:
        """Return how two answers differ, beyond the last digits that each checker rounds in its own way."""
        if (self.status is None) != (other.status is None):
            said = [own.status or own.reason for own in (self, other)]
            return " / ".join(said)
        if self.status is None:
            return None
        for name in ("status", "objective", "lower_bound", "gap"):
            own, its = getattr(self, name), getattr(other, name)
            are_numbers = isinstance(own, float) and isinstance(its, float)
            if own != its and not (are_numbers and math.isclose(own, its, rel_tol=NEAR, abs_tol=NEAR)):
                return f"{name} {own} / {its}"
        return None


def run(*command: str, given: str | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, check=False, input=given, text=True, capture_output=True, timeout=PATIENCE)


@cache
def why_not() -> str | None:
    """Return why the second checker cannot be built here; None where it can."""
    compiler = shutil.which("g++") or shutil.which("clang++")
    if compiler is None or shutil.which("make") is None:
        return "no C++ compiler, or no make"
    code = "".join(f"#include <{header}>\n" for header in HEADERS)
    found = run(compiler, "-x", "c++", "-fsyntax-only", "-", given=code)
    return None if found.returncode == 0 else f"one of {', '.join(HEADERS)} is missing"


@cache
def program() -> Path:
    """Return the second checker, built if it is older than its source."""
    build = FOLDER / "build"
    build.mkdir(exist_ok=True)
    with (build / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # tests that run side by side build it once
        built = run("make", "-C", str(FOLDER), "pcsos-check")
    assert built.returncode == 0, built.stdout + built.stderr
    return build / "pcsos-check"


def second_answers(paths: Sequence[Path], *options: str) -> Iterator[Answer]:
    for start in range(0, len(paths), AT_ONCE):
        own = [str(path) for path in paths[start : start + AT_ONCE]]
        ran = run(str(program()), *options, *own)
        answers = dict(map(Answer.of_line, ran.stdout.splitlines()))
        assert ran.returncode in (0, 1, 3), f"{ran.returncode}: {ran.stderr[:500]}"
        assert list(answers) == own, ran.stderr[:500]
        yield from answers.values()


def first_answers(paths: Iterable[Path]) -> Iterator[Answer]:
    for path in paths:
        try:
            verdict = verify(path)
        except PcsosError as error:
            yield Answer(reason=str(error))
        else:
            yield Answer(verdict.status, verdict.objective, verdict.lower_bound, verdict.gap, verdict.digest)
