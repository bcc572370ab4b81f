"""How a run is asked to end, and how what takes long is left when it has to."""
