"""Outputs: where results go, what is kept where they cannot go there, and what no option asked to keep."""

import argparse
import contextlib
import itertools
import os
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, fields
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from pcsos.cli.inputs import Source
from pcsos.cli.messages import say
from pcsos.cli.messages import show as show_beside
from pcsos.io.labels import check_labels_output
from pcsos.io.outputs import STDOUT, OutputError, check_outputs, json_text, write_text
from pcsos.io.source import reason
from pcsos.problem.partition import Partition
from pcsos.verify.reading.text import is_watched, printable

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


def is_written(write: Callable[[], object]) -> bool:
    """Write something, and tell whether that was possible; if not, say why."""
    try:
        write()
    except OutputError as error:
        say(str(error))
        return False
    return True


def show(text: str, *, run_file: str | None = None, suffix: str = ".txt") -> bool:
    """Write text for people to standard output, like :func:`write_or_rescue`; nothing in it can steer a terminal."""
    return write_or_rescue(STDOUT, printable(text), run_file=run_file, suffix=suffix)


def deliver(figures: dict[str, Any], text: str, json: str | None) -> bool:
    """Write figures as JSON if there is a place for it, and text for people where that is not standard output."""
    written = [] if json is None else [write_or_rescue(json, json_text(figures) + "\n")]
    written += [] if json == STDOUT else [show(text)]
    return all(written)


def keep(text: str, reason: str, *, run_file: str | None = None, suffix: str = ".txt") -> None:
    """Keep what could not be written, and say why and where it is.

    It goes to a file beside the run file where there is one, or else to standard error in full (to a temporary file
    where that is too long for a terminal).
    """
    place = _place(text, run_file, suffix)
    if place is None:
        say(f"{reason}; it would have held:")
        show_beside(text)
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


#: Options that ask for labels; where labels are an input, the second one does.
LABELS, LABELS_OUT, BETTER = "--labels", "--labels-out", "--better-out"


@dataclass(frozen=True)
class Destinations:
    """Where results go: a file, ``-`` for standard output, or None where no option asks for it."""

    #: the partition, and the better one that a certification has met
    labels: str | None = None
    better: str | None = None
    labels_in: str | None = None  #: the partition as the user gave it, who has it already
    #: the whole result, the events, and the journal, which holds the result, too
    json: str | None = None
    log: str | None = None
    run_file: str | None = None
    labels_option: str = LABELS  #: the option that asks for the partition
    quiet: bool = False  #: whether one line is enough, or none beside other outputs

    @classmethod
    def of(cls, arguments: argparse.Namespace) -> Self:
        """Return what the arguments of a command name, whichever of these it has."""
        given: dict[str, Any] = {own.name: getattr(arguments, own.name, own.default) for own in fields(cls)}
        return cls(**given | {"labels_option": LABELS_OUT if LABELS_OUT in arguments.outputs else LABELS})

    @property
    def asked(self) -> set[str]:
        """The outputs that somebody has asked for."""
        return {path for path in (self.labels, self.better, self.json, self.log) if path is not None}

    @property
    def unasked(self) -> str | None:
        """The option that would keep what otherwise is gone with the process; None where nothing is."""
        if self.json is not None or self.run_file is not None:
            return None
        if self.labels is None and self.labels_in is None:
            return self.labels_option
        return BETTER if self.better is None and self.labels_option == LABELS_OUT else None

    def lost(self, partition: Partition | None, better: Partition | None) -> Partition | None:
        """Return the better one of two partitions if it would be gone with the process."""
        if self.unasked is None:
            return None
        if better is not None:
            return better if self.better is None else None
        return partition if self.unasked == self.labels_option else None


def check_files(arguments: argparse.Namespace, more: dict[str, str] | None = None) -> None:
    """Make sure, before any work is done, that all outputs of a command can be written and overwrite no input.

    There may be more inputs, by what they are called.
    """
    check_outputs(arguments.outputs, arguments.inputs | (more or {}))
    for option in (LABELS, LABELS_OUT, BETTER):
        check_labels_output(option, arguments.outputs.get(option))


#: Seconds from which on a result is kept; what took less is found again in as long.
LONG = 10.0
#: What is left out of the name of a table.
ENDINGS = {".csv", ".txt", ".tsv", ".dat", ".data", ".npy", ".npz", ".parquet", ".gz"}


class Safekeeping:
    """A file for a result that no option asks for, beside which nothing is overwritten.

    While entered for longer than :data:`LONG`, it says once where the result will be, and how to name another place.
    ``what`` is kept there begins that sentence; quiet, it says nothing before the end.
    """

    def __init__(self, what: str, stem: str, suffix: str, remedy: str, *, is_quiet: bool) -> None:
        self._what, self._stem, self._suffix, self._remedy = what, stem, suffix, remedy
        self._is_quiet = is_quiet
        self._place: Path | None = None
        self._timer = threading.Timer(LONG, self._announce)
        self._timer.daemon = True

    def keep(self, text: str) -> str | None:
        """Write a result that took long to find, and return the file; None for one that did not.

        What cannot be written goes to standard error in full.
        """
        self._settle()
        if self._place is None:
            return None
        for place in itertools.chain([self._place], self._places()):
            try:
                with place.open("x", encoding="utf-8") as stream:
                    stream.write(text)
            except FileExistsError:
                continue
            except OSError as error:
                keep(text, f"{place} cannot be written ({reason(error)})")
                break
            return str(place)
        return None

    def _settle(self) -> None:
        """Let nothing be announced any more."""
        self._timer.cancel()
        self._timer.join()

    def _announce(self) -> None:
        self._place = next(place for place in self._places() if not os.path.lexists(place))
        if not self._is_quiet:
            say(f"{self._what} will be in {self._place}; {self._remedy}")

    def _places(self) -> Iterator[Path]:
        """Yield names of files, in the working folder where that may be written to."""
        folder = Path() if os.access(".", os.W_OK | os.X_OK) else Path(tempfile.gettempdir())
        yield from (folder / name for name in numbered(self._stem, self._suffix))

    def __enter__(self) -> Self:
        self._timer.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._settle()


def safekeeping(arguments: argparse.Namespace) -> AbstractContextManager[Safekeeping | None]:
    """Return where labels go that no option asks for; None where all goes to some file."""
    to = Destinations.of(arguments)
    if to.unasked is None:
        return nullcontext()
    what = "the labels" if to.unasked == to.labels_option else "the labels of a better partition, if one is met,"
    remedy = f"{to.unasked} FILE names another place"
    return Safekeeping(what, stem_of(arguments), ".labels.csv", remedy, is_quiet=to.quiet)


def stem_of(arguments: argparse.Namespace) -> str:
    """Return what a file about an instance is called: its table, and the number of clusters."""
    path = Path(Source.of(arguments).path)
    while path.suffix.lower() in ENDINGS:
        path = path.with_suffix("")
    name = "pcsos" if path.name in {"", "-"} else path.name
    n_clusters = getattr(arguments, "n_clusters", None)
    return name if n_clusters is None else f"{name}-k{n_clusters}"
