"""Variants: three kinds of differential evolution, plain or hybrid, with or without rearrangement (HDE 8 and 10)."""

from collections.abc import Callable
from dataclasses import dataclass

from pcsos.heuristics.differential_evolution.strategies import Pool, single, twelve


@dataclass(frozen=True)
class EvolutionVariant:
    """What tells the variants apart.

    Parameters
    ----------
    pool_for : callable
        Gives the strategies for a number of components.
    is_self_adaptive : bool
        Whether each individual carries a scale factor and a rate of its own (jDE).
    is_localised : bool
        Whether mutants start from the best of their three individuals.
    is_hybrid : bool
        Whether k-means follows a successful trial.
    rearranges : bool
        Whether centres are reordered towards those of the best individual.
    """

    pool_for: Callable[[int], Pool]
    is_self_adaptive: bool = False
    is_localised: bool = False
    is_hybrid: bool = False
    rearranges: bool = False


def _suffixed(name: str, **features: bool) -> dict[str, EvolutionVariant]:
    """Return the four variants of one kind; the letters of a suffix are those of HDE section 10."""
    pool_for = twelve if name == "b6e6rl" else single
    return {
        f"{name}-{first}{second}": EvolutionVariant(
            pool_for, **features, is_hybrid=first == "H", rearranges=second == "G"
        )
        for first in "NH"
        for second in "NG"
    }


#: The twelve variants of HDE; with its two criteria they are 24 configurations.
VARIANTS = {
    **_suffixed("rand/1/bin"),
    **_suffixed("jDE", is_self_adaptive=True),
    **_suffixed("b6e6rl", is_localised=True),
}
