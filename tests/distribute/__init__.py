"""Tests of distribution: rules into agents' files and out again."""
