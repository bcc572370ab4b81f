"""The journal: where a run is written down as it happens, and what an earlier part of it has written."""

import contextlib
from collections.abc import Iterator, Sequence
from typing import Any, Protocol

import numpy as np

from pcsos.base.events import Event, Notice, OnEvent
from pcsos.base.exceptions import RunFileError
from pcsos.base.typing import Floats, Indices
from pcsos.evidence.node import NodeRecord
from pcsos.evidence.result import Result
from pcsos.evidence.run_file.journal import KnownPart
from pcsos.problem.instance import Instance
from pcsos.problem.partition import Partition


class Journal(Protocol):
    """What a run file is to a run (see :mod:`pcsos.evidence.run_file`); writing raises :class:`RunFileError`."""

    @property
    def keeps(self) -> bool:
        """Whether anything is written down, so that only what is written down counts as proved."""

    @property
    def has_begun(self) -> bool:
        """Whether an earlier part of the run got as far as the search."""

    def add_node(self, record: NodeRecord) -> None:
        """Store a processed node."""

    def add_incumbent(self, labels: Indices, objective: float, source: str, seconds: float) -> None:
        """Store a better partition."""

    def add_event(self, event: Event) -> None:
        """Store an event."""

    def add_part(
        self, number: int, points: Indices, weights: Floats, bound: float = 0.0, records: Sequence[NodeRecord] = ()
    ) -> None:
        """Store a part of the instance with what is proved of it."""

    def add_cover(self, parts: list[int]) -> None:
        """Store which parts together are the instance."""

    def set_claim(self, result: Result) -> None:
        """Store what the run claims in the end."""

    def records(self) -> Iterator[NodeRecord]:
        """Yield the nodes of earlier parts of the run, in the order in which they were stored."""

    def incumbent(self) -> Partition | None:
        """Return the best partition of earlier parts of the run."""

    def cover(self) -> list[KnownPart]:
        """Return the parts that earlier parts of the run have put together to the whole; nothing before."""

    def cover_bound(self) -> float:
        """Return what these prove of the whole, 0 without any."""

    def stated_bound(self) -> float:
        """Return what all records of earlier parts of the run state, 0 without any."""

    def parts(self) -> Iterator[KnownPart]:
        """Yield the parts of the instance that earlier parts of the run have bounded."""


def cover_whole(journal: Journal, instance: Instance, bound: float, records: Sequence[NodeRecord]) -> float:
    """Write down a bound of an instance without limits and soft pairs, as a cover of one part, unless one as good is.

    Returns what is proved of the instance, as a journal says that keeps it.
    """
    if bound > journal.cover_bound():
        number = 1 + max((part.number for part in journal.parts()), default=0)
        journal.add_part(number, np.arange(instance.n_points), instance.weights, bound, records)
        journal.add_cover([number])
    return journal.cover_bound() if journal.keeps else bound


class NullJournal:
    """The journal of a run without a run file."""

    keeps = False
    has_begun = False

    def add_node(self, *_: Any, **__: Any) -> None:
        """Store nothing."""

    add_incumbent = add_event = add_part = add_cover = set_claim = add_node

    def incumbent(self) -> None:
        """Return None."""

    def records(self) -> Iterator[NodeRecord]:
        """Yield nothing."""
        return iter(())

    def cover(self) -> list[KnownPart]:
        """Return nothing."""
        return []

    def cover_bound(self) -> float:
        """Return 0."""
        return 0.0

    stated_bound = cover_bound

    def parts(self) -> Iterator[KnownPart]:
        """Yield nothing."""
        return iter(())


def silence(event: Event) -> None:
    """Show nothing."""


class Writer:
    """Writes down what happens; once that fails, the run goes on to its end without.

    Parameters
    ----------
    journal : Journal, optional
        Where to write.
    on_event : callable, optional
        Called with every event.

    Attributes
    ----------
    failure : str
        Why the run file could not be written any more; empty if it could.
    """

    def __init__(self, journal: Journal | None = None, on_event: OnEvent = silence) -> None:
        self.journal: Journal = NullJournal() if journal is None else journal
        self.failure = ""
        self._events, self._on_event = self.journal, on_event

    def notify(self, event: Event) -> None:
        """Hand an event to the journal and to whoever listens."""
        with contextlib.suppress(RunFileError):  # whatever is written next meets the same, and says so
            self._events.add_event(event)
        self._on_event(event)

    def notice(self, sentence: str) -> None:
        """Hand a sentence for the user to the journal and to whoever listens."""
        self.notify(Notice(sentence))

    @contextlib.contextmanager
    def guarded(self) -> Iterator[Journal]:
        """Enter what writes to the journal; it is left where that fails."""
        try:
            yield self.journal
        except RunFileError as error:
            self.journal, self.failure = NullJournal(), str(error)
            self.notice(f"the run stops because its run file cannot be written: {error}")
