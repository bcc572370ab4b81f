"""The sections of pages, a file a subject."""
