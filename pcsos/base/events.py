"""Events: what happens during a run, as small facts; :mod:`progress` shows them, a run file stores them."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import get_args


@dataclass(frozen=True)
class RunStarted:
    """A run begins on an instance of this size."""

    n_points: int
    n_features: int
    n_clusters: int
    n_super_points: int
    n_cannot_link: int


@dataclass(frozen=True)
class IncumbentFound:
    """A better partition was found by ``source`` (a letter of :data:`SOURCES`; empty: an earlier part of the run)."""

    objective: float
    source: str
    seconds: float


@dataclass(frozen=True)
class CutRound:
    """One round of cutting planes at a node has ended; what an accelerator bounds is not proved before its end."""

    node: int
    size: int
    lower_bound: float
    num_cuts: int
    num_fixed: int
    seconds: float
    is_proved: bool = True

    @property
    def is_of_whole(self) -> bool:
        """Whether the bound holds for every partition: of the root, where nothing is fixed, which may cost less."""
        return self.node == 0 and self.num_fixed == 0 and self.is_proved


@dataclass(frozen=True)
class BoundImproved:
    """The global lower bound rose."""

    lower_bound: float
    seconds: float


@dataclass(frozen=True)
class NodeClosed:
    """A node needs no more work; ``how`` is ``bound``, ``infeasible``, ``single``, ``line`` or ``branched``."""

    node: int
    parent: int | None
    size: int
    lower_bound: float
    how: str
    num_open: int
    seconds: float


@dataclass(frozen=True)
class PricesRaised:
    """Prices are being raised, which is told every two seconds; ``lower_bound`` is that of the whole so far.

    Round ``round`` is at work, 0 while all is made ready, on ``size`` super-points or, at first, nodes that stand for
    them.
    """

    size: int
    round: int
    lower_bound: float
    seconds: float


@dataclass(frozen=True)
class BlockBounded:
    """A block of a certificate is bounded; ``lower_bound`` and ``gap`` are the best proved of the whole so far.

    ``num_done`` of ``num_blocks`` blocks of the present cover are bounded, and the others are expected to lack as much:
    that gives ``projected_gap``. What was proved before counts until a cover proves more.
    """

    size: int
    block_gap: float
    num_done: int
    num_blocks: int
    lower_bound: float
    gap: float
    projected_gap: float
    seconds: float


@dataclass(frozen=True)
class Notice:
    """One sentence that a user should read once."""

    message: str


Event = RunStarted | IncumbentFound | CutRound | BoundImproved | NodeClosed | PricesRaised | BlockBounded | Notice

#: What takes the events of a run; whoever takes what is found is called ``on_...``, too.
OnEvent = Callable[[Event], None]
#: What takes sentences for the user; such a parameter is called ``notify`` everywhere.
Notify = Callable[[str], object]


def notices(on_event: OnEvent) -> Notify:
    """Return what takes sentences for the user, and hands each on as a :class:`Notice`."""
    return lambda sentence: on_event(Notice(sentence))


#: The events by their names in a run file.
KINDS: dict[str, type[Event]] = {kind.__name__: kind for kind in get_args(Event)}

#: What can find an incumbent, by the letter that the log shows.
SOURCES = {
    "I": "the initial labels",
    "C": "IPC-k-means from the initial centres",
    "F": "a colouring of the cannot-links",
    "K": "IPC-k-means from k-means++ centres",
    "S": "IPC-k-means from the centres of the SDP",
    "M": "S-MDEClust",
    "U": "the only partition left",
    "D": "dynamic programming on a line",
    "G": "the labels given",
    "L": "local search from the labels given",
    "P": "prices",
    "O": "k-means--, which leaves points out",
}
