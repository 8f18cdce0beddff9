"""The workstation: everything that is drawn on a full screen."""
