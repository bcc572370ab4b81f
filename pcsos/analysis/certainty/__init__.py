"""Which pairs are together or apart in every partition that is good enough."""
