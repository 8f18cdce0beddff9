"""The workstation and reports in a real browser (`make browser`)."""
