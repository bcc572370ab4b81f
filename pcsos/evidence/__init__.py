"""What is proved, as the search produces it, a run file stores it and anyone can check it."""
