"""Curate: a person's verdicts, kept in a journal, turned into the files of the Pattern Catalog."""
