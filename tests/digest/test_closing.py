"""What a reply asks, offers, and says is not done."""

from __future__ import annotations

import pytest

from helix_tui.digest.closing import blocked_in, carried_on, closing_of


@pytest.mark.parametrize(
    ("reply", "question", "is_offer"),
    [
        ("All 12 tests pass. Want me to open a PR?", "Want me to open a PR?", True),
        ("Done.\n\nShall I push it?", "Shall I push it?", True),
        (
            "Would you like me to fix these? The steps:\n1. Move it\n2. Drop the copy",
            "Would you like me to fix these?",
            True,
        ),
        (
            "Would you like me to:\n1. Write a test?\n2. Add a log line?",
            "Would you like me to: Write a test; Add a log line",
            True,
        ),
        (
            "It works.\n\nIf you want, I can:\n- Add a test\n- Tag it",
            "If you want, I can: Add a test; Tag it",
            True,
        ),
        ("I can use Postgres or SQLite. Which do you prefer?", "Which do you prefer?", False),
        (
            "Please check out the branch and tell me when it's done.",
            "Please check out the branch and tell me when it's done.",
            False,
        ),
        ("Try it now and let me know if you see errors!", None, False),
        ("どちらにしますか？", "どちらにしますか？", False),
        ("Why did it fail? The cache was stale. It is fixed now.", "", False),
        ("Done. Let me know if you need anything else!", "", False),
        ("It is blue now. Let me know what you think of it!", "", False),
        ("What would you like me to do next?", "", False),
        ("Here it is:\n```sh\nread -p 'Should I go on?'\n```", "", False),
        ("All done.", "", False),
        ("Set.\n\nNext steps (pick one):\n1) Restart the shell\n2) Drop the import", "", False),
        (
            # The end of a long reply begins within a block.
            "```sh\n" + "one more line\n" * 400 + "```\nAs in:\n```re\nx+\n```\nShall I add it?",
            "Shall I add it?",
            True,
        ),
        (
            "Done. Ready for round 2 when you send the word.",
            "",
            False,
        ),
    ],
)
def test_the_question_that_a_reply_ends_with(
    reply: str, question: str | None, is_offer: bool
) -> None:
    closing = closing_of(reply)
    assert closing.question == (reply if question is None else question)
    assert closing.is_offer is is_offer


@pytest.mark.parametrize(
    ("reply", "remaining"),
    [
        ("Done.\n\n## Next steps\n- Run the migration\n- Tell the team", 2),
        ("Fixed.\n\n**Follow-up needed**\n\n1. The date is missing", 1),
        ("The fix is in. The e2e suite could not be run here.", 1),
        ("Committed. Ready for `git push` when you want to publish!", 1),
        ("It is not yet deployed.", 1),
        ("A member must still be running; it needs the agent still to be running.", 0),
        ("The 6 findings are kept for future consideration.", 1),
        ("All of it is done, tested and pushed.", 0),
        ("Done.\n\n## Known limitations\n\nDates before 1970 are not read. It is fast.", 1),
        ("Done.\n\n**Known limitations:** only UTF-8 files are read.", 1),
        ("Done.\n\n## Open questions\n\nNone.\n\nBye", 0),
        ("## Residual risks / testing gaps\n\n- **Width:** slow\n- No access to the server", 2),
        ("Blockers:\n\n- No blockers", 0),
        ('```json\n{"residualRisks": ["none"], "openQuestions": ["Which port?"]}\n```', 1),
        ("Next steps:\n1. Commit\n   - with care\n2. Push", 2),
        ("Added tests that replace the placeholder view.", 0),
        ("- **Validation:** Ran `npm run check` and fixed the formatting before committing.", 0),
        ("Run the check once more before committing.", 1),
        ("I did not commit or push.", 1),
        ("The tree has work of others, so I did not create a new commit.", 1),
        ("## Unresolved issues\n\n- The first is known\n- No new one was found\n- Not run: b", 2),
        ("- A race is there, flagged not fixed.\n" + "All is well. " * 400, 1),
        (
            "```\nhazards: The map of lanes is changed without a lock wherever the two polls"
            " meet; flagged, not fixed.\n```",
            1,
        ),
        ("```\nerror: the map of lanes is not yet pushed to the two of them by that\n```", 0),
        ("There are still remaining tasks in the file.", 1),
        ("The fix must be released or installed before a reload picks it up.", 1),
        ("Agents can be bound by roles (if you split them later).", 0),
        ("The rest can be moved to its own file later.", 1),
        ("The map is changed without a lock; flagged, not fixed.", 1),
        ("`hex.audit` is the only remaining blocker of the commit.", 1),
        ("| Item | State |\n|---|---|\n| upload | not yet implemented |", 0),
    ],
)
def test_what_a_reply_says_remains(reply: str, remaining: int) -> None:
    assert len(closing_of(reply).remaining) == remaining


@pytest.mark.parametrize(
    ("reply", "findings"),
    [
        ("- **[P1] Wrong shape of errors**\n- [P2] An empty stream is not caught", 2),
        ('{"findings": [{"title": "[P1] Wrong shape of errors", "priority": 1}]}', 1),
        ('{"reviewFindings": ["high: a.py:3 - deletes what others own", "none"]}', 1),
        (
            "## Blocking issues\n\n- The cache is never cleared\n- Two locks\n\n## Files\n- a.py",
            2,
        ),
        ("findings: APPROVE. Five minor ones stand apart.", 1),
        (
            "- **AB-1 (Minor):** a stray hook\n- **AB-2 (Major, ruled):** register-done stays",
            2,
        ),
        ("### Finding 1 — the lock is never taken\n\nWhy.\n\n### Finding 2 — b.md is wrong\n", 2),
        ("Finding 1 is only of style.", 0),
        ("**High**: the lock is never taken. Fixed in a.py.", 0),
        ("## Blockers\n\n- None", 0),
        ("## Key findings\n\n- The tool has three flags\n- Two of them are new", 0),
        ("High availability is what the service is for.", 0),
        ("- **AB-2 (Minor):** the change added a blank line → the formatter flags it", 1),
        ("- **AB-2 (Minor):** a blank line, fixed", 0),
        ("### 1. **Critical: the lock**\n\nWhy.\n\n### 2. **Two ways to ask**\n\nBoth.\n", 2),
        ('- **High**: twice told\n\n```json\n{"findings": ["high: twice told"]}\n```', 1),
    ],
)
def test_what_a_review_found(reply: str, findings: int) -> None:
    assert len(closing_of(reply).findings) == findings


def test_further_findings_are_counted() -> None:
    reply = "".join(f"- [P2] the reader of part {number} is never asked\n" for number in range(8))
    assert closing_of(reply).findings[-1] == "and 3 more"


def test_a_long_list_of_offers_is_counted() -> None:
    parts = range(1, 6)
    items = "".join(f"{n}. Write the test of the reader of part {n} of the log?\n" for n in parts)
    question = closing_of(f"Would you like me to:\n{items}").question
    assert question.endswith("(and 3 more)")


def test_what_needs_the_persons_eyes_remains() -> None:
    reply = "Done.\n\n**Two things need your eyes:**\n1. **Texts** made up\n2. The sender"
    closing = closing_of(reply)
    assert closing.remaining == ["Texts made up", "The sender"]


@pytest.mark.parametrize(
    "reply",
    [
        "Done. If you want a different layout, tell me how you want it.",
        "You may need to reload your editor for it to take effect.",
    ],
)
def test_a_courtesy_leaves_nothing_open(reply: str) -> None:
    closing = closing_of(reply)
    assert (closing.question, closing.remaining) == ("", [])


@pytest.mark.parametrize(
    ("reply", "report"),
    [
        (
            "Work blocked by the supervisor.\n\nChanged files: None.",
            "Work blocked by the supervisor",
        ),
        ("The queue was blocked by a lock, which is gone. Three files were changed.", ""),
        ("No files were changed: the answer is in the manual.", ""),
    ],
)
def test_a_task_that_is_reported_as_blocked(reply: str, report: str) -> None:
    assert blocked_in(reply) == report


def test_a_recap_keeps_what_the_reply_before_it_left_open() -> None:
    before = closing_of("It is wired. I did not commit or push.")
    both = carried_on(before, closing_of("**Summary:** a panel was added."))
    assert both.remaining == ["I did not commit or push."]


def test_what_remains_is_told_with_the_list_that_names_it() -> None:
    closing = closing_of("It is close. You will need to:\n\n1. **Rename** the script\n2. Tag it")
    assert closing.remaining == ["You will need to: Rename the script"]


@pytest.mark.parametrize(
    ("reply", "is_unable"),
    [
        ("I'm not able to browse the web from here.", True),
        ("I tried to start it, and it is blocked by the sandbox.", True),
        ("I don't have access to the network, so nothing was fetched.", True),
        ("I don't actively browse the internet; ask me something else.", True),
        ("I couldn't find any problem in the change.", False),
        ("The user can't log in because the token is stale; that is fixed.", False),
        ("Fixed, and all tests pass.", False),
    ],
)
def test_what_an_agent_says_it_could_not_do(reply: str, is_unable: bool) -> None:
    assert bool(closing_of(reply).unable) is is_unable


def test_a_key_is_redacted_before_a_sentence_is_cut_out() -> None:
    key = "ghp_" + "q7XwPLm4Zk2RtN5bVc8DsF1gHj3KyU6aEoT9"
    closing = closing_of(f"Next steps:\n- use {key}\n\nShall I store {key}?")
    assert key not in closing.question + "".join(closing.remaining)


def test_a_long_reply_is_read_in_little_time() -> None:
    for text in ("a" * 200_000, "? " * 100_000, "- x\n" * 50_000, "i " * 100_000, "." * 200_000):
        closing_of(text)
