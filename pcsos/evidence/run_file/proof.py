"""The proof in a run file: its tables of problems and of evidence, written, read back, and taken at their word."""

import contextlib
import math
import sqlite3
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import NamedTuple, Self

from pcsos.base.exceptions import FormatError, InfeasibleError, RunFileError
from pcsos.base.typing import Floats, Indices
from pcsos.evidence.codec import Payload, encode_floats, encode_integers
from pcsos.evidence.kinds import KINDS, Branching, Cover, Line, Open, Prices
from pcsos.evidence.node import Change, Decision, Evidence, NodeRecord
from pcsos.evidence.run_file.rows import exact, explained, insert, instance_digest, row_digest
from pcsos.problem.instance import Instance
from pcsos.problem.reduction import WeightBound, reduce_instance
from pcsos.verify.reading.arrays import Arrays
from pcsos.verify.reading.columns import DEDUCTIONS
from pcsos.verify.reading.memory import Memory
from pcsos.verify.reading.multipliers import LARGEST, OF_AN_ENTRY
from pcsos.verify.reading.payloads import read_branching, read_children, read_pair, read_part, read_weight_bound
from pcsos.verify.reading.rows import Row, rows

#: The problem that is the whole instance.
WHOLE = 0


class KnownPart(NamedTuple):
    """A part that an earlier part of the run has bounded."""

    number: int
    points: Indices  #: shape (m,)
    weights: Floats  #: shape (m,): those of its points in it
    lower_bound: float  #: what is proved of it
    is_open: bool  #: whether more might be proved of it


class Proof:
    """The half of a run file that is about what is proved; see :class:`pcsos.evidence.run_file.journal.RunFile`."""

    def __init__(self, connection: sqlite3.Connection, path: Path, instance: Instance) -> None:
        self.path, self.instance, self._connection, self._n = path, instance, connection, instance.n_points
        self._instance_digest = self._last_digest = instance_digest(instance)
        self._nodes = [WHOLE]  # numbers of the problems that are nodes of the tree
        (most,) = connection.execute("SELECT max(problem) FROM problems").fetchone()
        self._num_problems: int = most or 0

    # Writing

    def add_node(self, record: NodeRecord) -> None:
        """Append what was proved of a node of the tree, whole or not at all; its multipliers must be quantised."""
        with self._transaction():
            self._add(record, self._nodes)

    def add_beside_tree(self, records: Sequence[NodeRecord]) -> None:
        """Append a finished tree of the whole instance, whole or not at all."""
        with self._transaction():
            self._add_tree(WHOLE, records)

    def add_part(self, points: Indices, weights: Floats, records: Sequence[NodeRecord] = ()) -> int:
        """Append a part of the instance with what is proved of it, whole or not at all; return its number.

        Its points (m,) increase, with their weights in the part (m,), and the records prove its bound.
        """
        with self._transaction():
            content = encode_integers(points, differences=True) + encode_floats(weights)
            number = self._problem(WHOLE, "part", content)
            self._add_tree(number, records)
        return number

    def add_cover(self, parts: Sequence[int]) -> None:
        """Append a list of parts that together are the instance; the last one counts."""
        with self._transaction():
            self._evidence(WHOLE, Cover(tuple(parts)), 0.0)

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[None]:
        with explained(self.path):
            self._connection.execute("BEGIN")
            try:
                yield
                self._connection.execute("COMMIT")
            except BaseException:
                with contextlib.suppress(sqlite3.Error):
                    self._connection.execute("ROLLBACK")
                raise

    def _add_tree(self, root: int, records: Sequence[NodeRecord]) -> None:
        nodes = [root]
        for record in records:
            self._add(record, nodes)

    def _add(self, record: NodeRecord, nodes: list[int]) -> None:
        problem, seconds = nodes[record.node], record.seconds
        for evidence in record.evidence:
            if isinstance(evidence, Branching):
                children = self._children(problem, evidence.decision)
                nodes += children
                self._evidence(problem, replace(evidence, children=children), seconds)
            else:
                self._evidence(problem, evidence, seconds)
            seconds = 0.0

    def _children(self, problem: int, change: Change) -> tuple[int, int]:
        if isinstance(change, WeightBound):
            content = encode_integers([change.point]) + encode_floats([change.weight])
        else:
            content = encode_integers([change.i, change.j])
        return self._problem(problem, change.kind, content), self._problem(problem, change.opposite.kind, content)

    def _problem(self, parent: int, change: str, content: bytes) -> int:
        self._num_problems += 1
        row = {"problem": self._num_problems, "parent": parent, "change": change, "content": content}
        insert(self._connection, "problems", row | {"digest": row_digest(self._instance_digest, row)})
        return self._num_problems

    def _evidence(self, problem: int, evidence: Evidence, seconds: float) -> None:
        row = {
            "problem": problem, "kind": evidence.kind, "bound": exact(evidence.bound), "payload": evidence.payload(),
            "seconds": exact(seconds),
        }  # fmt: skip
        self._last_digest = row_digest(self._last_digest, row)
        insert(self._connection, "evidence", row | {"digest": self._last_digest})

    # Reading

    def records(self) -> Iterator[NodeRecord]:
        """Yield what was proved of the nodes of the tree, in the order in which it was added, and notice changes."""
        with explained(self.path):
            yield from (record for _, record in self._records())

    def records_beside_tree(self) -> Iterator[NodeRecord]:
        """Yield the nodes of what is proved beside the tree, but for parts; what the root is bounded by comes first."""
        beside = self._records(lambda evidence: not isinstance(evidence, Cover) and not self._is_of_tree(evidence))
        with explained(self.path):
            yield from (record for _, record in beside)

    def records_of_parts(self, numbers: Iterable[int]) -> Iterator[tuple[int, NodeRecord]]:
        """Yield what was proved of the nodes of parts, each with the number of its part."""
        with explained(self.path):
            yield from self._records(lambda evidence: not isinstance(evidence, Cover), numbers)

    @property
    def _memory(self) -> Memory:
        """What reading may take, which goes with the present size of the file."""
        return Memory.of_file(self.path)

    def _proved(self) -> Iterator[tuple[int, Evidence, float]]:
        """Yield all evidence in the order in which it was added, each with its problem and seconds; notice changes."""
        changes, last = self._changes(), self._instance_digest
        branched = {number for number, row in changes.items() if row["change"] != "part"}
        memory, of, own = self._memory, None, Memory(0)

        def known(problem: int) -> Row:
            if problem not in changes:
                raise FormatError(f"there is no problem {problem}")
            return changes[problem]

        def change_of(problem: int) -> Change:
            return self._change(known(problem))

        for row in rows(self._connection, "evidence", "ORDER BY position"):
            digest, _ = row.pop("digest"), row.pop("position")
            last = row_digest(last, row)
            if digest != last:
                number = row["problem"]
                raise RunFileError(f"{self.path} was changed or damaged at problem {number}; start the run anew")
            if row["problem"] != of:  # what is proved of a problem at a time may take so much
                of, own = row["problem"], Memory(memory.left)
                own.grant(OF_AN_ENTRY * min(self._n, LARGEST) ** 2)
            payload = Payload(row["payload"], self._n, own, change_of)
            evidence = KINDS[row["kind"]].read(row["bound"], payload)
            payload.arrays.finished()
            children = evidence.children if isinstance(evidence, Branching | Cover) else ()
            for number in {row["problem"], *children} - {WHOLE}:
                known(number)
            branched.difference_update(children)
            yield row["problem"], evidence, row["seconds"]
        if branched:
            raise FormatError(f"no branching leads to problem {min(branched)}")
        self._last_digest = last

    def _changes(self) -> dict[int, Row]:
        """Return the rows of all problems, by their numbers."""
        found = {}
        for row in rows(self._connection, "problems", "ORDER BY problem"):
            digest = row.pop("digest")
            if digest != row_digest(self._instance_digest, row):
                raise RunFileError(f"{self.path} was changed or damaged among its problems; start the run anew")
            found[row["problem"]] = row
        return found

    def _change(self, row: Row) -> Change:
        kind, arrays = row["change"], Arrays(row["content"], "a decision", self._memory)
        if kind == "part":
            raise FormatError(f"problem {row['problem']} comes from no decision")
        if kind in ("lighter", "heavier"):
            return WeightBound(kind, *read_weight_bound(arrays, self._n))
        return Decision(kind, *read_pair(arrays, self._n))

    def _is_of_tree(self, evidence: Evidence) -> bool:
        """Tell whether evidence of the whole is of the tree that is searched, and not of a proof beside it.

        Prices are of that tree only where points may be left out. A finished one is not gone on with.
        """
        if isinstance(evidence, Branching):
            return evidence.start is not None
        beside = Line | Cover if self.instance.outliers else Line | Prices | Cover
        return not isinstance(evidence, beside)

    def _records(
        self, counts: Callable[[Evidence], bool] | None = None, roots: Iterable[int] = (WHOLE,)
    ) -> Iterator[tuple[int, NodeRecord]]:
        """Yield what was proved of the nodes below some problems, each with that one, as far as its evidence counts.

        By default they are those of the tree that is searched.
        """
        does_count = counts or self._is_of_tree
        nodes: dict[int, _Node] = {root: _Node(root, 0, None, None) for root in roots}
        sizes = dict.fromkeys(nodes, 1)
        last, found, spent = None, list[Evidence](), 0.0
        for problem, evidence, seconds in self._proved():
            node = nodes.get(problem)
            if node is None or not does_count(evidence):
                continue
            if last is not None and node is not last:
                yield last.root, NodeRecord(last.number, last.parent, last.decision, tuple(found), spent)
                found, spent = [], 0.0
            last = node
            found.append(evidence)
            spent += seconds
            if isinstance(evidence, Branching):
                own = evidence.decision
                for child, decision in zip(evidence.children, (own, own.opposite), strict=True):
                    nodes[child] = _Node(node.root, sizes[node.root], node.number, decision)
                    sizes[node.root] += 1
        if last is not None:
            yield last.root, NodeRecord(last.number, last.parent, last.decision, tuple(found), spent)
        if counts is None:
            self._nodes = list(nodes)

    def parts(self) -> Iterator[KnownPart]:
        """Yield the parts that were bounded."""
        with explained(self.path):
            memory, changes, values = self._memory, self._changes(), self._values()
            owner: dict[int, int] = {}
            for number, row in changes.items():
                owner[number] = number if row["change"] == "part" else owner.get(row["parent"], WHOLE)
            kinds = (Open.kind, Prices.kind, Line.kind)
            of_kind = "SELECT DISTINCT problem FROM evidence WHERE kind IN (?, ?, ?)"
            left_open = {owner.get(problem) for (problem,) in self._connection.execute(of_kind, kinds)}
            for number, row in changes.items():
                if row["change"] == "part" and row["parent"] == WHOLE:
                    points, weights = read_part(Arrays(row["content"], "a part", memory), self._n)
                    memory.keep(points.nbytes + weights.nbytes, "parts")
                    yield KnownPart(number, points, weights, values.get(number, 0.0), number in left_open)

    def cover(self) -> list[KnownPart]:
        """Return the parts that together are the instance, as the last list of them says; none without such a list."""
        with explained(self.path):
            covers = [own for problem, own, _ in self._proved() if isinstance(own, Cover) and not problem]
            if not covers:
                return []
            known = {part.number: part for part in self.parts()}
            return [known[number] for number in covers[-1].children]

    def stated_bound(self, *, counts_tree: bool = True) -> float:
        """Return what is stated of the whole, taken at its word, or just what is beside the tree; 0 without anything.

        :mod:`pcsos.verify` proves it.
        """
        with explained(self.path):
            return self._values(counts_tree=counts_tree).get(WHOLE, 0.0)

    def _values(self, *, counts_tree: bool = True) -> dict[int, float]:
        """Return what is stated of each problem, or of the whole without what the tree proves."""
        stated: defaultdict[int, list[Stated]] = defaultdict(list)
        memory = self._memory
        for row in rows(self._connection, "evidence", "ORDER BY position"):
            stated[row["problem"]].append(Stated.of(row, memory))
        values: dict[int, float] = {}
        most = self._most
        for problem in sorted(stated, reverse=True):  # children have larger numbers than their parents
            own = stated[problem]
            if problem == WHOLE and not counts_tree:
                own = [each for each in own if each.is_beside_tree]
            least = [each.bound for each in own if each.kind in DEDUCTIONS]
            proved = min([max((each.value(values) for each in own), default=0.0), *least])
            values[problem] = math.inf if proved >= most else proved
        return values

    @cached_property
    def _most(self) -> float:
        """More than any partition costs, as far as that is known: a bound above says that there is none."""
        with contextlib.suppress(InfeasibleError):
            return reduce_instance(self.instance).most
        return math.inf


class _Node(NamedTuple):
    """A node: the root of its tree, its number there, that of its parent, and what it adds to that one."""

    root: int
    number: int
    parent: int | None
    decision: Change | None


class Stated(NamedTuple):
    """What a row of evidence states, without what shows it."""

    kind: str
    bound: float
    children: tuple[int, ...]
    is_beside_tree: bool

    @classmethod
    def of(cls, row: Row, memory: Memory) -> Self:
        """Return what a row states."""
        kind, arrays = row["kind"], Arrays(row["payload"], "the payload", memory)
        if kind == Cover.kind:
            return cls(kind, 0.0, tuple(read_children(arrays).tolist()), True)
        if kind == Branching.kind:
            *children, penalty = read_branching(arrays)
            return cls(kind, 0.0, tuple(children), penalty is None)
        return cls(kind, row["bound"], (), kind in (Line.kind, Prices.kind))

    def value(self, values: Mapping[int, float]) -> float:
        """Return what it proves of its problem, given what is proved of others."""
        if self.kind in DEDUCTIONS:
            return 0.0
        known = [values.get(child, 0.0) for child in self.children]
        if self.kind == Branching.kind:
            return min(known)
        if self.kind == Cover.kind:
            total = math.fsum(known)
            return math.nextafter(total, 0.0) if 0.0 < total < math.inf else total
        return self.bound
