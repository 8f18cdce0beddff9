"""One failure is one error, whichever program ran the one that failed."""

from __future__ import annotations

import pytest

from helix_tui.text.signature.classes import is_open
from helix_tui.text.signature.signature import signature

FAILURES = [
    "acme: the schema has 3 cycles",
    "Error: No preset `x` was found in the workspace",
    "error: the manifest is older than the lock",
    "Oops, the ledger is not balanced",
    "bash: line 3: jq: command not found",
    "ModuleNotFoundError: No module named 'yaml'",
    "Error: listen EADDRINUSE: address already in use :::3000",
    "fatal: not a git repository (or any of the parent directories): .git",
    "cat: a/b.txt: No such file or directory",
    "curl: (22) The requested URL returned error: 404",
    "no tests ran in 0.01s",
    "Error: connect ECONNREFUSED 127.0.0.1:6379",
    "src/a.ts(3,5): error TS2345: Argument of type 'a' is not assignable.",
    "java.lang.IllegalStateException: the pool of workers is closed",
    "error[E0308]: mismatched types",
]
# The failure stands where the star is.
WRAPPERS = {
    "make": "acme build --all\n*\nmake: *** [Makefile:12: build] Error 1",
    "make twice": "make[1]: Entering directory '/a'\ncc -c a.c -o a.o\n*\n"
    "make[1]: *** [Makefile:12: build] Error 1\nmake[1]: Leaving directory '/a'\n"
    "make: *** [all] Error 2",
    "npm": "\n> app@1.0.0 build\n> acme build\n\n*\nnpm error code 1\nnpm error path /home/me/app\n"
    "npm error command failed\nnpm error command sh -c acme build",
    "old npm": "\n> app@1.0.0 build /home/me/app\n> acme build\n\n*\nnpm ERR! code ELIFECYCLE\n"
    "npm ERR! errno 1\nnpm ERR! app@1.0.0 build: `acme build`\nnpm ERR! Exit status 1\nnpm ERR! \n"
    "npm ERR! Failed at the app@1.0.0 build script.\n\n"
    "npm ERR! A complete log of this run can be found in:\nnpm ERR!     /home/me/x-debug.log",
    "pnpm": "\n> app@1.0.0 build /a\n> acme\n\n*\n ELIFECYCLE  Command failed with exit code 1.",
    "yarn": "yarn run v1.22.19\n$ acme build\n*\nerror Command failed with exit code 1.\n"
    "info Visit https://example.test/run for documentation about this command.",
    "bun": '$ acme build\n*\nerror: script "build" exited with code 1',
    "just": "acme build\n*\nerror: Recipe `build` failed on line 4 with exit code 1",
    "go": "*\nexit status 1",
    "docker": "#8 [4/6] RUN acme build\n*\n------\nERROR: failed to solve: process "
    '"/bin/sh -c acme build" did not complete successfully: exit code: 1',
    "ci": "$ acme build\n*\nERROR: Job failed: exit code 1",
    "actions": "*\nError: Process completed with exit code 1.",
    "python": '*\nTraceback (most recent call last):\n  File "/a/run.py", line 3, in <module>\n'
    "subprocess.CalledProcessError: Command '['acme']' returned non-zero exit status 1.",
    "node": "Error: Command failed: acme build\n*\n    at genericNodeError (node:errors:9:1)",
    "husky": "*\nhusky - pre-commit script failed (code 1)",
    "push": "*\nerror: failed to push some refs to 'example.test:acme/a.git'",
    "log": "INFO  [acme.core] Context impl X.\n2026-10-01 12:03:01,123 INFO acme starting\n*",
    "progress": "Checking formatting...\n[1/4] Fetching packages\n*",
    "box": "╷\n│ *\n│\n╵",
    "time": "[12:03:01] *",
    "gradle": "> Task :build FAILED\n\nFAILURE: Build failed with an exception.\n\n"
    "* What went wrong:\nExecution failed for task ':build'.\n> *\n\nBUILD FAILED in 3s",
}


@pytest.mark.parametrize("wrapper", WRAPPERS.values(), ids=WRAPPERS)
@pytest.mark.parametrize("failure", FAILURES)
def test_a_failure_is_the_same_in_any_wrapper(wrapper: str, failure: str) -> None:
    before, _, after = wrapper.rpartition("*\n") if "*\n" in wrapper else wrapper.rpartition("*")
    text = f"{before}{failure}\n{after}"
    assert _key(text) == _key(failure)


def _key(text: str) -> tuple[str, str, str]:
    found = signature(text, "shell", 1)
    template = found.template if is_open(found.error_class) else ""
    return found.error_class, found.subject, template
