"""Progress: a live table for people, JSON lines for programs.

Both listen to the events of :mod:`pcsos.base.events`.
"""

import contextlib
import dataclasses
import io
import logging
import math
import os
import sys
import textwrap
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TextIO, TypeVar

from pcsos._version import __version__
from pcsos.base import tolerances
from pcsos.base.events import (
    SOURCES,
    BlockBounded,
    BoundImproved,
    CutRound,
    Event,
    IncumbentFound,
    NodeClosed,
    Notice,
    OnEvent,
    PricesRaised,
    RunStarted,
)
from pcsos.base.exceptions import InputError
from pcsos.evidence.result import Result
from pcsos.io.outputs import STDOUT, json_text, silence_stdout, standard_stream
from pcsos.io.source import PathLike, reason
from pcsos.verify.reading.text import number_of, printable

#: Characters of a line where the width of the terminal is not known; the table is narrower.
USUAL_WIDTH = 80

#: Rows after which the header is repeated.
HEADER_EVERY = 20

#: Least seconds between rows for rounds of cuts; incumbents, better bounds and closed nodes are shown at once.
INTERVAL = 1.0

#: Seconds after which a run that nobody watches says that it is still at work, and what it says then.
SILENCE = 30.0
STILL_RUNNING = (
    "still running after {:g} s: {}; Ctrl-C ends it with what is found, time_limit=60 does so by itself, and "
    "verbose=True shows how it goes; for thousands of points, pcsos.heuristics.run finds a partition in seconds and "
    "pcsos.certify proves how good it is"
)

#: Lines before all else.
INTRODUCTION = 2

#: Columns of the table, the first for the letter of a source, and their widths.
COLUMNS = {"": 1, "node": 6, "size": 5, "bound": 15, "incumbent": 15, "gap": 9, "cuts": 6, "open": 5}

#: Names of the events in a log; they are part of the interface and never change.
EVENT_NAMES: dict[type, str] = {
    RunStarted: "run_started",
    IncumbentFound: "incumbent",
    CutRound: "cut_round",
    BoundImproved: "bound",
    NodeClosed: "node_closed",
    PricesRaised: "prices",
    BlockBounded: "block",
    Notice: "notice",
}

Item = TypeVar("Item")

_log = logging.getLogger("pcsos")


def broadcast(*listeners: OnEvent | None) -> OnEvent:
    """Return a listener that hands each event to all the given ones, in order."""
    present = [listener for listener in listeners if listener is not None]

    def notify(event: Event) -> None:
        for listener in present:
            listener(event)

    return notify


def listener(on_event: OnEvent | None, *, verbose: bool) -> OnEvent:
    """Return what takes the events of a run: the table, if that is wanted, and the user's own.

    Where there is neither, nobody watches: :class:`Unwatched`.

    Raises
    ------
    InputError
        If the user's own cannot be called.
    """
    if on_event is not None and not callable(on_event):
        raise InputError(f"on_event is of type {type(on_event).__name__}; give a function of one event, or None")
    if verbose:
        return broadcast(ProgressTable(usual_stream()), on_event)
    return on_event or Unwatched()


def usual_stream() -> TextIO:
    """Return where progress is shown: standard error, or below the cell of a notebook."""
    return NotebookCell() if in_notebook() else sys.stderr


def in_notebook() -> bool:
    """Return whether this is the kernel of a notebook, without loading what is not loaded there."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return getattr(shell, "kernel", None) is not None


class NotebookCell(io.StringIO):
    """A stream whose last lines stand below a cell of a notebook, in place of the ones before, without widgets."""

    def __init__(self) -> None:
        super().__init__()
        self._shown: Any = None

    def flush(self) -> None:
        """Show the last lines."""
        from IPython.display import display

        lines = self.getvalue().splitlines()
        content = {"text/plain": "\n".join([*lines[:INTRODUCTION], *lines[INTRODUCTION:][-HEADER_EVERY - 1 :]])}
        if self._shown is None:
            self._shown = display(content, raw=True, display_id=True)
        else:
            self._shown.update(content, raw=True)


class ProgressTable:
    """A table of a run that grows while it runs.

    Parameters
    ----------
    stream : text stream or None
        Where to write, usually standard error. If it fails, the table falls silent; the run goes on.
    show_times : bool
        False leaves out everything that depends on the clock, so that the tables of two runs can be compared.
    clock : callable
        Seconds since some moment.

    Notes
    -----
    Columns: letter of what found a new incumbent, node, its super-points, global lower bound, incumbent,
    relative gap, cuts at the node, open nodes, seconds. A dash means that nothing is known yet.

    Examples
    --------
    >>> import pcsos, sys
    >>> from pcsos.report.progress import ProgressTable
    >>> table = ProgressTable(sys.stdout, show_times=False)
    >>> result = pcsos.solve([0.0, 1.0, 5.0, 6.0], 2, options=pcsos.Options(on_event=table))
    ... # doctest: +ELLIPSIS
    pcsos ...: 4 points, 1 feature, 2 clusters; after reduction ...
    """

    def __init__(
        self,
        stream: TextIO | None,
        *,
        show_times: bool = True,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._stream = stream
        self._interval = INTERVAL if show_times else 0.0
        self._show_times = show_times
        self._clock = clock
        self._bold = stream is not None and stream.isatty() and "NO_COLOR" not in os.environ
        self._shown_at = -math.inf
        self._num_rows = 0
        self._last_row = ""
        self._notices: set[str] = set()
        self._explained: set[str] = set()
        self._bound = -math.inf
        self._incumbent = math.inf
        self._node: int | str = "-"
        self._size: int | str = "-"
        self._num_cuts: int | str = "-"
        self._num_open: int | str = "-"

    def __call__(self, event: Event) -> None:
        """Take one event in, and show it if it is due."""
        match event:
            case RunStarted():
                self._introduce(event)
            case Notice(message):
                if message not in self._notices:
                    self._notices.add(message)
                    self._fold(f"Note: {message}")
            case IncumbentFound(objective, source, seconds):
                self._incumbent = min(self._incumbent, objective)
                self._explain(source)
                self._row(seconds, source, at_once=True)
            case CutRound():
                self._node, self._size, self._num_cuts = event.node, event.size, event.num_cuts
                if event.is_of_whole:
                    self._bound = max(self._bound, event.lower_bound)
                self._row(event.seconds)
            case BoundImproved(lower_bound, seconds):
                self._bound = max(self._bound, lower_bound)
                self._row(seconds, at_once=True)
            case PricesRaised() if self._show_times:  # how many there are is up to the clock
                self._prices(event)
            case BlockBounded():
                self._block(event)
            case NodeClosed():
                self._node, self._size, self._num_open = event.node, event.size, event.num_open
                self._row(event.seconds)  # the bound of the run follows where it rose

    def _introduce(self, event: RunStarted) -> None:
        self._fold(
            f"pcsos {__version__}: {number_of(event.n_points, 'point')}, {number_of(event.n_features, 'feature')}, "
            f"{number_of(event.n_clusters, 'cluster')}; after reduction "
            f"{number_of(event.n_super_points, 'super-point')}, {number_of(event.n_cannot_link, 'cannot-link')}"
        )

    def _explain(self, source: str) -> None:
        """Say what a letter stands for, where it occurs first."""
        if source in SOURCES and source not in self._explained:
            self._explained.add(source)
            self._fold(f"{source} = {SOURCES[source]}")

    def _row(self, seconds: float, source: str = "", *, at_once: bool = False) -> None:
        values = _value(self._bound), _value(self._incumbent), percent(self._gap)
        row = _aligned(source, self._node, self._size, *values, self._num_cuts, self._num_open)
        if row == self._last_row or not self._is_due(at_once=at_once):
            return
        self._last_row = row
        if self._num_rows % HEADER_EVERY == 0:
            self._header()
        self._num_rows += 1
        self._write(f"{row} {seconds:>7.1f}s" if self._show_times else row)

    @property
    def _gap(self) -> float:
        return tolerances.relative_gap(self._incumbent, self._bound)

    def _is_due(self, *, at_once: bool = False) -> bool:
        """Return whether something is to be shown now, from which on the interval counts."""
        now = self._clock()
        is_due = at_once or now - self._shown_at >= self._interval
        self._shown_at = now if is_due else self._shown_at
        return is_due

    def _prices(self, event: PricesRaised) -> None:
        """Show at which round prices are."""
        if not self._is_due():
            return
        self._num_rows = 0
        if event.lower_bound > 0.0:
            self._bound = max(self._bound, event.lower_bound)
        self._fold(
            f"  prices of {number_of(event.size, 'group')} of points, round {event.round}: gap {percent(self._gap)} "
            f"so far; {event.seconds:.1f} s"
        )

    def _block(self, event: BlockBounded) -> None:
        """Show how far the blocks of a certificate are."""
        is_last = event.num_done == event.num_blocks
        if not self._is_due(at_once=is_last):
            return
        self._num_rows = 0
        self._bound = max(self._bound, event.lower_bound)
        gap = min(event.gap, self._gap)
        row = (
            f"  {event.num_done} of {event.num_blocks} blocks of about {event.size} points bounded: gap "
            f"{percent(gap)} so far, {percent(min(gap, event.projected_gap))} expected"
        )
        if self._show_times:
            left = event.seconds / event.num_done * (event.num_blocks - event.num_done)
            row += f"; {event.seconds:.1f} s" + ("" if is_last else f", about {left:.0f} s left")
        self._fold(row)

    def _header(self) -> None:
        header = _aligned(*COLUMNS)
        if self._show_times:
            header += f" {'time':>8}"
        self._write(f"\x1b[1m{header}\x1b[0m" if self._bold else header)

    def _fold(self, line: str) -> None:
        """Write a line of words, folded where the terminal ends."""
        indent = " " * (len(line) - len(line.lstrip()))
        width = _width_of(self._stream)
        self._write(textwrap.fill(printable(line), width, subsequent_indent=indent + "  ", break_on_hyphens=False))

    def _write(self, line: str) -> None:
        if self._stream is None:
            return
        try:
            self._stream.write(line + "\n")
            self._stream.flush()
        except (OSError, ValueError):
            self._stream = None


class Unwatched(ProgressTable):
    """What takes the events of a run that nobody watches: notices are warnings in the log ``pcsos``.

    So is one sentence of a long run, on how far it is.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(None, clock=clock)
        self._due: float | None = None  # once the run has begun: kernels are compiled before

    def __call__(self, event: Event) -> None:
        """Take one event in."""
        if isinstance(event, Notice):
            _log.warning(event.message)
        else:
            super().__call__(event)

    def meanwhile(self, wants_end: Callable[[], bool]) -> Callable[[], bool]:
        """Return what asks the same, many times a second, and says the sentence when it is due."""

        def asked() -> bool:
            self._due = self._clock() + SILENCE if self._due is None else self._due
            if self._clock() >= self._due:
                self._due = math.inf
                _log.warning(STILL_RUNNING.format(SILENCE, self._known))
            return wants_end()

        return asked

    @property
    def _known(self) -> str:
        """What is known so far, in words."""
        if math.isinf(self._incumbent):
            return "no partition is found yet"
        proved = "nothing" if self._bound <= 0.0 else f"a gap of {percent(self._gap)}"
        return f"the best partition so far costs {_value(self._incumbent)}, and {proved} is proved of it"


def counted(
    items: Iterable[Item],
    total: int,
    words: str,
    stream: TextIO | None,
    *,
    silence: float = 2.0,
    clock: Callable[[], float] = time.monotonic,
) -> Iterator[Item]:
    """Go through items, and say now and then how many of them are done, with so many seconds of silence between."""
    begun = shown = clock()
    for done, item in enumerate(items):
        now = clock()
        if stream is not None and done and now - shown >= silence:
            shown, left = now, (now - begun) / done * (total - done)
            with contextlib.suppress(OSError, ValueError):
                stream.write(f"{done} of {total} {words}, {now - begun:.0f} s, about {left:.0f} s left\n")
                stream.flush()
        yield item


class JsonLines:
    """A log for programs: one JSON object a line, with the key ``event`` first.

    Parameters
    ----------
    path : path-like
        The file; ``-`` is standard output.
    append : bool
        Whether to keep what the file holds, as after resuming a run.

    Raises
    ------
    InputError
        If the file cannot be opened. A failure later ends the log, not the run; :attr:`failure` then says
        why.
    """

    def __init__(self, path: PathLike, *, append: bool = False) -> None:
        self.failure: str | None = None
        self._path = path
        if path == STDOUT:
            self._stream = sys.stdout
            return
        try:
            mode = "a" if append else "w"
            own = standard_stream(path)
            self._stream = open(path if own is None else own, mode, encoding="utf-8", buffering=1)  # noqa: SIM115
        except (OSError, ValueError) as error:
            raise InputError(f"the log {path} cannot be written ({reason(error)}); give another place") from error

    def __call__(self, event: Event) -> None:
        """Write one event."""
        self._write({"event": EVENT_NAMES[type(event)], **dataclasses.asdict(event)})

    def finish(self, result: Result) -> None:
        """Write the figures of the result as the last line, without the labels, and close the file."""
        figures = result.to_dict()
        del figures["labels"]
        self._write({"event": "run_finished", **figures})
        self.close()

    def close(self) -> None:
        """Close the file; further events are lost."""
        if self._path == STDOUT:
            return
        try:
            self._stream.close()
        except OSError as error:
            self._fail(error)

    def _write(self, values: dict[str, object]) -> None:
        if self.failure is not None or self._stream.closed:
            return
        try:
            self._stream.write(json_text(values) + "\n")
            self._stream.flush()
        except (OSError, ValueError) as error:
            self._fail(error)

    def _fail(self, error: Exception) -> None:
        name = "on standard output" if self._path == STDOUT else self._path
        self.failure = f"the log {name} is incomplete ({reason(error)})"
        if self._path == STDOUT:
            silence_stdout()


def _width_of(stream: TextIO | None) -> int:
    """Return the width of a terminal; for other streams a usual one."""
    if stream is not None and stream.isatty():
        with contextlib.suppress(OSError, ValueError):
            return os.get_terminal_size(stream.fileno()).columns or USUAL_WIDTH
    return USUAL_WIDTH


def _aligned(*cells: int | str) -> str:
    return " ".join(f"{cell:>{width}}" for cell, width in zip(cells, COLUMNS.values(), strict=True))


def _value(value: float) -> str:
    return f"{value:.10g}" if math.isfinite(value) else "-"


def percent(gap: float | None) -> str:
    """Return a gap as text, a dash where it is not known."""
    return "-" if gap is None or not math.isfinite(gap) else f"{100.0 * gap:.4f}%"
