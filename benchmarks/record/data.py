"""The files of data that a part reads: by their digests another copy of the data is known to be the same."""

import gzip
import hashlib
from collections.abc import Sequence
from pathlib import Path

from benchmarks.case import Case
from benchmarks.data import named_files


def digests(cases: Sequence[Case], data: Path) -> dict[str, str]:
    """Return the SHA-256 of what is in each file below the folder of all data that an argument of the cases names."""
    named = set().union(*(named_files(case, data) for case in cases))
    return {
        file.relative_to(data).as_posix(): hashlib.sha256(_unpacked(file)).hexdigest()
        for file in sorted(named)
        if file.is_file()
    }


def _unpacked(file: Path) -> bytes:
    """Return what is in a file; a packed one also holds when it was packed."""
    content = file.read_bytes()
    return gzip.decompress(content) if file.suffix == ".gz" else content
