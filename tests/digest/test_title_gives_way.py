"""Titles that do not say what they are about, and what says it instead."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from helix_tui.digest.title.line import as_title
from helix_tui.digest.title.prompt import title_of_prompt
from tests.claude_log import ClaudeLog
from tests.conftest import Workbench
from tests.digest.scenes import asks, edit, says, use

Scene = Callable[[ClaudeLog], object]


def commits(subject: str) -> Scene:
    return lambda log: log.step(f"git commit -m '{subject}'", f"[main 3f2a1bc] {subject}\n 1 file")


def hands_on(task: str) -> Scene:
    return lambda log: use(log, "Task", {"description": task, "prompt": task}, "done")


PROMPTS = [
    # two words with a slash between them are no path, a name with folders is
    (
        "Review the branch car/fixes-of-the-reader in the worktree that stands beside this one",
        "car/fixes-of-the-reader",
    ),
    (
        "Review src/reader/table.py and everything else that it reads from, down to the last table",
        "Review table.py",
    ),
    # what leaves open what it may be says nothing
    ("Put a small button or something in the footer", "Put a small button in the footer"),
    # a page that is only read for what is asked then
    (
        "read https://button.example.org/. put the small button on my footer",
        "put the small button on my footer (button.example.org)",
    ),
    # hashes say nothing
    (
        "Review commits 1a2b3c4, 5d6e7f8 and 9a8b7c6 in ~/projects/reader. Look for tables"
        " read twice.",
        "Review commits 1a2b3c4 and 2 more in reader. Look for tables read twice.",
    ),
    # these files, by their names
    (
        "I have @web/read.css and @web/read.html on my page, which is awkward for others. Do you"
        " think it would be possible to move these 2 files into a package or something so they can"
        " live elsewhere with others of their kind?",
        "Move read.css and read.html into a package",
    ),
]


@pytest.mark.parametrize(("prompt", "part"), PROMPTS)
def test_what_a_prompt_is_called_by(prompt: str, part: str) -> None:
    assert part in title_of_prompt(prompt).text


def test_a_title_never_has_a_half_of_two_words() -> None:
    line = "Checked the model that merges all of the active/recent sessions of the agents into one"
    assert "active/recent" in as_title(line)


SESSIONS: dict[str, tuple[list[Scene], str]] = {
    "who only tells what they do, by the commit": (
        [
            asks("I'm rebasing my commit onto another branch"),
            edit,
            commits("Add stanzas of shells"),
        ],
        "Add stanzas of shells",
    ),
    "what is listed below, by the number that all commits bear": (
        [
            asks("Implement the two fixes below, as they were verified by the reviewer of it"),
            edit,
            commits("fix(store): declare fields (#51)"),
            edit,
            commits("fix(server): retain lanes (#51)"),
        ],
        "(#51)",
    ),
    "what sub-agents did, and not a commit on the way": (
        [
            asks("pick up where we left off"),
            edit,
            commits("probe: settle the split verdict"),
            hands_on("Car: fixes of the review"),
            hands_on("Review: fixes of the car"),
        ],
        "Car: fixes of the review",
    ),
    "the page of a pull request, by its title": (
        [
            asks("/review https://github.com/acme/app/pull/6/files"),
            lambda log: log.step(
                "gh pr view 6 --json title,body", json.dumps({"body": "…", "title": "Read it once"})
            ),
        ],
        "/review #6: Read it once",
    ),
    "a question after how it goes is no further matter": (
        [
            asks("have three teammates write about the tables of the store"),
            edit,
            says("They do."),
            asks("the agents seem to be stuck or done... can you check?"),
            edit,
        ],
        "have three teammates write about the tables of the store",
    ),
}


@pytest.mark.parametrize("name", SESSIONS)
def test_what_a_session_is_called_by(bench: Workbench, name: str) -> None:
    scenes, title = SESSIONS[name]
    log = ClaudeLog()
    for scene in [*scenes, says()]:
        scene(log)
    log.write(bench.home)
    bench.sweep()
    assert (bench.session().title or "").endswith(title)
