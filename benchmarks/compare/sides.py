"""The two sides of a comparison: the package of each revision, unpacked into a folder of its own."""

import io
import shutil
import tarfile
from dataclasses import dataclass
from pathlib import Path

from benchmarks import repository

PACKAGE = "pcsos"
#: The working tree as it is.
WORKING_TREE = "WORK"


class RefusedError(Exception):
    """What was asked for cannot be compared; one sentence says why."""


@dataclass(frozen=True)
class Side:
    """One side: its letter, the revision in words, and the folder of its package, kernels, and what its cases write."""

    letter: str
    shown: str
    folder: Path

    @property
    def tree(self) -> Path:
        """Where the package is imported from."""
        return self.folder / "tree"

    @property
    def environment(self) -> dict[str, str]:
        """What its processes have in their environment."""
        return {"PYTHONPATH": str(self.tree), "NUMBA_CACHE_DIR": str(self.folder / "kernels")}


def unpacked(letter: str, revision: str, folder: Path) -> Side:
    """Return the side of a revision, unpacked below a folder; the checkout and its repository are only read.

    Raises
    ------
    RefusedError
        If there is no such revision, or no package in it.
    """
    if revision == WORKING_TREE:
        side = Side(letter, "the working tree", folder / letter)
        asked = ("--cached", "--others", "--exclude-standard", "--", PACKAGE)
        listed = answer("ls-files", "-z", *asked, otherwise=f"{repository.ROOT} is not a git repository").decode()
        for name in filter(None, listed.split("\0")):
            if (repository.ROOT / name).is_file():
                (side.tree / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(repository.ROOT / name, side.tree / name)
        return side
    otherwise = f"there is no revision {revision!r} in {repository.ROOT}"
    commit = answer("rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}", otherwise=otherwise).decode().strip()
    side = Side(letter, f"{revision} ({commit[:10]})", folder / letter)
    otherwise = f"there is no {PACKAGE}/ in {revision}"
    content = answer("archive", "--format=tar", commit, "--", PACKAGE, otherwise=otherwise)
    with tarfile.open(fileobj=io.BytesIO(content)) as archive:
        archive.extractall(side.tree, filter="data")
    return side


def answer(*arguments: str, otherwise: str) -> bytes:
    """Return what git prints.

    Raises
    ------
    RefusedError
        With the sentence that is given, where it fails.
    """
    try:
        return repository.git(*arguments)
    except repository.NoAnswer:
        raise RefusedError(otherwise) from None
