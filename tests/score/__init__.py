"""Tests of the scoreboard."""
