"""What is asked of a partition by the names of the command line and of run files, as arguments of an instance."""

from collections.abc import Mapping
from typing import Any

from pcsos.problem.conditions.conditions import FAMILIES
from pcsos.problem.conditions.role import Condition
from pcsos.problem.conditions.soft_pairs import SoftPairs

#: The fields of each family, by these names.
FIELDS: dict[type[Condition], dict[str, str]] = {
    **{family: {own.name: field for field, own in family.SPELLINGS.items()} for family in FAMILIES},
    SoftPairs: {"soft_must_link": "must_link", "soft_cannot_link": "cannot_link", "penalty": "penalty"},
}


def asked(**given: Any) -> dict[str, Any]:
    """Return the arguments, with values for those that are fields of conditions."""
    known = {name for fields in FIELDS.values() for name in fields}
    return {name: value for name, value in given.items() if name not in known} | {"conditions": conditions(given)}


def conditions(given: Mapping[str, Any]) -> list[Condition]:
    found = []
    for family, fields in FIELDS.items():
        values = {field: given[name] for name, field in fields.items() if given.get(name) is not None}
        found += [family(**values)] if values else []
    return found
