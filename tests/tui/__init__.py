"""The workstation, driven by keys."""
