"""The folder of all data: whether it is there, which of its files cases name, and how another copy of them is known."""

import gzip
import hashlib
from argparse import ArgumentTypeError
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from benchmarks.case import Case


def folder(path: str) -> Path:
    """Return the folder that an option of the command line names, in full.

    Raises
    ------
    argparse.ArgumentTypeError
        If there is none.
    """
    if not Path(path).is_dir():
        raise ArgumentTypeError(f"{path} is no folder")
    return Path(path).resolve()


def named_files(case: Case, data: Path) -> set[Path]:
    """Return the files below the folder of data that the arguments of a case name."""
    return {path for text in _texts(case.arguments) if (path := Path(text)).is_relative_to(data)}


def with_files(cases: Iterable[Case], data: Path | None) -> list[Case]:
    """Return the cases whose files of data are all there."""
    return [case for case in cases if data is None or all(path.exists() for path in named_files(case, data))]


def digests(cases: Iterable[Case], data: Path) -> dict[str, str]:
    """Return the SHA-256 of what is in each file of data that cases name, unpacked: a packed one also has a date."""
    named = set().union(*(named_files(case, data) for case in cases))
    contents = {file: file.read_bytes() for file in sorted(named) if file.is_file()}
    return {
        file.relative_to(data).as_posix(): hashlib.sha256(
            gzip.decompress(content) if file.suffix == ".gz" else content
        ).hexdigest()
        for file, content in contents.items()
    }


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from _texts(list(value.values()))
    elif isinstance(value, (list, tuple)):
        for one in value:
            yield from _texts(one)
