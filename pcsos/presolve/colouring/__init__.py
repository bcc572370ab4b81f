"""Proper colourings of the cannot-link graph: feasible or not, what they force, and the cheapest one."""
