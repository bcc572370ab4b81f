"""Control: how a run is asked to end, and how a long step is left when it has to."""
