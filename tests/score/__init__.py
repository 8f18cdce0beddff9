"""Tests of the scores themselves."""
