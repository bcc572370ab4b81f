"""The repository that is measured: where it lies, and what git says of it."""

import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[1]
#: What :func:`git` raises where git, the repository, or what was asked for is missing.
NoAnswer = (OSError, subprocess.CalledProcessError)


def git(*arguments: str) -> bytes:
    """Return what git prints in the repository.

    Raises
    ------
    OSError, subprocess.CalledProcessError
        If there is no git, or it fails.
    """
    return subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, check=True).stdout


def line_of_git(*arguments: str) -> str:
    """Return it as text, without white space around it."""
    return git(*arguments).decode().strip()


def commit_of_tree() -> str:
    """Return the commit, with a plus where files differ from it; ``unknown`` outside of a repository."""
    try:
        return line_of_git("describe", "--always", "--dirty=+", "--abbrev=10", "--exclude=*")
    except NoAnswer:
        return "unknown"
