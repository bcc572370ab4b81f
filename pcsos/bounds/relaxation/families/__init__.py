"""Families of cuts: each is a file, and a line of the list."""

from collections.abc import Iterator

from pcsos.base.typing import Indices
from pcsos.bounds.relaxation.families.cliques import CLIQUES
from pcsos.bounds.relaxation.families.departures import DEPARTURES
from pcsos.bounds.relaxation.families.family import Family
from pcsos.bounds.relaxation.families.sets import SETS
from pcsos.bounds.relaxation.families.stars import STARS
from pcsos.bounds.relaxation.families.variation import VARIATIONS
from pcsos.bounds.relaxation.families.weight import WEIGHTS
from pcsos.evidence.multipliers import Cuts

FAMILIES: tuple[Family, ...] = (STARS, CLIQUES, SETS, DEPARTURES, VARIATIONS, WEIGHTS)


def by_family(cuts: Cuts) -> Iterator[tuple[Family, Indices]]:
    """Yield the families that have cuts in a list, with the indices of these cuts."""
    for family in FAMILIES:
        which = family.which(cuts)
        if which.size:
            yield family, which
