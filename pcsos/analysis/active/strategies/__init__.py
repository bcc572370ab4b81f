"""Strategies: which pair is asked about next; one class each, which keeps nothing that an answer could change."""
