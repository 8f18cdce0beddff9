"""Tests of the stage of the same name."""
