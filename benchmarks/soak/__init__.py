"""The soak: random instances through the commands of the program, under troubles, with a judge of all that it says."""
