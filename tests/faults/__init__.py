"""What Helix promises when a process dies, a disk fails, or a log is hostile."""
