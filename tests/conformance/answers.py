"""Answers: what a checker has to say of each file of the set, and what the first one does say."""

import csv
import shutil
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple, Self

from pcsos.exceptions import PcsosError
from pcsos.verify import verify
from tests.conformance.certificate import Certificate, Claim, written
from tests.conformance.forgery import Forgery

FOLDER = Path(__file__).parents[1] / "data" / "conformance"
TABLE = FOLDER / "answers.csv"


class Answer(NamedTuple):
    """A row of the table; all columns are text, empty where there is nothing to say."""

    name: str  #: of the file, ``honest/NAME.sql`` or ``forged/NAME.sql``
    base: str  #: the honest file that a forged one is applied to
    kind: str
    answer: str  #: ``accepted`` or ``refused``
    status: str = ""  #: of what is accepted, as the following columns
    cost: str = ""  #: of the labels, up to 2^-40 of it
    lower_bound: str = ""  #: that must be proved at least
    gap: str = ""  #: that is asked for
    section: str = ""
    reason: str = ""  #: what the file is an example of, or why it is refused
    sentence: str = ""  #: what the first checker says where it refuses

    @classmethod
    def of(cls, found: Certificate | Forgery, base: Certificate, sentence: str = "") -> Self:
        """Return what is to be answered of a file."""
        if isinstance(found, Certificate):
            return cls(
                f"honest/{found.name}",
                "",
                found.kind,
                "accepted",
                *_values(base, base.claim),
                found.section,
                found.shows,
            )
        values = _values(base, found.claim or base.claim) if found.is_accepted else ("", "", "", "")
        name = f"forged/{found.name}"
        return cls(name, base.name, found.kind, found.answer, *values, found.section, found.why, sentence)


def _values(base: Certificate, claim: Claim) -> tuple[str, str, str, str]:
    bound = claim.lower_bound if claim.proved is None else claim.proved
    numbers = (float("inf") if claim.status == "INFEASIBLE" else bound, base.gap)
    cost, bound_said, gap = ("" if x is None else repr(x) for x in (claim.objective, *numbers))
    return claim.status, cost, bound_said, gap


def read() -> list[Answer]:
    """The table."""
    with TABLE.open(newline="") as stream:
        return [Answer(**row) for row in csv.DictReader(stream)]


def write(answers: Iterable[Answer]) -> None:
    """Write the table."""
    with TABLE.open("w", newline="") as stream:
        table = csv.writer(stream, lineterminator="\n")
        table.writerows([Answer._fields, *answers])


def made(answer: Answer, folder: Path) -> Path:
    """The run file of an answer."""
    path = folder / "some.run"
    path.unlink(missing_ok=True)
    own = FOLDER / f"{answer.name}.sql"
    texts: Sequence[Path] = [FOLDER / "honest" / f"{answer.base}.sql", own] if answer.base else [own]
    return written(path, *(text.read_text() for text in texts))


def said(path: Path) -> str:
    """What the first checker says where it refuses a file; nothing where it accepts."""
    try:
        verify(path)
    except PcsosError as error:
        return str(error).replace(str(path), "FILE")
    return ""


def cleared(folder: Path) -> Path:
    """The folder, empty."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder
