"""Neighbours: the nearest points of each point, and the graph of those that share some."""
