"""Rivals of other authors, written anew to be run beside pcsos: soft ones that may violate pairs, and an exact one."""
