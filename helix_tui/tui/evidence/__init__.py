"""The evidence of a candidate: each occurrence in its session, and the keys that decide.

`screen.py` goes from occurrence to occurrence. It is a transcript (`base/transcript_view.py`) on
which verdicts are given (`base/verdict_keys.py`); where events are gone, it shows the excerpt
(`kit/excerpt.py`).
"""
