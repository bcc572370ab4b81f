"""The report: pages for people, what notebooks show, and a picture."""
