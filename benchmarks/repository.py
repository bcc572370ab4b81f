"""The repository that is measured: where it lies, and what git says of it."""

import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[1]
#: What a figure depends on; results, the soak, this file, the page, and tests that no suite calls may change meanwhile.
CODE = ("pcsos", "benchmarks", "tests", "instances", "pyproject.toml")
OTHER = (
    ":!benchmarks/results",
    ":!benchmarks/soak",
    ":!benchmarks/repository.py",
    ":!benchmarks/*.md",
    ":!benchmarks/page.py",
    ":!benchmarks/picture.py",
    ":!tests/*test_*.py",
)
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


def changed_code() -> str:
    """Return what git says of files of the code that differ from the commit."""
    return line_of_git("status", "--porcelain", "--", *CODE, *OTHER)


def commit_of_code(name: str = "%h") -> str:
    """Return the last commit that changed the code, by its short name or another one that ``git log`` knows."""
    return line_of_git("log", "-1", "--abbrev=10", f"--format={name}", "--", *CODE, *OTHER)


def commit_of_tree() -> str:
    """Return it with a plus where files of the code differ from it; ``unknown`` outside of a repository."""
    try:
        return commit_of_code() + ("+" if changed_code() else "")
    except NoAnswer:
        return "unknown"
