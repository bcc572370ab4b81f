"""Hybrid differential evolution: vectors of centres that evolve, with k-means inside (Tvrdik and Krivy, 2015).

"HDE" in docstrings is their *Hybrid differential evolution algorithm for optimal clustering* (Applied Soft Computing).

Few need it, so it is loaded when it is first asked for.
"""

from typing import TYPE_CHECKING

from pcsos.base.loading import loader

if TYPE_CHECKING:
    from pcsos.heuristics.differential_evolution.hybrid import DIFFERENTIAL_EVOLUTION, hybrid_de
else:
    __getattr__ = loader(
        __name__, {"pcsos.heuristics.differential_evolution.hybrid": ("DIFFERENTIAL_EVOLUTION", "hybrid_de")}
    )

__all__ = ["DIFFERENTIAL_EVOLUTION", "hybrid_de"]
