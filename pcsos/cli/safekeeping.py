"""Safekeeping: what took long to find and goes nowhere else is kept in a file that is named while it is looked for."""

import argparse
import itertools
import os
import tempfile
import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from types import TracebackType
from typing import Self

from pcsos.cli.destinations import Destinations
from pcsos.cli.messages import say
from pcsos.cli.rescue import keep, numbered
from pcsos.cli.sources import Source
from pcsos.io.source import reason

#: Seconds from which on a result is kept; what took less is found again in as long.
LONG = 10.0
#: What is left out of the name of a table.
ENDINGS = {".csv", ".txt", ".tsv", ".dat", ".data", ".npy", ".npz", ".parquet", ".gz"}


class Safekeeping:
    """A file for a result that no option asks for, beside which nothing is overwritten.

    While entered for longer than :data:`LONG`, it says once where the result will be.

    Parameters
    ----------
    what : str
        What is kept, in words that begin a sentence.
    stem, suffix : str
        What the name of the file begins and ends with.
    remedy : str
        How to name another place.
    is_quiet : bool
        Whether to say nothing before the end.
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
