"""Tests of what sessions were told and what became of it."""
