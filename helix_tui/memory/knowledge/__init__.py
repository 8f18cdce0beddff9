"""The knowledge base: daily logs compiled into articles that cite them.

`compile.py` compiles the logs that are due, and holds the base's lock; `article.py` is the text of
an article: lines under sections, each with its citations; `judge.py` has a model say which lines
are one. The engine calls `compile_logs`; lists use `articles`, `title_of` and `count_lines`.
"""
