"""Titles: the agent's own, else the first prompt that asks for something."""

from __future__ import annotations

import json

import pytest

from helix_tui.digest.excerpt import excerpt_line
from helix_tui.digest.fold import Folder
from helix_tui.digest.merge import NamedFold, digest_of
from helix_tui.digest.state import new_fold
from helix_tui.digest.tasks import is_answer, is_task, offered_in
from helix_tui.digest.title.line import LENGTH
from helix_tui.digest.title.named import BY_COMMIT
from helix_tui.digest.title.own import GIVEN, MADE, note_own_title, own_title
from helix_tui.digest.title.prompt import BARE, NOTHING, POINTING, TASK, WORD, title_of_prompt
from helix_tui.digest.title.session import note_asked_title, session_title
from helix_tui.schema import PROMPT, Facts, FileTally, WorkName

TITLES = (
    ("Fix the flaky login test", TASK, "Fix the flaky login test"),
    (
        "We keep the icons in the site's folder, which is awkward for others who want to help. Do"
        " you think it would be possible to move these 3 folders into a package?",
        TASK,
        "Move these 3 folders into a package",
    ),
    ("hey Claude, can you please rename the flag?", TASK, "Rename the flag"),
    (
        # Who the agent is, and what it is told it has, is no matter; what it does is.
        "You are the second reviewer of the train. Your dispatch id is: r1-51. You hold a veto."
        " You review the branch of the spooler in its own worktree.",
        TASK,
        "Review the branch of the spooler in its own worktree.",
    ),
    (
        "You are NOT resuming a session.\n\nTask:\nImplement the second gate of the importer.",
        TASK,
        "Implement the second gate of the importer.",
    ),
    (
        "Reply with exactly OK. Do not edit files.",
        BARE,
        "Reply with exactly OK. Do not edit files.",
    ),
    ("@[User]: Return the table of tokens", TASK, "Return the table of tokens"),
    (
        # A long sentence that only tells, before one that asks.
        "the note on the switch of the session keys mentions that this breaks older stores, and"
        " that the same clean cut as before is to be made. can you update the note so that stores"
        " are migrated?",
        TASK,
        "Update the note so that stores are migrated",
    ),
    (
        "I didn't find those cross-page links helpful, can you please replace them with a single"
        " one to the index?",
        TASK,
        "Replace the cross-page links with a single one to the index",
    ),
    (
        "In this repository each story has its own branch.\n\nFor each story:\n1. Check out the"
        " branch.\n2. Identify the spec for it in the folder of specs.\n3. Run the planning"
        " workflow for that story only.",
        TASK,
        "For each story: Run the planning workflow for that story only.",
    ),
    (
        "Package the current working-tree changes into a GitHub pull request. Follow these steps"
        " in order: run `git status`, look at the changes, and write a text for them.",
        POINTING,
        "Package the current working-tree changes into a GitHub pull request.",
    ),
    (
        "Quickly explore the codebase at /home/ann/src/bridge to understand:\n1. How `run` is used"
        " in all of the commands of the project\n2. What tests there are",
        TASK,
        "Explore bridge: How `run` is used in all of the commands of the project",
    ),
    (
        'The error from load() is wrapped with "reading settings file:" at line 239, then wrapped'
        " again with the same prefix at line 84 in settings.py.",
        TASK,
        "The error from load() is wrapped, then wrapped again with the same prefix.",
    ),
    (
        "so i have made the pages for signing in and have the keys in a file , and now your job is"
        " to write the backend for them",
        TASK,
        "Write the backend for the pages",
    ),
    (
        "can we have the status command print the roles?",
        TASK,
        "Have the status command print the roles",
    ),
    ("hello", WORD, "hello"),
    ("yes", WORD, "yes"),
    ("2", WORD, "2"),
    ("Can we continue from where we left off?", WORD, "Continue from where we left off"),
    ("please fix these", POINTING, "please fix these"),
    ("ok lets get back to main", POINTING, "Get back to main"),
    ("please commit and push the changes", POINTING, "Commit and push the changes"),
    ("Push notifications for the app", TASK, "Push notifications for the app"),
    ("merge the two parsers", TASK, "merge the two parsers"),
    ("/review", BARE, "/review"),
    ("/review the last commit", POINTING, "/review the last commit"),
    ("/clear", NOTHING, ""),
    ("<system-reminder>mind</system-reminder>\nrename the flag", TASK, "rename the flag"),
    ("[image]\n\n[Image #1] The button has no margin", TASK, "The button has no margin"),
    (
        "Implement the following plan:\n\n# Plan: Keep the path in the metadata\n\n## Context\n…",
        TASK,
        "Keep the path in the metadata",
    ),
    (
        "You are a senior reviewer.\n\n## Your task\n\nLook for races in the scheduler.",
        TASK,
        "Look for races in the scheduler.",
    ),
    (
        "have a look, I got this feedback:\n\nThe default case repeats the first one\n\nLow",
        TASK,
        "The default case repeats the first one. Low",
    ),
    (
        "## User Input\n\n```text\nWrite a spec for the export\n```\n\nYou must consider it.",
        TASK,
        "Write a spec for the export. You must consider it.",
    ),
    (
        "why?\n\n```\nTraceback (most recent call last):\nKeyError: 'a'\n```",
        BARE,
        "why?",
    ),
    (
        "fix this\n\n```\nerror: cannot find value `x`\n```",
        TASK,
        "fix this: error: cannot find value `x`",
    ),
    (
        "2026-01-01T10:00:00 INFO start\n2026-01-01T10:00:01 ERROR no such table\n\n"
        "The migration fails on an empty database",
        TASK,
        "The migration fails on an empty database",
    ),
    (
        "I have a.css, b.css and c.css running on my website, and all of them are loaded by hand. "
        "I'd like to move all three of them into one bundle.",
        TASK,
        "Move all three of them into one bundle.",
    ),
    (
        "Please read @web/styles/a.css and @web/styles/b.css and do a thorough review of all of it",
        TASK,
        "Read a.css and b.css and do a thorough review of all of it",
    ),
    (
        "take a look at: the wrappers in utils.go are not used anywhere",
        TASK,
        "the wrappers in utils.go are not used anywhere",
    ),
    ("fix these lint errors", POINTING, "fix these lint errors"),
    (
        "while we wait for the pipeline, there are new comments of a reviewer on the open request",
        POINTING,
        "There are new comments of a reviewer on the open request",
    ),
    (
        'I got this feedback for the changes in src/store/hooks.go:81 "Cutting a string by bytes'
        ' can break letters of more than one byte." Can you address this?',
        TASK,
        "Cutting a string by bytes can break letters of more than one byte.",
    ),
    (
        "You are writing a spec for ONE story, taken as a feature of its own, by the rules that are"
        " set out below.\n\nSources:\n- ./stories/ST-07.md\n- ./tests/ST-07-AT.md\n",
        TASK,
        "Writing a spec for ONE story, taken as a feature of its own (ST-07.md)",
    ),
    (
        "Use the helper in sub-agents with the small model to give me an overview of the layout of"
        " the /work/shop-backend project",
        TASK,
        "Give me an overview of the layout of the shop-backend project",
    ),
    (
        "now we have a cache so we should make the viewer open the stored page rather than"
        " rendering it again. also drop the check.",
        TASK,
        "Make the viewer open the stored page rather than rendering it again.",
    ),
    (
        "I keep getting strange build errors when pages have links wrapped in angle brackets that"
        " the formatter puts in (LNK012/no-bare-links) – how can I disable that?",
        TASK,
        "Strange build errors when pages have links wrapped in angle brackets…",
    ),
    (
        "when running:\n\n❯ shop enable\n✓ Enabled\n\nI'd like us to show what else there is",
        TASK,
        "Show what else there is: shop enable",
    ),
    (
        "Build a script\nfor a memory game, that shows a row of numbers, waits for a while, then"
        " asks to type them in",
        TASK,
        "Build a script for a memory game, that shows a row of numbers…",
    ),
    (
        "<!-- task-1 -->\nYou are a fresh instance for one bounded task.\n\n"
        "Task: Review the changes to the spooler against specs/spool.md.",
        TASK,
        "Review the changes to the spooler against specs/spool.md.",
    ),
    (
        "i want to create a workflow for agents, in my mind we should be always in tmux and they"
        " will spawn by themselves",
        TASK,
        "Create a workflow for agents, in my mind we should be always in tmux…",
    ),
    (
        "Create or update `AGENTS.md`. It answers this:\n\n- What is missed?\n\n## How to look\n…",
        TASK,
        "Create or update `AGENTS.md`. It answers this: What is missed?",
    ),
    (
        "Reopened, it came back in the release candidate. The statement mail goes out twice.",
        TASK,
        "The statement mail goes out twice.",
    ),
    (
        "The conversion takes the rate of today. Use that of the day of the invoice.",
        TASK,
        "The conversion takes the rate of today. Use that of the day of the invoice.",
    ),
    (
        "diff --git a/x b/x\nindex 1234567..89abcde\n",
        BARE,
        "diff --git a/x b/x",
    ),
)


@pytest.mark.parametrize(("prompt", "rank", "title"), TITLES)
def test_title_of_a_prompt(prompt: str, rank: int, title: str) -> None:
    assert title_of_prompt(prompt) == (rank, title)


def title_of(*prompts: str) -> str:
    """The title of a session in which this was asked."""
    folder = Folder("claude", new_fold())
    folder.step_all(
        (number, number, number, PROMPT, False, "user", None, None, None, None, prompt, None)
        for number, prompt in enumerate(prompts, 1)
    )
    return session_title(folder.fold.facts)


def test_title_is_one_short_line_without_secrets() -> None:
    key = "sk-ant-api03-" + "Ab1" * 30
    title = title_of(f"use the key {key} for\ttests " + "and more " * 40)
    assert len(title) <= LENGTH
    assert key not in title
    assert "\n" not in title
    assert title == excerpt_line(title, LENGTH)
    assert title.endswith("…")
    assert "Ab1Ab1" not in title_of(f"{'word ' * 2}\n\n" + "x " * 2995 + key)
    pem = "-----BEGIN RSA PRIVATE KEY-----\n" + "\n".join(["MIIEabcd" * 8] * 20)
    assert "MIIE" not in title_of(f"use this\n\n{pem}\n-----END RSA PRIVATE KEY-----")


OWN = (
    ('custom-title: {"customTitle":"Release day"}', (GIVEN, "Release day")),
    ('ai-title: {"aiTitle":"Fix the login"}', (MADE, "Fix the login")),
    ('title: {"title":"Audit the parser","by":"agent"}', (MADE, "Audit the parser")),
    ('title: {"title":"My own","by":"person"}', (GIVEN, "My own")),
    ('{"type":"thread_name_updated","thread_name":"Check hooks"}', (GIVEN, "Check hooks")),
    ('title: {"title":"New session","by":"agent"}', None),
    ('title: {"title":"New session","by":"person"}', (GIVEN, "New session")),
    ('title: {"title":""}', None),
    ("title: [1]", None),
    ('{"type":"turn_aborted"}', None),
    ("permission-mode: {}", None),
)


@pytest.mark.parametrize(("text", "expected"), OWN)
def test_own_title(text: str, expected: tuple[int, str] | None) -> None:
    assert own_title(text) == expected


def test_what_a_person_gave_stands_above_what_was_made() -> None:
    facts = Facts()
    note_asked_title(facts, "rename the flag", ())
    assert session_title(facts) == "rename the flag"
    note_own_title(facts, 5, 'custom-title: {"customTitle":"Flags"}')
    note_own_title(facts, 9, 'ai-title: {"aiTitle":"Rename a flag"}')
    assert session_title(facts) == "Flags"
    note_own_title(facts, 10, 'custom-title: {"customTitle":"All flags"}')
    assert session_title(facts) == "All flags"


LABELS: tuple[tuple[str, Facts, str], ...] = (
    (
        "a name that a program gave",
        Facts(own_title="subagent-worker-90afef25-1", own_title_rank=GIVEN),
        "Read the spool of the importer once",
    ),
    (
        "a number",
        Facts(own_title="Pi [sticky-otter] task-1", own_title_rank=GIVEN),
        "Read the spool of the importer once",
    ),
    (
        "the form of the work",
        Facts(own_title="Explore codebase structure", own_title_rank=MADE),
        "Read the spool of the importer once",
    ),
    (
        "the form, with the file that was edited",
        Facts(
            own_title="Round 2 comparison",
            own_title_rank=MADE,
            files={"/work/notes/spool.md": FileTally(0, 2)},
        ),
        "Round 2 comparison: spool.md",
    ),
    (
        "who the agent is, with the commit",
        Facts(
            own_title="Dori Conductor run execution",
            own_title_rank=GIVEN,
            first_prompt="Your name is **Dori**, a Conductor-managed agent.",
            named=[WorkName(BY_COMMIT, "Audit the flow of hooks", 1)],
        ),
        "Audit the flow of hooks",
    ),
    (
        "another matter than the commit",
        Facts(
            own_title="Implement ABC-263",
            own_title_rank=MADE,
            named=[WorkName(BY_COMMIT, "Scaffold the templates of mails", 1)],
        ),
        "Scaffold the templates of mails",
    ),
    (
        "the same matter as the commit",
        Facts(
            own_title="Mail templates",
            own_title_rank=MADE,
            named=[WorkName(BY_COMMIT, "Scaffold the templates of mails", 1)],
        ),
        "Mail templates",
    ),
    (
        "what a person gave",
        Facts(own_title="Final comparison", own_title_rank=GIVEN),
        "Final comparison",
    ),
    (
        "a mark of whom it was given to",
        Facts(own_title="Verify the retries (@general subagent)", own_title_rank=MADE),
        "Verify the retries",
    ),
)


@pytest.mark.parametrize(("name", "facts", "title"), LABELS, ids=[row[0] for row in LABELS])
def test_own_title_that_says_nothing_gives_way(name: str, facts: Facts, title: str) -> None:
    note_asked_title(facts, "Read the spool of the importer once", ())
    assert session_title(facts) == title, name


def test_first_of_the_best_prompts() -> None:
    facts = Facts()
    for prompt in ("hello", "/check", "rename the flag", "and write a test for it"):
        note_asked_title(facts, prompt, ())
    assert session_title(facts) == "rename the flag"
    assert title_of("hello", "/check", "/clear", "rename the flag", "go on") == "rename the flag"


def test_parts_in_any_order_have_one_title() -> None:
    early, late = new_fold(), new_fold()
    early.memory.began_ts, late.memory.began_ts = 1, 2
    note_asked_title(early.facts, "/check", ())
    note_asked_title(late.facts, "rename the flag", ())
    note_own_title(early.facts, 7, "title: " + json.dumps({"title": "Rename flags"}))
    folds = [NamedFold("a", early), NamedFold("b", late)]
    titles = {session_title(digest_of(order, True).facts) for order in (folds, folds[::-1])}
    assert titles == {"Rename flags"}
    early.facts.own_title = ""
    early.facts.own_title_rank = 0
    titles = {session_title(digest_of(order, True).facts) for order in (folds, folds[::-1])}
    assert titles == {"rename the flag"}


def test_digest_of_an_older_extractor_has_a_title() -> None:
    assert session_title(Facts(first_prompt="please rename the flag")) == "Rename the flag"
    assert session_title(Facts(last_reply="Ready.\nAsk me.")) == "Nothing was asked"


@pytest.mark.parametrize(
    "answer",
    [
        "1",
        "b",
        "B.",
        "yes",
        "yes please",
        "2 and 3",
        "option 2",
        "go with the first one",
        "A)",
        "y",
    ],
)
def test_answers(answer: str) -> None:
    assert is_answer(answer)


@pytest.mark.parametrize(
    "prompt", ["yes, and rename the flag", "fix 2 tests", "1. rename it 2. test it", "no tests ran"]
)
def test_no_answers(prompt: str) -> None:
    assert not is_answer(prompt)
    assert is_task(prompt)


def test_choice_of_what_was_offered() -> None:
    offered = offered_in("Which one?\n\n1. Keep the flag\n2. **Drop it altogether**\n")
    assert is_answer("Drop it altogether", offered)
    assert not is_answer("Drop the table", offered)


def test_long_lines_take_no_time() -> None:
    for text in ("a" * 200_000, "(" * 200_000, "you are " * 30_000, "- " * 90_000, "\\\n" * 90_000):
        title_of_prompt(text)
        is_answer(text)
        offered_in(text)
