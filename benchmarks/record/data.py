"""The files of data that a part reads: by their digests another copy of the data is known to be the same."""

import gzip
import hashlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from benchmarks.case import Case


def digests(cases: Sequence[Case], data: Path) -> dict[str, str]:
    """Return the SHA-256 of what is in each file below the folder of all data that an argument of the cases names."""
    named = {Path(text) for case in cases for text in _texts(case.arguments)}
    return {
        file.relative_to(data).as_posix(): hashlib.sha256(_unpacked(file)).hexdigest()
        for file in sorted(named)
        if file.is_relative_to(data) and file.is_file()
    }


def _unpacked(file: Path) -> bytes:
    """Return what is in a file; a packed one also holds when it was packed."""
    content = file.read_bytes()
    return gzip.decompress(content) if file.suffix == ".gz" else content


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from _texts(list(value.values()))
    elif isinstance(value, (list, tuple)):
        for one in value:
            yield from _texts(one)
