"""Tests of measuring: whether what was taught helped."""
