"""The problem: what is asked, validated once, immutable; partitions of it, and what is left after its must-links."""
