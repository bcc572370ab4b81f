"""Analysis: many solves, to choose from and to ask about."""
