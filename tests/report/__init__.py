"""Tests of `helix_tui/report/`."""
