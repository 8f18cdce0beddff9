"""Independent statements of what a home holds; nothing here may import helix_tui."""
