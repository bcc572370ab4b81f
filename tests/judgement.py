"""What a judge says about one seed: the same for solves, bounds and certificates, so that one report serves all."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Context, Decimal
from fractions import Fraction

import numpy as np


@dataclass(frozen=True)
class Judgement:
    """What was looked at, how often which thing happened, and everything that was wrong.

    Parameters
    ----------
    seed : int
        Reproduces the judgement, alone.
    about : str
        Of what kind it was.
    counts : dict
        How often what happened.
    wrong : tuple of (str, str)
        Kind and sentence of each thing that is wrong.
    """

    seed: int
    about: str
    counts: Mapping[str, int]
    wrong: tuple[tuple[str, str], ...] = field(default_factory=tuple)

    @property
    def sentence(self) -> str:
        said = "; ".join(f"{kind}: {text}" for kind, text in self.wrong)
        return f"seed {self.seed} ({self.about}): {said}"


def above(bound: float, exact: Fraction) -> bool:
    """Tell whether a bound is above an exact number, or is no bound at all."""
    return bound != -np.inf and (not np.isfinite(bound) or Fraction(bound) > exact)


def shown(exact: Fraction) -> str:
    """Return an exact number with 17 digits, whatever its magnitude."""
    digits = Context(prec=17, Emin=-(10**6), Emax=10**6)
    return str(digits.divide(Decimal(exact.numerator), Decimal(exact.denominator)))
