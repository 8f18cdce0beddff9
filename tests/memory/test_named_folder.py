"""Which folder a session without one worked in, and why a push failed."""

from __future__ import annotations

from helix_tui.engine.memory.named_folder import WholePaths
from helix_tui.engine.memory.verdicts import why_not_pushed
from helix_tui.schema import Facts, RunFact
from helix_tui.schema.digest import ErrorFact


def test_the_folder_is_where_the_files_of_the_session_stand() -> None:
    paths = WholePaths()
    paths.take("could not apply to /home/ada/code/shop/src/rows.py, as it changed")
    paths.take("see /home/ada/code/shop/node_modules/left/README.md and ~/.cache/x/README.md")
    assert paths.folder_of(["src/rows.py", "README.md"]) == "shop"
    assert paths.folder_of(["src/other.py"]) == ""


def test_of_two_folders_alike_none_is_named() -> None:
    paths = WholePaths()
    paths.take("/home/ada/code/shop/a.py /home/ada/code/bakery/a.py")
    assert paths.folder_of(["a.py"]) == ""


def test_a_push_that_failed_says_what_its_output_says_first() -> None:
    said = "fatal: Could not read from remote repository."
    push = RunFact(7, 1, "git push", "failed", kind="git", reason=said)
    text = f"ssh: connect to host example.org port 22: Operation timed out\n{said}"
    facts = Facts()
    facts.errors.append(ErrorFact(7, 1, "shell", 128, "g", said, text, "git push", []))
    assert why_not_pushed(facts, push) == (
        "ssh: connect to host example.org port 22: Operation timed out"
    )
    assert why_not_pushed(Facts(), push) == ""
