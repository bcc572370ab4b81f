"""Hybrid differential evolution: vectors of centres that evolve, with k-means inside (Tvrdik and Krivy, 2015).

"HDE" in docstrings is their *Hybrid differential evolution algorithm for optimal clustering* (Applied Soft Computing).
"""
