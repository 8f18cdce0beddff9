"""Tests of what agents are told already."""
