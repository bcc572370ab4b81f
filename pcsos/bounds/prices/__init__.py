"""Prices of super-points, which bound what a partition costs by the most that a cluster earns (Mathematics 9)."""
