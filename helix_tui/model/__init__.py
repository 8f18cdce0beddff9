"""The model of the settings: one question in, one JSON object out, within time and budget.

`ask.py` has the whole way: redact, cut (`cut.py`), book tokens (`spending.py`), call, read. What is
called is in `presets.py`, how in `program_call.py` and `server_call.py`. An answer is taken out of
what wraps it (`envelope.py`), and its object is looked for as models print it (`lenient.py`);
`refusal.py` knows answers that are none. Every failure is a `ModelError` (`failure.py`) with what
to do about it. `probe.py` is `helix model test`.
"""
