"""Arithmetic and text that the field knows nothing of: compiled functions, sums in a fixed order, columns."""
