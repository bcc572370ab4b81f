"""The bytes of an input file, decompressed and recognised by what they are, not by the name of the file."""

import gzip
import io
import os
import re
import sys
import zlib
from collections.abc import Iterator
from pathlib import Path

from pcsos.base.exceptions import InputError

GZIP_MAGIC = b"\x1f\x8b"

#: How the files begin that are read and are no text.
MAGICS = {
    rb"\x93NUMPY": "npy",
    rb"PK(\x03\x04|\x05\x06)": "npz",
    rb"PAR1": "parquet",
    rb"SQLite format 3\x00.{52}pcRS": "run file",
}

#: Bytes by which every kind of file is known.
LONGEST_MAGIC = 72

LINE_END = re.compile(rb"\r\n?|\n")
#: What begins UTF-8 text that some programs write.
BOM = b"\xef\xbb\xbf"

PathLike = str | os.PathLike[str]

#: What stands for standard input in place of a file name.
STDIN = "-"


def name_of(path: PathLike) -> PathLike:
    """Return what a file is called in messages."""
    return "standard input" if path == STDIN else path


def read_bytes(path: PathLike) -> bytes:
    """Return the content of a file, or of standard input for ``-``, decompressed where it is gzipped.

    One that is missing, a directory, unreadable, empty, or damaged is refused.
    """
    try:
        data = _read_stdin() if path == STDIN else Path(path).read_bytes()
    except FileNotFoundError:
        raise InputError(f"{path} does not exist; check the name and the folder") from None
    except IsADirectoryError:
        raise InputError(f"{path} is a directory; give the file inside it") from None
    except (OSError, ValueError) as error:
        raise InputError(f"{path} cannot be read ({reason(error)}); check the file and its permissions") from error
    except MemoryError:
        raise InputError(f"{path} is larger than the free memory; use fewer points or a larger machine") from None
    path = name_of(path)
    if data.startswith(GZIP_MAGIC):
        data = _decompressed(data, path)
    if not data:
        raise InputError(f"{path} is empty; give a file with content")
    return data


def kind_of(data: bytes) -> str:
    """Return one of the kinds of :data:`MAGICS`, or ``text``."""
    return next((kind for magic, kind in MAGICS.items() if re.match(magic, data, re.DOTALL)), "text")


def text_lines(data: bytes) -> Iterator[str]:
    """Return the lines of UTF-8 text with or without a byte order mark; LF, CRLF and CR all end a line."""
    return io.TextIOWrapper(io.BytesIO(data), encoding="utf-8-sig")


def refuse_other_than_text(data: bytes, path: PathLike) -> None:
    """Raise an :class:`InputError` that names the line where the bytes stop being UTF-8 text."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise InputError(f"{path} is UTF-16 text; save it as UTF-8")
    start = data.find(b"\x00")
    if start < 0 and not data.isascii():
        try:
            data.decode("utf-8")
        except UnicodeDecodeError as error:
            start = error.start
    if start >= 0:
        line = len(LINE_END.findall(data, 0, start)) + 1
        raise InputError(
            f"{path} line {line} holds the byte 0x{data[start]:02x}, which is not UTF-8 text; "
            "save it in one of the supported formats, text as UTF-8"
        )


def reason(error: BaseException) -> str:
    """Return the operating system's words for an error, without numbers and file names."""
    text = getattr(error, "strerror", None) or str(error) or type(error).__name__
    return " ".join(text.split())


def _read_stdin() -> bytes:
    if sys.stdin is None or sys.stdin.closed:
        raise OSError("standard input is closed")
    return sys.stdin.buffer.read()


def _decompressed(data: bytes, path: PathLike) -> bytes:
    try:
        return gzip.decompress(data)
    except EOFError:
        raise InputError(f"{path} is a truncated gzip file; copy or compress it again") from None
    except (OSError, zlib.error) as error:
        raise InputError(f"{path} is a damaged gzip file ({reason(error)}); copy or compress it again") from error
    except MemoryError:
        raise InputError(f"{path} is too large for the free memory once decompressed; use fewer points") from None
