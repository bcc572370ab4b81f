"""A forgery: an honest run file with one change, and what is to be answered."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tests.conformance.certificate import Claim, literal


@dataclass(frozen=True)
class Forgery:
    """A change of an honest file; ``claim`` is what is claimed after it, if that is accepted and another one."""

    name: str
    base: str
    kind: str
    why: str
    section: str
    statements: tuple[str, ...]
    is_accepted: bool = False
    claim: Claim | None = None

    @property
    def answer(self) -> str:
        """What is to be answered."""
        return "accepted" if self.is_accepted else "refused"

    @property
    def sql(self) -> str:
        """The text that makes it of the honest file."""
        head = [f"-- base: {self.base}", f"-- {self.answer}: {self.why} (section {self.section})"]
        return "\n".join([*head, *(f"{own};" for own in self.statements)]) + "\n"


def refused(name: str, base: str, kind: str, why: str, section: str, *statements: str) -> Forgery:
    """A forgery that breaks a rule."""
    return Forgery(name, base, kind, why, section, statements)


def accepted(
    name: str, base: str, kind: str, why: str, section: str, *statements: str, claim: Claim | None = None
) -> Forgery:
    """A change that no proof depends on."""
    return Forgery(name, base, kind, why, section, statements, is_accepted=True, claim=claim)


def changed(table: str, where: str = "", **columns: Any) -> str:
    """The statement that changes columns of some rows."""
    values = ", ".join(f"{name} = {literal(value)}" for name, value in columns.items())
    return f"UPDATE {table} SET {values}" + (f" WHERE {where}" if where else "")


def added(table: str, row: Mapping[str, Any]) -> str:
    """The statement that adds a row."""
    own = {name: value for name, value in row.items() if value is not None}
    return f"INSERT INTO {table} ({', '.join(own)}) VALUES ({', '.join(map(literal, own.values()))})"
