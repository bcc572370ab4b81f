"""Lower bounds: whoever proves what a partition costs at least."""
