"""Tests of `helix_tui/serve/`."""
