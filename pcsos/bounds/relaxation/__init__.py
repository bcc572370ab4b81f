"""Lower bounds: the Peng-Wei semidefinite relaxation with cuts, solved approximately, bounded rigorously."""
