"""The journal: where a run is written down as it happens, and what an earlier part of it has written."""

import contextlib
from collections.abc import Iterator, Sequence
from typing import Any, Protocol

from pcsos.base.control.subprocess import ignore
from pcsos.base.events import Event, Notice, OnEvent
from pcsos.base.exceptions import RunFileError
from pcsos.base.typing import Floats, Indices
from pcsos.evidence.node import CoverProof, FinishedTree, NodeRecord, PartProof, Proof
from pcsos.evidence.result import Result
from pcsos.evidence.run_file.proof import KnownPart
from pcsos.problem.partition import Partition


class Journal(Protocol):
    """What a run file is to a run (see :mod:`pcsos.evidence.run_file`); writing raises :class:`RunFileError`.

    Where there is none, nothing was written down before.
    """

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

    def add_beside_tree(self, records: Sequence[NodeRecord]) -> None:
        """Store a finished tree of the whole instance."""

    def add_part(self, points: Indices, weights: Floats, records: Sequence[NodeRecord] = ()) -> int:
        """Store a part of the instance with what is proved of it; return its number."""
        return 0

    def add_cover(self, parts: Sequence[int]) -> None:
        """Store which parts together are the instance."""

    def set_claim(self, result: Result) -> None:
        """Store what the run claims in the end."""

    def records(self) -> Iterator[NodeRecord]:
        """Yield the nodes of earlier parts of the run, in the order in which they were stored."""
        return iter(())

    def incumbent(self) -> Partition | None:
        """Return the best partition of earlier parts of the run."""
        return None

    def cover(self) -> list[KnownPart]:
        """Return the parts that earlier parts of the run have put together to the whole; nothing before."""
        return []

    def stated_bound(self, *, counts_tree: bool = True) -> float:
        """Return what earlier parts of the run state of the whole, or just beside the tree; 0 without anything."""
        return 0.0

    def parts(self) -> Iterator[KnownPart]:
        """Yield the parts of the instance that earlier parts of the run have bounded."""
        return iter(())


class NullJournal(Journal):
    """The journal of a run without a run file."""

    keeps = False
    has_begun = False

    def add_node(self, *_: Any, **__: Any) -> None:
        """Store nothing."""

    add_incumbent = add_event = add_beside_tree = add_cover = set_claim = add_node


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

    def __init__(self, journal: Journal | None = None, on_event: OnEvent = ignore) -> None:
        self.journal: Journal = NullJournal() if journal is None else journal
        self.failure = ""
        self._parts: dict[int, int] = {}  # numbers in the journal of parts that were written
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

    def write(self, proof: Proof) -> bool:
        """Write down a proof; tell whether it is on disk, or nothing is kept."""
        with self.guarded() as journal:
            match proof:
                case NodeRecord():
                    journal.add_node(proof)
                case FinishedTree():
                    journal.add_beside_tree(proof.records)
                case PartProof():
                    self._parts[proof.number] = journal.add_part(proof.points, proof.weights, proof.records)
                case CoverProof():
                    journal.add_cover([self._parts.get(number, number) for number in proof.numbers])
        return not self.failure
