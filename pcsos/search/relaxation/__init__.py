"""Nodes by the semidefinite relaxation: bounded, fixed, rounded and branched on (Paper, Sections 3 and 4)."""
