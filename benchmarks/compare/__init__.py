"""The comparison of two revisions: which one is faster, and whether they find the same."""
