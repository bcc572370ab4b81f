"""Connected clusters: each of them is one piece of a graph of neighbours."""
