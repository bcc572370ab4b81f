"""What users hand over, as arrays and names, or refused in one sentence."""
