"""The journal: where a run is written down as it happens, and what an earlier part of it has written."""

import contextlib
from collections.abc import Callable, Iterator
from typing import Protocol

from pcsos.events import Event
from pcsos.exceptions import RunFileError
from pcsos.partition import Partition
from pcsos.proof import NodeRecord
from pcsos.result import Result
from pcsos.run_file.journal import KnownPart, Proved
from pcsos.typing import Floats, Indices


class Journal(Protocol):
    """What a run file is to a run (see :mod:`pcsos.run_file`); writing raises :class:`RunFileError`."""

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

    def add_part(self, number: int, points: Indices, weights: Floats, bounded: Proved | None) -> None:
        """Store a part of the instance with what is proved of it."""

    def add_cover(self, parts: list[int]) -> None:
        """Store which parts together are the instance."""

    def set_claim(self, result: Result) -> None:
        """Store what the run claims in the end."""

    def records(self) -> Iterator[NodeRecord]:
        """Yield the nodes of earlier parts of the run, in the order in which they were stored."""

    def incumbent(self) -> Partition | None:
        """Return the best partition of earlier parts of the run."""

    def cover_bound(self) -> float:
        """Return what the blocks of earlier parts of the run have proved of the whole."""

    def parts(self) -> Iterator[KnownPart]:
        """Yield the parts of the instance that earlier parts of the run have bounded."""


def teller(journal: Journal, on_event: Callable[[Event], None]) -> Callable[[Event], None]:
    """Return what tells an event to the journal and to whoever listens."""

    def tell(event: Event) -> None:
        with contextlib.suppress(RunFileError):  # whatever is written next meets the same, and says so
            journal.add_event(event)
        on_event(event)

    return tell


class NullJournal:
    """The journal of a run that nobody writes down."""

    keeps = False
    has_begun = False

    def add_node(self, record: NodeRecord) -> None:
        """Store nothing."""

    def add_incumbent(self, labels: Indices, objective: float, source: str, seconds: float) -> None:
        """Store nothing."""

    def add_event(self, event: Event) -> None:
        """Store nothing."""

    def add_part(self, number: int, points: Indices, weights: Floats, bounded: Proved | None) -> None:
        """Store nothing."""

    def add_cover(self, parts: list[int]) -> None:
        """Store nothing."""

    def set_claim(self, result: Result) -> None:
        """Store nothing."""

    def records(self) -> Iterator[NodeRecord]:
        """Yield nothing."""
        return iter(())

    def incumbent(self) -> None:
        """Return None."""

    def cover_bound(self) -> float:
        """Return 0."""
        return 0.0

    def parts(self) -> Iterator[KnownPart]:
        """Yield nothing."""
        return iter(())
