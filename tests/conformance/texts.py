"""The texts of the set, the files that they write, and what a checker has to say of each."""

import csv
import shutil
from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple, Self

from pcsos.base.exceptions import PcsosError
from pcsos.verify import verify
from tests.conformance.certificate import Certificate, Claim, written
from tests.conformance.forgery import Forgery

FOLDER = Path(__file__).parents[1] / "data" / "conformance"
TABLE = FOLDER / "answers.csv"


class Expected(NamedTuple):
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


def expected() -> list[Expected]:
    """The table."""
    with TABLE.open(newline="") as stream:
        return [Expected(**row) for row in csv.DictReader(stream)]


def write(answers: Iterable[Expected]) -> None:
    """Write the table."""
    with TABLE.open("w", newline="") as stream:
        table = csv.writer(stream, lineterminator="\n")
        table.writerows([Expected._fields, *answers])


def write_file(path: Path, own: Expected) -> Path:
    """Write the run file of a row."""
    path.unlink(missing_ok=True)
    texts = [f"honest/{own.base}", own.name] if own.base else [own.name]
    return written(path, *((FOLDER / f"{text}.sql").read_text() for text in texts))


def honest_files() -> dict[str, bytes]:
    """All honest files, by their names."""
    with TemporaryDirectory() as folder:
        honest = (own for own in expected() if not own.base)
        return {own.name: write_file(Path(folder) / "some.run", own).read_bytes() for own in honest}


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
