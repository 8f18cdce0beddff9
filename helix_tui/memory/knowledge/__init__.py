"""The knowledge base: daily logs compiled into articles that cite them.

`compile.py` does that when it is due, `article.py` is an article.
"""
