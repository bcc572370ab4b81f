"""The pages: tables, figures and pictures of the documentation, made from the record and from nothing else."""
