"""Results in files, each written whole or not at all."""

import gzip
import json
import math
import os
import stat
import sys
import tempfile
from pathlib import Path
from typing import Any

from pcsos.base.exceptions import InputError
from pcsos.io.source import STDIN, PathLike, reason
from pcsos.verify.reading.text import in_json, printable

#: Endings of the files that SQLite keeps beside a database that is in use.
SQLITE_SUFFIXES = ("-wal", "-shm", "-journal")
#: What stands for standard output in place of a file name.
STDOUT = "-"
#: The ending of a file that is compressed.
GZIP_SUFFIX = ".gz"


class OutputError(OSError):
    """An output that could not be written, in one sentence."""


def check_outputs(outputs: dict[str, PathLike | None], inputs: dict[str, PathLike | None]) -> None:
    """Make sure, before any work is done, that every output can be written and overwrites no input.

    Both are paths by the name of the option or argument; None where it is not given.
    """
    if sum(path == STDIN for path in inputs.values()) > 1:
        names = " and ".join(name for name, path in inputs.items() if path == STDIN)
        raise InputError(f"{names} are both standard input; give a file for one of them")
    taken = {name: path for name, path in inputs.items() if path not in {None, STDIN}}
    for name in ("--run-file", "RUN_FILE"):
        path = {**inputs, **outputs}.get(name)
        if path is not None:
            taken |= {f"what SQLite keeps beside {name}{suffix}": f"{path}{suffix}" for suffix in SQLITE_SUFFIXES}
    for name, path in outputs.items():
        if path is None:
            continue
        for other, used in taken.items():
            if _is_same(path, used):
                raise InputError(f"{name} and {other} are both {path}; give different files")
        if STDIN in inputs.values() and path != STDOUT and _leads_to(path, 0):
            raise InputError(f"{name} is {path}, from which standard input is read; give another file")
        taken[name] = path
        if path == STDOUT:
            if sys.stdout is None:
                raise InputError(f"{name} is standard output, which is closed; give a file")
        else:
            _check_writable(name, Path(path))


def json_text(values: dict[str, Any]) -> str:
    """Return strict JSON; numbers that are not finite become null."""
    plain = {
        key: None if isinstance(value, float) and not math.isfinite(value) else value for key, value in values.items()
    }
    return in_json(json.dumps(plain, allow_nan=False, ensure_ascii=False))


def write_text(path: PathLike, content: str | bytes) -> None:
    """Write text, or bytes, to a file, replaced only once the new one is complete, or to standard output for ``-``.

    Where the name of the file ends in ``.gz``, it is compressed, always to the same bytes. What fails is an
    :class:`OutputError` with the path and the reason.
    """
    try:
        data = content.encode() if isinstance(content, str) else content
        if str(path).lower().endswith(GZIP_SUFFIX):
            data = gzip.compress(data, mtime=0)
        stream_number = None if path == STDOUT else standard_stream(path)
        if path == STDOUT:
            _write_stdout(data.decode())
        elif stream_number is not None:
            with os.fdopen(stream_number, "wb") as stream:
                stream.write(data)
        elif _is_special(Path(path)):
            with open(path, "wb") as stream:
                stream.write(data)
        else:
            _replace(Path(path), data)
    except (OSError, ValueError) as error:
        name = "standard output" if path == STDOUT else path
        raise OutputError(f"{name} cannot be written ({reason(error)})") from error


def standard_stream(path: PathLike) -> int | None:
    """Return a new descriptor of standard output or error if a path such as ``/dev/stdout`` leads to the file of it.

    Opened by its name, that file would lose what it holds.
    """
    number = next((number for number in (1, 2) if _leads_to(path, number)), None)
    if number is None:
        return None
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()
    return os.dup(number)


def silence_stdout() -> None:
    """Point standard output nowhere, so that a reader that has gone causes no further errors at exit."""
    try:
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, sys.stdout.fileno())
        os.close(null)
    except (OSError, ValueError, AttributeError):
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115


def _write_stdout(text: str) -> None:
    if sys.stdout is None:
        raise OSError("it is closed")
    try:
        sys.stdout.write(printable(text) if sys.stdout.isatty() else text)
        sys.stdout.flush()
    except OSError:
        silence_stdout()
        raise


def _replace(path: Path, data: bytes) -> None:
    target = Path(os.path.realpath(path))
    handle, name = tempfile.mkstemp(prefix=f".{target.name[:100]}.", dir=target.parent)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        os.chmod(name, _mode(target))
        os.replace(name, target)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _mode(target: Path) -> int:
    if target.exists():
        return stat.S_IMODE(target.stat().st_mode)
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


def _check_writable(name: str, path: Path) -> None:
    folder = Path(os.path.realpath(path)).parent
    if path.is_dir():
        raise InputError(f"{name} {path} is a directory; give a file name")
    if not folder.is_dir():
        raise InputError(f"{name} {path} lies in the folder {folder}, which does not exist; create it")
    try:
        if path.is_fifo():
            if not os.access(path, os.W_OK):  # its reader would take an opening for the whole
                raise PermissionError(None, "the pipe is read-only")
        elif _is_special(path):
            os.close(os.open(path, os.O_WRONLY | getattr(os, "O_NONBLOCK", 0)))
        else:
            with tempfile.TemporaryFile(dir=folder):
                pass
            if path.exists() and not os.access(path, os.W_OK):
                raise PermissionError(None, "the file is read-only")
    except OSError as error:
        raise InputError(f"{name} {path} cannot be written ({reason(error)}); give another place") from error


def _is_special(path: Path) -> bool:
    """Return whether a path is a device or a pipe, which is written to instead of replaced."""
    return path.exists() and not path.is_file()


def _leads_to(path: PathLike, number: int) -> bool:
    """Return whether a path leads to the very file that a descriptor of this process is open on."""
    try:
        found = os.stat(path)
        return stat.S_ISREG(found.st_mode) and os.path.samestat(found, os.fstat(number))
    except (OSError, ValueError):
        return False


def _is_same(a: PathLike, b: PathLike) -> bool:
    if STDOUT in {a, b}:
        return a == b
    try:
        return os.path.samefile(a, b)
    except (OSError, ValueError):
        return os.path.realpath(a) == os.path.realpath(b)
