"""Rivals to compare with: they work on the single points, which need not be contracted, and may fail."""
