"""Tests of curation."""
