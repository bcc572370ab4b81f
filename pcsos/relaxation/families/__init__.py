"""Families of cuts: each is a file, and a line of the list."""

from collections.abc import Iterator

from pcsos.proofs.multipliers import Cuts
from pcsos.relaxation.families.cliques import CLIQUES
from pcsos.relaxation.families.departures import DEPARTURES
from pcsos.relaxation.families.family import Family
from pcsos.relaxation.families.sets import SETS
from pcsos.relaxation.families.stars import STARS
from pcsos.relaxation.families.variation import VARIATIONS
from pcsos.relaxation.families.weight import WEIGHTS
from pcsos.typing import Indices

FAMILIES: tuple[Family, ...] = (STARS, CLIQUES, SETS, DEPARTURES, VARIATIONS, WEIGHTS)


def by_family(cuts: Cuts) -> Iterator[tuple[Family, Indices]]:
    """Yield the families that have cuts in a list, with the indices of these cuts."""
    for family in FAMILIES:
        which = family.which(cuts)
        if which.size:
            yield family, which
