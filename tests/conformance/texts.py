"""The texts of the set, the files that they write, and what a checker has to say of each."""

import csv
import io
import tarfile
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple, Self

from pcsos.base.exceptions import PcsosError
from pcsos.verify import verify
from tests.conformance.certificate import Certificate, Claim, written
from tests.conformance.forgery import Forgery

FOLDER = Path(__file__).parents[1] / "data" / "conformance"
TABLE, ARCHIVE = FOLDER / "answers.csv", FOLDER / "texts.tar.xz"


class Expected(NamedTuple):
    """A row of the table; all columns are text, empty where there is nothing to say."""

    name: str  #: of the text in the archive, ``honest/NAME.sql`` or ``forged/NAME.sql``
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
        if isinstance(found, Certificate):
            return cls(
                name_of(found),
                "",
                found.kind,
                "accepted",
                *_values(base, base.claim),
                found.section,
                found.shows,
            )
        values = _values(base, found.claim or base.claim) if found.is_accepted else ("", "", "", "")
        return cls(name_of(found), base.name, found.kind, found.answer, *values, found.section, found.why, sentence)


def _values(base: Certificate, claim: Claim) -> tuple[str, str, str, str]:
    bound = claim.lower_bound if claim.proved is None else claim.proved
    numbers = (float("inf") if claim.status == "INFEASIBLE" else bound, base.gap)
    cost, bound_said, gap = ("" if x is None else repr(x) for x in (claim.objective, *numbers))
    return claim.status, cost, bound_said, gap


def name_of(found: Certificate | Forgery) -> str:
    return f"{'honest' if isinstance(found, Certificate) else 'forged'}/{found.name}"


def expected() -> list[Expected]:
    with TABLE.open(newline="") as stream:
        return [Expected(**row) for row in csv.DictReader(stream)]


def write(answers: Iterable[Expected]) -> None:
    with TABLE.open("w", newline="") as stream:
        table = csv.writer(stream, lineterminator="\n")
        table.writerows([Expected._fields, *answers])


def write_file(path: Path, own: Expected) -> Path:
    path.unlink(missing_ok=True)
    texts = [f"honest/{own.base}", own.name] if own.base else [own.name]
    return written(path, *(texts_of_archive()[text] for text in texts))


@cache
def texts_of_archive() -> dict[str, str]:
    with tarfile.open(ARCHIVE) as archive:
        return {own.name.removesuffix(".sql"): archive.extractfile(own).read().decode() for own in archive}  # type: ignore[union-attr]


def write_archive(found: Mapping[str, str]) -> None:
    with tarfile.open(ARCHIVE, "w:xz") as archive:
        for name, text in found.items():
            content, entry = text.encode(), tarfile.TarInfo(f"{name}.sql")
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))


def honest_files() -> dict[str, bytes]:
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
