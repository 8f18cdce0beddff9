"""A pattern and its Markdown page.

`pattern.py` is the pattern; `page.py` reads and writes its page by `front_matter.py`,
`front_matter_writer.py`, `sections.py`, `prose.py`, `fields.py` and `mistakes.py`. `versions.py`
says what a change is worth, `threeway.py` merges a person's edits, `why.py` words evidence,
`render.py` is what an agent would receive, `pattern_json.py` the JSON and its schema. All pure.
"""
