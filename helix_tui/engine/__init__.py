"""The one façade that the command line and the workstation drive."""

from helix_tui.engine.facade import Engine

__all__ = ["Engine"]
