"""Task and outcome: a node before and after it is processed, with the state of the instance that it stands for."""

import math
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Self

import numpy as np

from pcsos.base.typing import Floats, Indices
from pcsos.bounds.relaxation.engine import WarmStart, start_from
from pcsos.bounds.relaxation.peng_wei import Masses, masses_of
from pcsos.evidence.kinds import Bound, Branching, Prices
from pcsos.evidence.node import Change, Decision, Evidence, FinishedTree, NodeRecord, Proof, decisions_of
from pcsos.presolve.presolve import Presolved
from pcsos.problem.reduction import Reduced, WeightBound, contract


def no_pairs() -> Indices:
    """Return an empty list of pairs."""
    return np.empty((0, 2), np.intp)


@dataclass(frozen=True, eq=False)
class State:
    """Pairs of original points that are linked beyond the instance's own constraints, each of shape (m, 2).

    ``bounds`` are what is known of the weights of clusters beyond the limits of the instance.
    """

    must_link: Indices = field(default_factory=no_pairs)
    cannot_link: Indices = field(default_factory=no_pairs)
    bounds: tuple[WeightBound, ...] = ()

    def with_change(self, change: Change) -> "State":
        """Return the state of a child."""
        if isinstance(change, WeightBound):
            return replace(self, bounds=(*self.bounds, change))
        return self.with_decisions((change,))

    def with_decisions(self, decisions: tuple[Decision, ...]) -> "State":
        """Return the state with further decisions."""
        pairs = {
            kind: np.array([(d.i, d.j) for d in decisions if d.kind == kind], np.intp).reshape(-1, 2)
            for kind in ("ML", "CL")
        }
        must_link, cannot_link = np.vstack([self.must_link, pairs["ML"]]), np.vstack([self.cannot_link, pairs["CL"]])
        return replace(self, must_link=must_link, cannot_link=cannot_link)

    def after(self, evidence: Iterable[Evidence]) -> "State":
        """Return the state with what was deduced."""
        return self.with_decisions(decisions_of(evidence))

    def apply(self, root: Reduced) -> Reduced:
        """Return the reduced problem of this state; raises InfeasibleError if the state contradicts itself."""
        bounded = replace(root, bounds=self.bounds)
        return contract(bounded, root.component[self.must_link], root.component[self.cannot_link])


@dataclass(frozen=True, eq=False)
class Inheritance:
    """What a cutting-plane loop takes over from one over other super-points."""

    component: Indices  #: shape (n,): super-point of each original point there
    masses: Masses  #: what super-points and clusters weigh there
    warm: WarmStart  #: where that loop stood

    def carried_to(self, problem: Reduced) -> WarmStart:
        """Return the warm start over the super-points of a problem that contracts this one."""
        first = np.unique(self.component, return_index=True)[1]
        return self.warm.contracted(problem.component[first], self.masses, np.sqrt(problem.weights))


@dataclass(frozen=True, eq=False)
class InheritedPrices:
    """What the prices of a node begin with."""

    component: Indices  #: shape (n,): super-point of each original point at the node above
    prices: Floats  #: shape (s,): what these pay there beyond what they cost inside
    radius: float  #: how far from those better ones were looked for in the end, as a share of them


def inherited(problem: Reduced, record: NodeRecord) -> Inheritance | InheritedPrices | None:
    """Return what children take over: just what the parent's record holds, so that a resumed run has it too."""
    match record.evidence:
        case (*_, Bound(multipliers=multipliers), Branching(start=penalty)):
            return Inheritance(problem.component, masses_of(problem), WarmStart(multipliers, penalty or 0.0))
        case (*_, Prices(prices=prices), Branching(start=radius)):
            return InheritedPrices(problem.component, prices, radius or math.inf)
    return None


@dataclass(frozen=True, eq=False)
class PartitionStart:
    """What the cutting-plane loop of the root takes over from a partition that is known."""

    labels: Indices  #: shape (n,): cluster of each original point
    penalty: float  #: as in :func:`pcsos.bounds.relaxation.engine.start_from`

    def carried_to(self, problem: Reduced) -> WarmStart:
        """Return the warm start over the super-points of a problem."""
        return start_from(problem, self.labels[problem.representative], self.penalty)


@dataclass(frozen=True, eq=False)
class Task:
    """A node to be processed."""

    #: numbers of the node and of its parent, which the root has not
    node: int
    parent: int | None
    decision: Change | None  #: what tells it from its parent
    state: State  #: pairs that are linked beyond the constraints of the instance
    lower_bound: float  #: at least that of the parent (original sum of squares)
    #: where its cutting-plane loop or its prices may begin
    inheritance: Inheritance | PartitionStart | InheritedPrices | None = None
    #: what is known before it is begun and not written down yet: at the root, pairs that are forced or far apart
    steps: tuple[Evidence, ...] = ()
    problem: Reduced | None = None  #: the problem where the steps lead, if it is known already
    num_asked: int = 0  #: bounders that were asked about it
    needs_conditions: bool = False  #: whether only those prove more that count limits and soft pairs

    @property
    def is_root(self) -> bool:
        """Whether it is the whole instance."""
        return self.parent is None

    @classmethod
    def root(cls, presolved: Presolved) -> Self:
        """Return the root of the tree."""
        problem = None if presolved.is_moved else presolved.problem
        return cls(0, None, None, State(), 0.0, steps=presolved.steps, problem=problem)


@dataclass(frozen=True, eq=False)
class Found:
    """A partition that was found on the way."""

    labels: Indices  #: shape (n,): cluster of each original point
    objective: float  #: what whoever found it thinks that it costs
    source: str  #: letter of whoever found it


@dataclass(frozen=True, eq=False)
class Outcome:
    """What a bounder has proved of a node."""

    lower_bound: float  #: bound on the node's subtree (original sum of squares); infinity if it holds no partition
    proof: Proof | None = None  #: what there is to write down; None where a node was interrupted before
    is_closed: bool = False  #: whether nothing is left of the node
    fixed_bound: float = math.inf  #: bound on the part of it that variable fixing cut off; infinity if nothing was
    found: Found | None = None  #: the best partition that its heuristic found, if better than the one known
    state: State | None = None  #: where its deductions led
    size: int = 0  #: super-points at the end
    num_nodes: int = 0  #: nodes whose bound was computed, beside those of the tree
    num_parts: int = 1  #: parts whose bounds add up to it
    num_asked: int = 0  #: bounders that were asked about the node and left it
    needs_conditions: bool = False  #: whether only those prove more that count limits and soft pairs

    @property
    def is_of_node(self) -> bool:
        """Whether it is about the node as such, and not about parts of it or further nodes."""
        if isinstance(self.proof, FinishedTree):
            return len(self.proof.records) == 1
        return isinstance(self.proof, NodeRecord) or (self.proof is None and not self.num_asked)
