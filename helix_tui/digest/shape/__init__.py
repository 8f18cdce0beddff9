"""Shapes of actions: read from command lines and calls; docs/detect.md says what they keep."""
