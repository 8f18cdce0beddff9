"""Tests of turns."""
