"""The engine of an accelerator, for whole roots: what it finds is proved on the processor."""
