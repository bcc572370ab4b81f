"""A soak of the whole program: random instances through every command, as real processes, under trouble."""
