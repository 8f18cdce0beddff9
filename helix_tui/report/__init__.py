"""Reports: where the work and the waste went, as a page that can be sent.

`tables.py` computes every figure from plain data, `greens.py` how long checks stayed red.
`layout.py` says what is shown of them, once for all forms; `markdown.py` and `page.py` (HTML, with
the plots of `plot.py`) write it down. Nothing here reads a store, and what is written loads nothing
from elsewhere.
"""
