"""The last verdicts, each of which can be taken back."""
