"""A forgery: an honest run file with some changes, and what is to be answered."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from tests.conformance import honest
from tests.conformance.certificate import (
    STRIDE,
    Certificate,
    Claim,
    Evidence,
    Problem,
    filling,
    insertion,
    labelled,
    literal,
)

#: A statement, or what makes one for the honest file that it changes.
Change = str | Callable[[Certificate], str]


@dataclass(frozen=True)
class Forgery:
    """Changes of an honest file; ``claim`` is what is claimed after them, if that is accepted and another one."""

    name: str
    base: str
    kind: str
    why: str
    section: str
    changes: tuple[Change, ...]
    is_accepted: bool = False
    claim: Claim | None = None

    @property
    def answer(self) -> str:
        return "accepted" if self.is_accepted else "refused"

    @property
    def sql(self) -> str:
        head = [f"-- base: {self.base}", f"-- {self.answer}: {self.why} (section {self.section})"]
        base = honest.named(self.base)
        own = [change if isinstance(change, str) else change(base) for change in self.changes]
        return "\n".join([*head, *(f"{statement};" for statement in own)]) + "\n"


def refused(label: str, base: str, kind: str, *changes: Change) -> Forgery:
    """A forgery that breaks a rule; the label is ``name: Which one. (section)``."""
    name, why, section = labelled(label)
    return Forgery(name, base, kind, why, section, changes)


def accepted(label: str, base: str, kind: str, *changes: Change, claim: Claim | None = None) -> Forgery:
    """A change that no proof depends on."""
    return replace(refused(label, base, kind, *changes), is_accepted=True, claim=claim)


def changed(table: str, where: str = "", **columns: Any) -> str:
    values = ", ".join(f"{name} = {literal(value)}" for name, value in columns.items())
    return f"UPDATE {table} SET {values}" + (f" WHERE {where}" if where else "")


def stated(problem: int, kind: str, nth: int = 0, **new: Any) -> Change:
    """The change of the nth evidence of this kind of a problem: of its ``bound``, or of values in its payload."""

    def statement(base: Certificate) -> str:
        place, row = _found(base, problem, kind, nth)
        other = replace(row, bound=new.get("bound", row.bound), values={**row.values, **new}).row
        return changed("evidence", place, **{name: other[name] for name in other if other[name] != row.row[name]})

    return statement


def exchanged(problem: int, kind: str, other: Evidence, nth: int = 0) -> Change:
    """The change of the nth evidence of this kind of a problem into another one."""
    return lambda base: changed("evidence", _found(base, problem, kind, nth)[0], **other.row)


def _found(base: Certificate, problem: int, kind: str, nth: int) -> tuple[str, Evidence]:
    """Where it stands, and what it is."""
    own = [(at, row) for at, row in enumerate(base.evidence, 1) if (row.problem, row.kind) == (problem, kind)]
    return f"position = {STRIDE * own[nth][0]}", own[nth][1]


def more(row: Evidence | Problem, at: int | None = None) -> str:
    table = "evidence" if isinstance(row, Evidence) else "problems"
    return insertion(table, ({} if at is None else {"position": at}) | row.row | filling(table))


def added(table: str, **columns: Any) -> str:
    return insertion(table, columns)


def remade(problem: Problem) -> str:
    return changed("problems", f"problem = {problem.number}", **problem.row)


def without(table: str, where: str) -> str:
    return f"DELETE FROM {table} WHERE {where}"
