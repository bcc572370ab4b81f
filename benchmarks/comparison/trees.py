"""The two sides of a comparison: the package of each revision, unpacked into a folder of its own."""

import io
import shutil
import tarfile
from dataclasses import dataclass
from pathlib import Path

from benchmarks import repository

PACKAGE = "pcsos"
#: Words for the working tree as it is.
WORKING_TREE = ("WORK", ".")


class RefusedError(Exception):
    """What was asked for cannot be compared; one sentence says why."""


@dataclass(frozen=True)
class Side:
    """One side.

    Parameters
    ----------
    letter : str
        A or B.
    shown : str
        The revision, as given and as a commit.
    folder : Path
        Holds its package, its compiled kernels, and what its cases write.
    """

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

    def room(self, case: str) -> Path:
        """Return the folder in which a case of this side may keep files."""
        folder = self.folder / "cases" / case
        folder.mkdir(parents=True, exist_ok=True)
        return folder


def unpacked(letter: str, revision: str, folder: Path) -> Side:
    """Return the side of a revision, unpacked below a folder; the checkout and its repository are only read.

    Raises
    ------
    RefusedError
        If there is no such revision, or no package in it.
    """
    commit = None if revision in WORKING_TREE else commit_of(revision)
    side = Side(letter, "the working tree" if commit is None else f"{revision} ({commit[:10]})", folder / letter)
    side.tree.mkdir(parents=True)
    if commit is None:
        copy_working_tree(side.tree)
    else:
        otherwise = f"there is no {PACKAGE}/ in {revision}"
        content = answer("archive", "--format=tar", commit, "--", PACKAGE, otherwise=otherwise)
        with tarfile.open(fileobj=io.BytesIO(content)) as archive:
            archive.extractall(side.tree, filter="data")
    return side


def commit_of(revision: str) -> str:
    """Return the commit that a revision names."""
    otherwise = f"there is no revision {revision!r} in {repository.ROOT}"
    return answer("rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}", otherwise=otherwise).decode().strip()


def copy_working_tree(target: Path) -> None:
    """Copy the files of the package that git tracks or would track, as they are now."""
    asked = ("--cached", "--others", "--exclude-standard", "--", PACKAGE)
    listed = answer("ls-files", "-z", *asked, otherwise=f"{repository.ROOT} is not a git repository").decode()
    for name in filter(None, listed.split("\0")):
        if (repository.ROOT / name).is_file():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(repository.ROOT / name, target / name)


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
