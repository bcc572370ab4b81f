"""Block bounds: an instance divided into small ones whose bounds add up to one of the whole (Mathematics 7)."""
