"""Tests of the reader that may be a model."""
