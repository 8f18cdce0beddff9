"""The tests of Helix; folders mirror the package."""
