"""The record: all figures of the documentation, on one commit, in one folder."""
