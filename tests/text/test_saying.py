"""The line that says what failed is found behind frames, progress and what follows from it."""

from __future__ import annotations

import pytest

from helix_tui.text.signature.batch import grouped
from helix_tui.text.signature.signature import error_line, signature

# The line to find stands behind the mark.
MARKED = [
    # frames and times
    "╷\n│ »Error: Unsupported block type\n│\n│   on main.tf line 3:\n╵",
    "✖ »error: no preset called `x`\nmore",
    "2026-02-03 04:05:06,789 »ERROR: the queue is gone\n2026-02-03 04:05:07 bye",
    "[04:05:06] »error: the queue is gone",
    # progress and levels
    "Acquiring state lock. This may take a few moments...\n»the plan has no owner",
    "Checking formatting...\n[warn] src/a.ts\n[warn] »Code style issues found in the above file.",
    "INFO  [acme.migration] Context impl X.\nINFO  [acme] go\n»Target database is not up to date.",
    "RUN  v2.7.3 /home/me/app\n\n»No test files found, exiting with code 1",
    "> app@1.0.0 test\n> acme run\n\n»the runner found nothing to do",
    "[1/4] Resolving packages...\n[2/4] Fetching packages\n»your mirror is gone",
    # consequences
    "cc -c a.c\n»a is odd\nmake: *** [Makefile:3: all] Error 1",
    "go build ./...\n»go: inconsistent vendoring in /a:\n\tTo sync, run:\n\t\tgo mod vendor\n"
    "make: *** [Makefile:12: build] Error 1",
    "> app@1.0.0 build\n> acme\n\n»the bundle has no entry\nnpm ERR! code ELIFECYCLE",
    "»acme: 3 rules were broken\n ELIFECYCLE  Command failed with exit code 1.",
    "»acme: 3 rules were broken\nexit status 1",
    "»acme: 3 rules were broken\nerror: Recipe `lint` failed on line 4 with exit code 1",
    "»acme: 3 rules were broken\nERROR: Job failed: exit code 1",
    "»acme: 3 rules were broken\nThe command '/bin/sh -c acme' returned a non-zero code: 1",
    '»acme: 3 rules were broken\nTraceback (most recent call last):\n  File "a.py", line 1\n'
    "subprocess.CalledProcessError: Command 'acme' returned non-zero exit status 1.",
    "cc a.c\n»make: *** [Makefile:3: all] Error 1",
    # what a hook says is why git gave up
    "husky - pre-push\n»sh: 1: acme: not found\nerror: failed to push some refs to 'x'",
    "»acme filter: acme: command not found\nfatal: the remote end hung up unexpectedly",
]


@pytest.mark.parametrize("marked", MARKED)
def test_what_failed_goes_before_what_follows_from_it(marked: str) -> None:
    line = marked.partition("»")[2].partition("\n")[0]
    assert error_line(marked.replace("»", ""), 1).endswith(line)


SENTENCE = "the ledger of March cannot be closed"
PREFIXES = """\
Error:
error:
fatal:
ERROR:
[ERROR]
Error: Error:
error: fatal:
npm ERR!
GraphQL:
gh:
remote: error:
failed to run git: fatal:
acme.exceptions.LedgerError:
com.acme.LedgerException:
│ Error:
✖
×
•
2026-10-01 12:03:01 ERROR [acme.ledger]
2026-10-01T12:03:01.123Z WARN [acme]
[12:03:01]
bash: line 3:"""


@pytest.mark.parametrize("prefix", PREFIXES.split("\n"))
def test_one_sentence_is_one_error_behind_any_prefix(prefix: str) -> None:
    assert signature(f"{prefix} {SENTENCE}", "shell").template == SENTENCE


@pytest.mark.parametrize(
    "text", ["/usr/bin/env: ‘sh\r’: No such file or directory", "run.sh: 2: \r: not found"]
)
def test_the_line_end_of_windows_in_a_script_is_no_overwriting(text: str) -> None:
    assert signature(text, "shell", 127).error_class == "crlf_line_endings"


def test_a_client_tells_which_service_did_not_answer() -> None:
    refused = "ConnectionRefusedError: [Errno 111] Connection refused"
    assert signature(refused, "shell", 1, "kubectl get pods").subject == "kubernetes"
    assert signature(refused, "shell", 1, "python3 app.py").subject == ""


def test_kinds_of_failures_are_grouped_by_what_failed() -> None:
    same, also, other, plain = grouped(
        [
            "SyntaxError: expected ':' at 1",
            "SyntaxError: expected ':' at 2",
            "SyntaxError: unterminated string literal",
            "HTTP 403: Forbidden",
        ]
    )
    assert same.group == also.group != other.group
    assert (plain.error_class, plain.subject) == ("http_error", "403")
