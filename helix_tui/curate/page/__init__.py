"""A pattern and its Markdown page; every module is pure.

`pattern.py` is the pattern as data. `page.py` reads and writes its page: `front_matter.py` and
`front_matter_writer.py` handle the YAML, `sections.py` the body and `prose.py` its texts,
`fields.py` checks the fields, and `mistakes.py` reports what is wrong by line.

`versions.py` ranks changes and reads histories, `threeway.py` merges a person's edits, and
`why.py` words evidence. `pattern_json.py` writes the JSON and its schema.
"""
