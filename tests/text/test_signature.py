"""An error is named by one line, and by the same template whatever its accidents."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helix_tui.text.signature.join import bucket_of
from helix_tui.text.signature.phrases import is_benign_text
from helix_tui.text.signature.program import program_of
from helix_tui.text.signature.signature import (
    GROUPING_VERSION,
    MAX_LINE,
    Signature,
    classify,
    error_line,
    signature,
    template_of,
)
from tests.text.growth import is_linear

ANY = st.text(st.characters(exclude_categories=()))
WORDS = (
    "'it is' \"a b\" ` ‘x’ don't / /a/b.py ./x and/or C:\\a\\b.ts ~ main.go:3:14 (3,5) <n> "
    "<path:.py> 0 12 -5 1.2.3 v1.2 3f2a9bc 0x1f 5s 2m E e5 x86_64 10:00:00 2026-01-02 Jan 10.0.0.1 "
    "https://a.b/c?d=1 No module named 'foo' exit code 3 rg: command not found bash: line 1: ==== "
    "é ٥ \u2028 \ud800 Error: status code 404"
)
WORDED = st.lists(st.sampled_from(WORDS.split(" ")), max_size=12).map(" ".join)

TRACEBACK = """\
Traceback (most recent call last):
  File "/srv/app/run.py", line 3, in load
    return table[key]
           ~~~~~^^^^^
KeyError: 'rates'

During handling of the above exception, another exception occurred:

Traceback (most recent call last):
  File "/srv/app/run.py", line 9, in <module>
    main()
»app.errors.LoadFailed: 2 tables are missing
  rates: not loaded
"""
PYTEST = """\
=========================== test session starts ============================
platform linux -- Python 3.12.1, pytest-8.4.0
tests/test_sum.py F                                                   [100%]
    def test_sum():
>       assert add(1, 2) == 4
»E       AssertionError: assert 3 == 4
E        +  where 3 = add(1, 2)
------------------------------ Captured log call ------------------------------
ValueError: only logged
FAILED tests/test_sum.py::test_sum - AssertionError: assert 3 == 4
"""
JAVA = """\
Exception in thread "main" java.lang.RuntimeException: outer
    at A.b(A.java:3)
Caused by: java.io.IOException: middle
»Caused by: java.net.SocketException: root
    at X.y(X.java:1)
"""

# The line to find stands behind the mark.
MARKED = [
    "»only words\nand more",
    # wrappers
    "»Exit code 1",
    "»Exit code 1\n---\n===",
    "Exit code 2\n»something odd",
    "Error: Exit code 127\n»/bin/bash: line 1: rg: command not found",
    "Chunk ID: 1\nWall time: 0.1 seconds\n»Process exited with code 2\nOutput:\n",
    "Exit code: 1\nWall time: 0 seconds\nOutput:\n\n> app@1.0.0 lint\n> lint .\n\n»no config",
    # the harness
    "»Error: No such tool available: Serch",
    "Exit code 143\n»Command timed out after 2m 0s\nerror: half done",
    # exceptions
    TRACEBACK,
    TRACEBACK.replace("\n", "\n[ci] | "),
    JAVA,
    "»ModuleNotFoundError: No module named 'foo'",
    "warming up\n»TypeError [ERR_ARG]: bad\n    at a (b.js:1:2)\nRangeError: later",
    "»panic: boom\n\ngoroutine 1 [running]:",
    "   Compiling a\n»error[E0432]: unresolved import `b`\nerror: could not compile `a`",
    # tests
    PYTEST,
    "F\n»FAILED tests/x.py::test_y - Failed: no\n1 failed in 0.1s",
    "ok  a\n»--- FAIL: TestAdd (0.00s)\n    add_test.go:9: got 3\nFAIL",
    "==== test session starts ====\nplatform x\n»=== no tests ran in 0.01s ===",
    # tools
    "hint: x\n»fatal: not a git repository",
    "PHP 8\n»PHP Fatal error: no such function",
    "a.ts\n»src/a.ts(3,5): error TS2307: Cannot find module 'zod'\nError: tsc failed",
    '# pkg\n»main.go:5:2: "fmt" imported and not used',
    "a.c:1:2: warning: unused\n»a.c:9:1: error: no type\nmake: *** [all] Error 1",
    "/a/b.tsx\n  1:1  warning  odd\n  »33:9  error  no any",
    "cc a.c\n»make: *** [Makefile:3: all] Error 1",
    "> a\n»npm ERR! code ELIFECYCLE\nnpm ERR! errno 1",
    "»sh: 1: jest: not found\nnpm ERR! code 127",
    # shells and systems
    "/x/init.sh: line 18: /bin/ps: Operation not permitted\n»zsh:1: command not found: rg",
    "a\nb\n»ls: /tmp/q: No such file or directory",
    "x\n»cat: /etc/shadow: Permission denied",
    # a cause rather than what follows from it
    "To example.org:a\n »! [rejected] main -> main (fetch first)\nerror: failed to push some refs",
    "npm WARN old\n»npm ERR! code ERESOLVE\nnpm ERR! ERESOLVE unable to resolve dependency tree",
    "»git@a.org: Permission denied (publickey).\nfatal: Could not read from remote repository.",
    "x\nthrow er;\n»Error: listen EADDRINUSE: address already in use :::80\n  code: 'EADDRINUSE',",
    "husky - pre-commit script failed (code 1)\n»a.md:3 error MD040 no language",
    "cat: a: No such file or directory\n»error: no such target",
    # what failed last, where a script went on
    "bash: line 1: nvm: command not found\n»error: 2 tests failed",
    "bash: line 1: from: command not found\n»bash: -c: line 9: syntax error near token `('",
    "»bash: line 1: just: command not found\nerror: recipe failed with exit code 127",
    "some output\n»bash: line 1: rg: command not found",
    # what only speaks of an error
    "docs/a.md:3: rg: command not found\n»error: nothing to search",
    '  if (e) print("permission denied: a")\n»fatal: bad object 1a2b3c4',
    "failed in sandbox Linux with execution error: sandbox denied exec error, exit code: 1, "
    "stdout: , stderr: \n»sed: can't read a.py: No such file or directory",
]
LINES = [
    ("", ""),
    (" \n\t\n", ""),
    ("\x1b[31merror: \x1b]8;;http://x\x07red\x1b]8;;\x1b\\\x1b[0m tape\n", "error: red tape"),
    ("<tool_use_error>Blocked: sleep 120</tool_use_error>", "Blocked: sleep 120"),
    # What a harness quotes or advises is not the error.
    (
        "<tool_use_error>String to replace not found in file.\nString: a\nValueError: y",
        "String to replace not found in file.",
    ),
    ("File has not been read yet. Read it before writing to it.", "File has not been read yet."),
    ("The user doesn't want to do it. They said:\nerror: no", "The user doesn't want to do it."),
    # A line that ends with a colon says nothing without the next.
    ("InputValidationError: Edit failed:\nno `a`", "InputValidationError: Edit failed: no `a`"),
    ("Error: <tool_use_error>File does not exist.</tool_use_error>", "File does not exist."),
    ("a\rb\r50 %\rerror: half\n", "error: half"),
    ("error: - up...\b\b\b\b\b\b\b/ up...\b\b\b\b\b\b\bhost is gone\n", "error: host is gone"),
    ("er\x00ror: \x07x\u200by", "error: xy"),
    (
        "note: x\nthread 'main' panicked at src/main.rs:5:10:\nno value",
        "thread 'main' panicked at src/main.rs:5:10: no value",
    ),
]

KEPT = [
    "ModuleNotFoundError: No module named 'foo.bar2'",
    "Cannot find module '@scope/pkg'",
    'exec: "helm3": executable file not found in $PATH',
    "error[E0432]: unresolved import `serde::Value`",
    "no required module provides package example.com/a/b; to add it:",
    "'rg' is not recognized as an internal or external command",
    "/usr/bin/env: ‘node’: No such file or directory",
    "Process exited with code 3",
    "Request failed with status code 404",
    "I/O error and/or client/server in Next.js",
    "defaced decade",
]
TEMPLATES = [
    ("bash: line 1: rg: command not found", "rg: command not found"),
    ("/bin/bash: line 43: rg: command not found", "rg: command not found"),
    ("/bin/sh: 1: jq: not found", "jq: not found"),
    ("zsh:1: command not found: 7z", "command not found: 7z"),
    ("a.py: 12 keys not found", "<path:.py>: <n> keys not found"),
    ("(eval):1: no matches found: /a/*.log", "no matches found: <path:.log>"),
    ("E       AssertionError:   assert 3 == 4", "AssertionError: assert <n> == <n>"),
    ("Error: Cannot find module './lib/util'", "Cannot find module <path>"),
    ("Can't resolve 'react' in '/app/src'", "Can't resolve 'react' in <path>"),
    ("GET https://a.b/c?d=1 gave 500", "GET <url> gave <n>"),
    ("job 3f2504e0-4f89-11d3-9a0c-0305e82c3301 died", "job <uuid> died"),
    ("fatal: unable to read e53647ba1f1e", "unable to read <hash>"),
    ("2026-05-06T07:08:09.123Z worker 12 died after 3.5s", "<date> worker <n> died after <time>"),
    ("Mon Jan 5 10:00:00 2026: late", "<date>: late"),
    ("Command timed out after 2m 0s", "Command timed out after <time>"),
    ("refused by 10.0.0.1:8080", "refused by <ip>"),
    ("addr:10.0.0.1: no, FF:F2:9F:16:EB:00 too", "addr:<ip>: no, <ip> too"),
    ("File does not exist: /a/b c/d.py.", "File does not exist: <path> <path:.py>."),
    ("open '/tmp/3f2504e0-4f89-11d3-9a0c-0305e82c3301/x.JSON'", "open <path:.json>"),
    ("[see src/app/[id]/page.tsx]", "[see <path:.tsx>]"),
    ("C:\\Users\\me\\a.py:12: error: no", "<path:.py>:<place>: error: no"),
    ("src/a.ts(3,5): error TS2307: x", "<path:.ts>(<place>): error TS2307: x"),
    ('main.go:5:2: "fmt" imported', "<path:.go>:<place>: <quoted> imported"),
    ("33:9   error  no any", "<place> error no any"),
    ("at 0x7fff5fbff8a0, pid 4242, v1.2.3", "at <hex>, pid <n>, <n>"),
    ("error[E0432] in x86_64 at -5", "error[E0432] in x86_<n> at <n>"),
    ("don't 'it's' can't", "don't <quoted> can't"),
    ("unknown option `dry-run'", "unknown option <quoted>"),
    ("''A'A'A'A'A''", "<quoted>"),
    ('10.0.0.1 "GET /a?b=1 HTTP/1.1" 200', '<ip> "GET <url>" <n>'),
    ('in "' + "x" * 200, "in <quoted>"),
    ("=== 3 failed ====== 0.2s ==========", "=== <n> failed = <time> ="),
    *((line, line) for line in KEPT),
]

SAME = [
    ("bash: line 1: rg: command not found", "/bin/bash: line 43: rg: command not found"),
    (
        "Exit code 1\ncat: /a/b.md: No such file or directory",
        "cat: c.md: No such file or directory",
    ),
    ("E   KeyError: 'a'", "Traceback (most recent call last):\n  File 'x'\nKeyError: 'b'"),
    ("File does not exist. Is it a.py?", "<tool_use_error>File does not exist.</tool_use_error>"),
    ("error: took 3 s at 10:00:01 for 12 files", "error: took 14 s at 23:59:59 for 1,203 files"),
    ("\x1b[1merror\x1b[0m: x", "error: x"),
]
APART = [
    ("rg: command not found", "jq: command not found"),
    ("ModuleNotFoundError: No module named 'a'", "ModuleNotFoundError: No module named 'b'"),
    ("error TS2307: x", "error TS2304: x"),
    ("KeyError: 'a'", "IndexError: 'a'"),
    ("Exit code 1", "Exit code 2"),
]

# What a log could be made of to make a careless expression slow.
SIGNS = "a1/'\"`‘([{.-:<= \n\x1b\u2028"
HOSTILE = (
    *SIGNS,
    *("/a", "ab12", "'\"", "' x", "'a'a", "a.", "a-", "a:", "a: ", "1:", "1.", "1,", "1 ", "1s "),
    *("a/", "C:\\", "\x1b[", "\x1b[1;", "\x1b]", "\x1b]a", "a://", "0x1", "deadbeef-", "2024-01-"),
    *("E   \n", "E   x\n", "Error", "aError:\n", "> x\n", "Exit code 1\n", "sh: ", "[x] ", "a.py"),
    *(
        "Traceback (most recent call last):\n",
        "Caused by: aError\n",
        "x: not found ",
        "Jan ",
        "Ab ",
        "a.com:1 ",
        "a.b.",
        "k=v,",
        "bash: x: command not found\n",
        "cannot open x: no such file or directory\n",
        "a: permission denied\n",
        ": no such file or directory",
        "error: x\r",
        "[a] a:1: ",
        "file does not exist ",
        "((((a",
        "<<<<",
        "GET /",
        "; sudo ",
        "bash -c '",
        "A=1 ",
    ),
)


@pytest.mark.parametrize("marked", MARKED)
def test_the_line_that_names_the_error_is_taken_from_a_text(marked: str) -> None:
    line = marked.partition("»")[2].partition("\n")[0]
    assert error_line(marked.replace("»", "")) == line


def test_an_exit_code_tells_whether_a_missing_program_was_the_end() -> None:
    text = "error: no tests\nbash: line 2: rg: command not found\nerror: half done"
    assert error_line(text, 127) == "bash: line 2: rg: command not found"
    assert error_line(text, 1) == "error: no tests"


@pytest.mark.parametrize(("text", "line"), LINES)
def test_nothing_but_the_error_is_in_the_line(text: str, line: str) -> None:
    assert error_line(text) == line


@pytest.mark.parametrize(("line", "template"), TEMPLATES)
def test_accidents_are_masked_and_subjects_stay(line: str, template: str) -> None:
    assert template_of(line) == template
    assert template_of(template) == template


@pytest.mark.parametrize(("one", "other"), SAME)
def test_accidents_do_not_part_a_group(one: str, other: str) -> None:
    assert signature(one, "shell").group == signature(other, "shell").group


@pytest.mark.parametrize(("one", "other"), APART)
def test_subjects_part_groups(one: str, other: str) -> None:
    assert signature(one, "shell").group != signature(other, "shell").group


def test_a_group_carries_its_version_and_is_the_same_everywhere() -> None:
    found = signature("rg: command not found", "shell")
    assert re.fullmatch(rf"{GROUPING_VERSION}:[0-9a-f]{{16}}", found.group)
    assert found.group == "2:d7caed298abfe076"
    assert found.group != signature("rg: command not found", "search").group


@pytest.mark.parametrize("text", ["", "---", "/a/b.py", "12 34", "'x'"])
def test_the_exit_code_parts_only_what_has_no_words(text: str) -> None:
    assert signature(text, "shell", 1).group != signature(text, "shell", 2).group
    assert signature(text, "shell", 1).group != signature(text, "shell").group
    worded = f"no {text}"
    assert signature(worded, "shell", 1).group == signature(worded, "shell", 2).group


def test_only_the_ends_of_a_long_text_are_read() -> None:
    head, tail = "note: begin\n", "\nValueError: end"
    assert error_line(head + "x\n" * 100_000 + tail) == "ValueError: end"
    assert error_line(head + "x\n" * 50_000 + "ValueError: mid\n" + "x\n" * 50_000) == "note: begin"


@given(ANY | WORDED)
def test_any_text_has_a_signature(text: str) -> None:
    line, template, group, error_class, subject = signature(text, "shell", 1)
    assert len(line) <= MAX_LINE
    assert line == line.strip()
    assert len(line.splitlines()) <= 1
    assert template == template_of(line)
    assert group == signature(text, "shell", 1).group
    assert (error_class, subject) == classify(line, "shell", 1)


@given(ANY | WORDED)
def test_a_template_is_its_own_template(line: str) -> None:
    template = template_of(line)
    assert template_of(template) == template


def _sign(text: str) -> Signature:
    return signature(text, "shell")


@pytest.mark.parametrize("part", HOSTILE)
def test_the_time_grows_as_the_line_does(part: str) -> None:
    line = (part * 100_000)[:100_000]
    assert is_linear(template_of, line[:25_000], line)


@pytest.mark.parametrize("work", [classify, program_of, bucket_of, is_benign_text])
@pytest.mark.parametrize("part", HOSTILE)
def test_no_step_reads_a_text_over_and_over(work: Callable[[str], object], part: str) -> None:
    line = (part * 100_000)[:100_000]
    assert is_linear(work, line[:25_000], line)


@pytest.mark.parametrize("part", HOSTILE)
def test_a_long_text_costs_what_its_ends_cost(part: str) -> None:
    text = part * (1_000_000 // len(part))
    assert is_linear(_sign, text[:16_384], text)


def test_a_package_that_a_tool_names_is_the_projects_and_no_program_of_the_machine() -> None:
    line = "Failed to find frob executable. You may need to add the `ox-frob` package?"
    assert classify(line) == ("module_not_found", "ox-frob")
    assert classify("Failed to find frob executable") == ("command_not_found", "frob")
