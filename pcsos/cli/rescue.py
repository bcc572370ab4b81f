"""Rescue: a result that cannot be written where it should goes somewhere else, and never nowhere."""

import contextlib
import itertools
import os
import tempfile
from collections.abc import Iterator

from pcsos.cli import messages
from pcsos.cli.messages import is_watched, say
from pcsos.io.outputs import STDOUT, OutputError, write_text
from pcsos.verify.reading.text import printable

#: More characters than this are not poured over a terminal.
MOST_SHOWN = 4000


def write_or_rescue(
    path: str, text: str, *, data: bytes | None = None, run_file: str | None = None, suffix: str = ".txt"
) -> bool:
    """Write a result, and tell whether that was possible; if not, it is kept as :func:`keep` does.

    Where the file is not to be text, ``data`` is what it is to hold.
    """
    try:
        write_text(path, text if data is None else data)
    except OutputError as error:
        keep(text, str(error), run_file=run_file if path == STDOUT else None, suffix=suffix)
        return False
    return True


def show(text: str, *, run_file: str | None = None, suffix: str = ".txt") -> bool:
    """Write text for people to standard output, like :func:`write_or_rescue`; nothing in it can steer a terminal."""
    return write_or_rescue(STDOUT, printable(text), run_file=run_file, suffix=suffix)


def keep(text: str, reason: str, *, run_file: str | None = None, suffix: str = ".txt") -> None:
    """Keep what could not be written, and say why and where it is.

    It goes to a file beside the run file where there is one, or else to standard error in full (to a temporary file
    where that is too long for a terminal).
    """
    place = _place(text, run_file, suffix)
    if place is None:
        say(f"{reason}; it would have held:")
        messages.show(text)
    else:
        say(f"{reason}; what it would have held is in {place}")


def numbered(stem: str, suffix: str) -> Iterator[str]:
    """Yield names of files, all but the first with a number."""
    yield f"{stem}{suffix}"
    for number in itertools.count(2):
        yield f"{stem}-{number}{suffix}"


def _place(text: str, run_file: str | None, suffix: str) -> str | None:
    """Write to another file than was asked for, and return its name; None if there is none to write to."""
    if run_file is not None:
        place = next(place for place in numbered(run_file, suffix) if not os.path.lexists(place))
        with contextlib.suppress(OutputError):
            write_text(place, text)
            return place
    if len(text) <= MOST_SHOWN or not is_watched():
        return None
    with contextlib.suppress(OSError):
        handle, name = tempfile.mkstemp(prefix="pcsos-", suffix=suffix)
        os.close(handle)
        write_text(name, text)
        return name
    return None
