"""What an article tells: last work, what is open by all sessions, and lines worth having."""

from __future__ import annotations

import pytest

from helix_tui.memory.flush.entry import DailyEntry, short_id_of
from helix_tui.memory.knowledge.article import (
    DECIDED,
    HOLDS,
    LATEST,
    RULES,
    SEEN,
    Lesson,
    new_article,
    with_holds,
)
from helix_tui.memory.knowledge.article import with_lessons as written_into
from helix_tui.memory.knowledge.holds import LAST, holds
from helix_tui.memory.knowledge.session_facts import Held
from helix_tui.memory.knowledge.worth import lessons_of

CONTEXT = ["1 prompt; 2 tool calls."]
ORDER = (RULES, HOLDS, SEEN, DECIDED, LATEST)
PUSHED = ["1 prompt; 9 tool calls; 1 commit, pushed."]
CHANGED = ["Changed: `load_rows.py` in `api/`", "1 prompt; 9 tool calls."]
PUSH_FAILED = "Left open: `the last push failed: remote hung up`"


def held(
    day: int,
    *actions: str,
    context: list[str] = CONTEXT,
    title: str = "",
    name: str = "",
    exchanges: tuple[str, ...] = (),
    **more: list[str],
) -> Held:
    name = name or f"s{day}"
    title = title or f"part {day} of the importer{day}"
    text = f"## 10:00 · claude · `app` · {name}: `{title}` <!-- helix {day:016x} -->"
    lines = {"actions": list(actions), "context": context, "key_exchanges": list(exchanges), **more}
    lines = {field: some for field, some in lines.items() if some}
    return Held(
        f"2026-01-{day:02d}",
        DailyEntry(f"{day:016x}", "10:00", "claude", "app", name, lines, text),
    )


def texts(*entries: Held) -> list[str]:
    return [one.text for one in holds(list(entries))]


def lasts(*entries: Held) -> list[str]:
    return [one.text for one in holds(list(entries)) if one.key.startswith(LAST)]


def is_open(words: str, *entries: Held) -> bool:
    return any(one.startswith("Open since") and words in one for one in texts(*entries))


class TestOpenEnds:
    """An end that a session left open, looked at over all that came later."""

    def test_what_broke_off_long_ago_is_not_open_where_work_went_on(self) -> None:
        end = "Broke off in the middle of: `1 - yes, 2 - no, go on`"
        assert is_open(end, held(1, end))
        assert not is_open(end, held(1, end), *(held(day) for day in range(2, 6)))

    @pytest.mark.parametrize(
        ("line", "later"),
        [
            (PUSH_FAILED, PUSHED),
            ("Remains: `Branch is ahead of origin by 3 commits.`", PUSHED),
            ("Remains: `I did not commit or push.`", PUSHED),
            ("Left open: `a commit was asked for, and none was made`", PUSHED),
            ("Left open: `a merge was asked for, and none was made`", ["Committed: `Merge main`"]),
            ("Left open: `pytest was last seen red: 2 failed`", ["Passed: `pytest -q`"]),
            ("Remains: `ORD-25/26 wait for a person`", ["Asked: `do ORD-26 now`"]),
            ("Left open: `found: high: load_rows.py:7 loses rows`", [*CHANGED, *PUSHED]),
            (
                "Remains: `Add tests of foreign banks to the importer`",
                ["Committed: `test: importer of foreign banks`"],
            ),
            ("Remains: `There are still remaining tasks in the list.`", CHANGED),
            ("Broke off in the middle of: `go on with it`", CHANGED),
            ("Left open: `tsc failed, and was not run again: TS1`", ["Passed: `npm run check`"]),
            (
                "Left open: `ruff was last seen red: 2 errors`",
                ["How it stands: `the last check passed: make lint`"],
            ),
        ],
    )
    def test_a_later_session_closes_it(self, line: str, later: list[str]) -> None:
        said = line.partition(": ")[2]
        own = [*CHANGED, *CONTEXT] if line.startswith("Broke off") else CONTEXT
        assert is_open(said, held(1, line))
        assert is_open(said, held(1, line), held(2))
        assert not is_open(said, held(1, line, context=own), held(2, context=later))
        # What was before it closes nothing.
        assert is_open(said, held(3, line), held(2, context=later))

    @pytest.mark.parametrize(
        ("line", "later"),
        [
            (PUSH_FAILED, "1 prompt; 9 tool calls; 1 commit."),
            ("Left open: `pytest was last seen red: 2 failed`", "Passed: `ruff check .`"),
            ("Left open: `pytest was last seen red: 2`", "Passed: `pytest tests/test_one.py`"),
            ("Left open: `pytest was last seen red: 2`", "Passed: `pytest -m slow -q`"),
            ("Left open: `vitest was last seen red: 1`", "Passed: `npm test -- tests/one.spec.ts`"),
            ("Remains: `the importer needs dates`", "1 prompt; 9 tool calls; 1 commit, pushed."),
            ("Remains: `ORD-25 waits for a person`", "Asked: `do ORD-26 now`"),
            ("Left open: `found: high: load_rows.py:7 loses rows`", "Changed: `rows.py`"),
            ("Left open: `found: README.md: wording`", "Changed: `README.md`; 1 commit, pushed."),
        ],
    )
    def test_another_fact_does_not(self, line: str, later: str) -> None:
        assert is_open(line.partition(": ")[2], held(1, line), held(2, context=[later]))

    def test_the_same_request_met_again_has_its_open_ends(self) -> None:
        title = "Teach the importer dates of banks"
        old, new = "Could not: `no network here`", "Remains: `dates before 1970`"
        entries = (held(1, old, title=title), held(2, new, title=f"{title} (+1 more)"))
        assert not is_open("no network", *entries)
        assert is_open("1970", *entries)

    def test_a_line_for_each_session_with_a_label_once(self) -> None:
        ends = [f"Left open: `found: hole number {number}`" for number in range(6)]
        (line,) = (one for one in texts(held(1, *ends)) if one.startswith("Open since"))
        assert line.count("Left open") == 1
        # What was found is told whole; of other ends the entry has the rest.
        assert "`found: hole number 5`" in line
        ends = [f"Left open: `part number {number} has no test`" for number in range(6)]
        (line,) = (one for one in texts(held(1, *ends)) if one.startswith("Open since"))
        assert "`part number 3 has no test`; and 2 more in its entry" in line

    def test_an_offer_and_a_list_of_what_is_said_above_are_no_open_ends(self) -> None:
        assert not is_open("lint", held(1, "Remains: `I can rerun the lint.`"))
        assert not is_open("Remains", held(1, "Remains: `If you have old rows, remove them.`"))
        ends = [f"Remains: `the {what} is a guess of mine`" for what in ("sender", "footer link")]
        left = "Left to the user: `Two things: the sender is a guess of mine; the footer link…`"
        assert not is_open("Two things", held(1, *ends, left))

    def test_a_models_open_end_has_no_mark_and_is_closed_like_others(self) -> None:
        line = "`Replace the reader of load_rows.py (ORD-25)` (source: agent 00000000000000aa)"
        (told,) = (one for one in texts(held(1, line)) if one.startswith("Open since"))
        assert told.endswith("`Replace the reader of load_rows.py (ORD-25)`")
        assert not is_open("Replace", held(1, line), held(2, context=["Asked: `do ORD-25 now`"]))
        assert not is_open("Nobody", held(1, "`Nobody said this` (no source)"))

    def test_a_session_in_which_nothing_was_done_leaves_nothing(self) -> None:
        idle = held(1, "Not answered: `hello`", context=["1 prompt; 0 tool calls."])
        assert is_open("hello", idle)
        assert not any("hello" in one for one in texts(idle, held(2)))

    def test_a_red_check_that_the_agent_says_was_red_before_says_so(self) -> None:
        red = "Left open: `mypy was last seen red: 3 errors`"
        said = "and: `No new errors: all three are pre-existing.`"
        (line,) = (
            one for one in texts(held(1, red, exchanges=(said,))) if one.startswith("Open since")
        )
        assert line.endswith("(the agent: `No new errors: all three are pre-existing.`)")


class TestLast:
    """The last sessions, what they came to, and how checks are run."""

    def test_the_report_on_the_title_is_told_and_none_that_fell(self) -> None:
        fell = "On that the agent: `The parser of banks takes dates in any order now.`"
        told = "The user: `no` → the agent: `The parser of part 1 takes days before months now.`"
        one = held(1, exchanges=(f"{fell} (the user objected next)", told))
        (last,) = lasts(one)
        assert "days before months" in last
        assert "any order" not in last

    def test_a_red_check_that_is_green_since_says_so(self) -> None:
        red = held(1, context=["How it stands: not done: `mypy was last seen red: 3 errors`"])
        later = held(2, context=["Passed: `make check`"])
        line = next(one for one in texts(red, later) if "last seen red" in one)
        assert line.endswith("`mypy was last seen red: 3 errors` (green in a later session)")
        assert not any("green in" in one for one in texts(red, held(2)))

    def test_each_is_a_short_line(self) -> None:
        said = tuple(
            f"The agent: `Added the {words}, it got its step.`"
            for words in ("parser of dates", "lock of the queue", "window for banks")
        )
        found = lasts(*(held(day, exchanges=said) for day in range(1, 9)))
        assert len(found) == 5
        assert all(line.count("got its step") == 1 for line in found)

    def test_a_state_is_told_as_its_entry_has_it_until_a_later_session_changes_it(self) -> None:
        left = held(1, context=["Changed (the last edits not committed): `load.py`", *PUSHED])
        (line,) = lasts(left)
        assert line.endswith(": committed and pushed; the last edits not committed")
        assert "not committed" not in lasts(left, held(2, context=PUSHED))[-1]
        unpushed = "How it stands: `the last check passed: make test`; not pushed in this session"
        # A single session is told by its entry alone, where its article has anything else.
        assert lasts(held(1, context=[unpushed])) == []
        assert lasts(held(1, context=[unpushed]), held(2))[-1] == (
            "`part 1 of the importer1`: `the last check passed`; not pushed in this session"
        )
        assert "not pushed" not in lasts(held(1, context=[unpushed]), held(2, context=PUSHED))[-1]

    def test_sessions_of_one_matter_are_one_line(self) -> None:
        title = "Specify the use case of foreign banks 7"
        titles = (title, f"{title} (+1 more)", title.replace("7", "8"))
        green = ["How it stands: `the last check passed`"]
        entries = [held(day, title=some, context=green) for day, some in enumerate(titles, 1)]
        other, last = lasts(*entries)
        assert last.startswith(f"`{titles[1]}` (2 sessions of this)")
        assert titles[2] in other

    def test_checks_are_told_without_their_folder_and_none_that_was_cut(self) -> None:
        passed = ['Passed: `cd web; npm test`, `go test -run "Sh`']
        entries = [held(1, context=["Passed: `npm test`"]), held(2, context=passed)]
        (line,) = (one for one in texts(*entries) if one.startswith("Checks"))
        assert line == "Checks that passed here: `cd web; npm test` (2 sessions, last 2026-01-02)"

    def test_checks_are_told_as_anybody_types_them(self) -> None:
        passed = ["Passed: `cd /private/var/tree-1/api && make check`, `pytest /tmp/a/test_a.py`"]
        (line,) = (one for one in texts(held(1, context=passed)) if one.startswith("Checks"))
        assert line == "Checks that passed here: `make check` (1 session, last 2026-01-01)"

    def test_a_check_that_a_later_session_saw_red_is_not_told(self) -> None:
        green = held(1, context=["Passed: `npx tsc --noEmit`, `npm run lint`"])
        red = held(2, "Left open: `tsc was last seen red: 3 errors`")
        assert "tsc" in next(one for one in texts(green) if one.startswith("Checks"))
        (line,) = (one for one in texts(green, red) if one.startswith("Checks"))
        assert "tsc" not in line
        # What passed again since is told.
        again = held(3, context=["Passed: `npx tsc --noEmit`"])
        (line,) = (one for one in texts(green, red, again) if one.startswith("Checks"))
        assert "`npx tsc --noEmit` (2 sessions, last 2026-01-03)" in line

    def test_a_session_with_nothing_but_its_title_is_left_to_the_list_of_sessions(self) -> None:
        unknown = "How it stands: not known: `nothing was run that shows whether it works`"
        assert lasts(held(1), held(2, context=[unknown])) == []
        (line,) = texts(held(1, context=["Committed: `Speed the importer up`", *PUSHED]))
        assert line == (
            "`part 1 of the importer1`: committed and pushed; committed: `Speed the importer up`"
        )

    def test_what_held_at_the_end_is_told(self) -> None:
        changed = ["Changed: `load.py`", *CONTEXT]
        first = "On that the agent: `Added part 1 of the importer with a script tag of its own.`"
        right = "The arrow of the window now points to the right."
        last = f"The user: `the arrow points left` → the agent: `{right}`"
        again = "The agent: `Replaced the script tag of the importer by a component: part 1.`"
        (line,) = texts(held(1, context=changed, exchanges=(first, again, last)))
        assert "component" in line
        assert "of its own" not in line
        # What answers another request than that of the title comes after that.
        assert right not in line
        assert lasts(held(1, context=changed, exchanges=(last,)))[0].endswith(
            f"the agent: `{right}`"
        )

    def test_what_was_said_before_a_correction_that_stands_alone_is_not_told(self) -> None:
        licence = "Added the licence of that package, which is MIT."
        changed = ["Changed: `load.py`", *CONTEXT]
        said = (
            "On that the agent: `Added a dialog that opens beside the button of help.`",
            f"The user: `which licence has it` → the agent: `{licence}`",
        )
        corrected = ["Corrected by the user: `it does not open at all`"]
        (line,) = texts(held(1, context=changed, exchanges=said, lessons=corrected))
        assert "licence" in line
        assert "dialog" not in line
        placed = f"{corrected[0]} (the agent had said: `{licence}`)"
        assert texts(held(1, context=changed, exchanges=said, lessons=[placed])) == []

    def test_an_opening_remark_is_not_what_a_session_came_to(self) -> None:
        changed = ["Changed: `load.py`", *CONTEXT]
        opening = "On that the agent: `This is a good thing to talk about before we begin.`"
        work = "The user: `go on` → the agent: `Moved the queue into a file that it locks.`"
        (line,) = texts(held(1, context=changed, exchanges=(opening, work)))
        assert "good thing" not in line
        assert line.endswith("; the agent: `Moved the queue into a file that it locks.`")
        # Nor is what might be done.
        more = "and: `Moving the lock of it as well would be another, larger task.`"
        assert texts(held(1, context=changed, exchanges=(opening, work, more))) == [line]


PROVED = [
    "Changed: `load.py`",
    "How it stands: `the last check passed`",
    "1 prompt; 9 tool calls.",
]
CAUSE = "The agent: `the count was wrong because {} were read twice`"


def kept(one: Held) -> list[tuple[str, str]]:
    return [(lesson.section, lesson.text) for lesson in lessons_of(one.entry, one.day)]


class TestWorth:
    """Which lines of an entry its article has."""

    def test_of_causes_that_nothing_bears_out_the_last_is_told(self) -> None:
        lines = [CAUSE.format(thing) for thing in ("rows", "pages")]
        assert kept(held(1, lessons=lines)) == [(SEEN, lines[1])]
        assert kept(held(1, context=PROVED, lessons=lines)) == [(SEEN, line) for line in lines]

    def test_causes_of_reports_count_where_the_work_bears_them_out(self) -> None:
        told = "On that the agent: `The import failed because the lock was never given back.`"
        cause = (SEEN, told.replace("On that the agent", "The agent"))
        assert kept(held(1, context=PROVED, exchanges=(told,))) == [cause]
        assert kept(held(1, exchanges=(told,))) == []
        fell = f"{told} (the user reported trouble next)"
        assert kept(held(1, context=PROVED, exchanges=(fell,))) == []

    def test_where_edits_and_no_proof_came_no_cause_is_told(self) -> None:
        lines = [CAUSE.format("rows"), f"{CAUSE.format('pages')}; it then edited `load.py`"]
        assert kept(held(1, context=["Changed: `load.py`"], lessons=lines)) == []
        red = ["How it stands: `the last check passed; tsc was last seen red`", PROVED[0]]
        assert kept(held(1, context=red, lessons=lines)) == []

    @pytest.mark.parametrize(
        "line",
        [
            "The agent: `High: load.py is never closed because the lock is lost.`",
            "The agent: `The build failed because the command used Python 3.8.`",
            "The agent: `make check cannot pass in this worktree because of others.`",
            "The agent: `The note landed in the wrong place because of concurrent edits.`",
            "The agent: `Root cause fix; Added `a_b` because it failed`",
            "The agent's own summary: `Lint error - unused import. Fixed by removing it.`",
            "After the error `notes.md:4 MD031/blanks` the agent: `It needs a blank because.`",
            "After the error `would reformat a.py` this passed: `black a.py` (`format`)",
            "After the error `no matches found: [id].ts` this passed: `cat '[id].ts'` (`quote it`)",
            "After the error `zsh:1: == not found` the agent ran `make`; then `curl x` passed",
            "The agent: `The push failed because ssh to the host timed out.`",
            "The agent: `This is because it was not linked yet.`",
            "The agent: `It probably failed because the cache was old.`",
            "The agent: `The hook is not yet enabled because hooks are per folder.`",
            "The agent: `It failed because you created the account before the table.`",
        ],
    )
    def test_trivia_stays_in_the_log(self, line: str) -> None:
        assert kept(held(1, context=PROVED, lessons=[line])) == []

    @pytest.mark.parametrize(
        ("field", "line", "section"),
        [
            ("decisions", "Laid down by the user: `never edit a migration`", RULES),
            ("lessons", "Corrected by the user: `use uv, not pip`", RULES),
            (
                "lessons",
                "Corrected by the user: `I don't want to make assumptions on people's machines`",
                RULES,
            ),
            ("lessons", "Corrected by the user: `the button goes to the left`", ""),
            ("lessons", "Corrected by the user: `I never saw the window open`", ""),
            ("decisions", "Asked `Which dates?`, the user chose: `ISO only`", DECIDED),
            (
                "lessons",
                "After the error `just: command not found` this passed: `cargo fmt` (`use cargo`)",
                SEEN,
            ),
            (
                "lessons",
                "After the error `call t.Parallel` the agent: `But it can't because of t.Chdir.`",
                SEEN,
            ),
            (
                "decisions",
                "The user: `Do not type the name` (the agent had said: `The plan: 1a · 6…`)",
                DECIDED,
            ),
            ("decisions", "The agent: `Made it reject long rows instead of cutting them.`", ""),
            ("decisions", "The user: `no, don't do it, let's see if it keeps happening`", ""),
            (
                "decisions",
                "Asked `Vocabulary: rows are called by…`, the user: `yes`",
                "",
            ),
            (
                "decisions",
                "Asked `Drop the old parser? It would need…`, the user: `yes`",
                DECIDED,
            ),
            ("decisions", "The user: `can we use the old node instead`", ""),
            ("decisions", "Asked `Do these seams look right?`, the user chose: `All`", ""),
        ],
    )
    def test_rules_are_what_holds_from_now_on(self, field: str, line: str, section: str) -> None:
        found = kept(held(1, context=PROVED, **{field: [line]}))  # type: ignore[arg-type]
        assert found == ([(section, line)] if section else [])

    @pytest.mark.parametrize(
        ("asked", "is_rule"),
        [
            ("use bun not npm", True),
            ("Never push to this remote.", True),
            ("we always write tests first", True),
            ("use the old window, not this", False),
            ("never mind the dates", False),
            ("make the button blue", False),
        ],
    )
    def test_a_request_that_lays_down_how_to_work_is_a_rule(
        self, asked: str, is_rule: bool
    ) -> None:
        line = f"The user: `{asked}` → the agent: `Removed the lock file of the other one.`"
        rule = (RULES, f"Laid down by the user: `{asked}`")
        assert (rule in kept(held(1, context=PROVED, exchanges=(line,)))) is is_rule
        # Where the entry says so, it is not told again.
        corrected = f"Corrected by the user: `{asked}`"
        assert rule not in kept(held(1, exchanges=(line,), lessons=[corrected]))

    def test_a_cause_is_told_with_what_was_done_about_it(self) -> None:
        cause = (
            "The agent: `Rows come twice because the query never filters by user_id in load_rows.`"
        )
        done = "The user: `do it` → the agent: `The query in load_rows now filters by user_id.`"
        found = kept(held(1, context=PROVED, lessons=[cause], exchanges=(done,)))
        assert found == [(SEEN, f"{cause}; then: `The query in load_rows now filters by user_id.`")]
        other = done.replace("load_rows", "the list").replace("user_id", "dates")
        assert kept(held(1, context=PROVED, lessons=[cause], exchanges=(other,))) == [(SEEN, cause)]

    def test_an_objection_with_a_reason_is_told_with_what_came_of_it(self) -> None:
        before = "On that the agent: `The table is in both migrations.` (the user objected next)"
        then = "The user: `why is the table made twice, both always run` → the agent: `{}`"
        made = then.format("The table is now made once.")
        (found,) = kept(held(1, exchanges=(before, made)))
        assert found[1] == (
            "Corrected by the user: `why is the table made twice, both always run`; "
            "then the agent: `The table is now made once.`"
        )
        # What was done about it later in the session stands instead.
        more = "and: `The table is now made by one migration alone, once.`"
        assert kept(held(1, exchanges=(before, made, more))) != []
        told = then.format("The table of foreign banks is now made once.")
        later = "The agent: `Tables of foreign banks: the table is asked for first.`"
        assert kept(held(1, exchanges=(before, told, later))) == []
        # What speaks of something else is no answer to it, and who defends it heeds nobody.
        for reply in ("Typecheck now found a hole.", "Since a table is wiped now, it is simple."):
            assert kept(held(1, exchanges=(before, then.format(reply)))) == []


CITED = "[2026-01-01 10:00 a](../daily/2026-01-01.md)"


def test_rules_lead_then_what_holds_causes_decisions_and_the_last_sessions() -> None:
    orders = (
        (SEEN, LATEST, RULES, HOLDS, DECIDED),
        (HOLDS, LATEST, DECIDED, SEEN, RULES),
        (RULES, HOLDS, SEEN, LATEST),
    )
    for order in orders:
        text = new_article("app")
        for section in order:
            line = Lesson(section, f"of {section}", CITED)
            if section in (HOLDS, LATEST):
                text = with_holds(text, [line], [[CITED]], lambda _: True, section)
            else:
                text = written_into(text, [line])
        places = [text.index(f"## {section}") for section in ORDER if section in order]
        assert places == sorted(places)
        # A section that has nothing any more goes with its heading.
        assert f"## {LATEST}" not in with_holds(text, [], [], lambda _: True, LATEST)


def test_cures_of_one_error_that_share_a_way_are_one_line() -> None:
    error = "After the error `E ModuleNotFoundError: No module named 'app.load'` this passed: "
    first = f"{error}`cd /private/var/t-1/api && PYTHONPATH=src pytest` (`set PYTHONPATH, -q`)"
    second = f"{error}`cd api && PYTHONPATH=src pytest` (`set PYTHONPATH`)"
    text = written_into(new_article("app"), [Lesson(SEEN, first, CITED)])
    text = written_into(text, [Lesson(SEEN, second, CITED.replace("10:00", "11:00"))])
    # The words that anybody can type stay.
    assert text.count("After the error") == 1
    assert f"- {second} ({CITED}, " in text
    other = second.replace("set PYTHONPATH", "run it in api")
    assert written_into(text, [Lesson(SEEN, other, CITED)]).count("After the error") == 2


def test_a_line_that_stands_in_another_section_is_not_repeated() -> None:
    cited = "[2026-01-01 10:00 a](../daily/2026-01-01.md)"
    text = written_into(new_article("app"), [Lesson(SEEN, "use uv, not pip", cited)])
    again = written_into(text, [Lesson(RULES, "use uv, not pip", cited)])
    assert again.count("use uv") == 1


def test_ids_that_begin_alike_are_told_apart() -> None:
    assert short_id_of("ses_21fd32c67ffe") == "ses_21fd32c6"
    assert short_id_of("5b0c1f2e-9a7d-4c31-8000-000000000000") == "5b0c1f2e"
    assert short_id_of("019ffa5e-31f0-7ef0-97d3-03f3eee38755") == "019ffa5e-31f0"
    assert "/" not in short_id_of("a/b_c")
