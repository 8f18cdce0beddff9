"""The evidence of a candidate: each occurrence in its session."""
