"""The tier of an error follows from what its evidence gives somebody to do."""

from __future__ import annotations

from typing import Any

import msgspec

from helix_tui.detect.group import group
from helix_tui.detect.keys import bucket
from helix_tui.detect.rank import brief_of
from helix_tui.schema.candidate import Candidate, Sighting
from helix_tui.schema.signal import Followed, Signal, SignalName
from helix_tui.text.signature.signature import classify
from tests.detect.made import DAY, NOW, missing, session, sightings, signal


def grouped(*shapes: str) -> Candidate:
    """Commands that timed out, each in a conversation of its own."""
    failed = (
        signal("tool_error", number, error_class="timeout", shape=shape)
        for number, shape in enumerate(shapes, 1)
    )
    (found,) = group(sightings(*failed), lambda _: True)
    return found


def test_different_commands_that_fail_alike_are_no_finding() -> None:
    found = grouped("git push", "grep -R")
    assert (found.tier, found.tier_reason) == (
        "rest",
        "different commands share only the kind of failure",
    )
    assert "git push" not in found.title
    assert "grep" not in found.title


def test_one_command_that_fails_in_two_conversations_is_known() -> None:
    found = grouped("git push", "git push", "grep -R")
    assert found.tier == "know"
    assert "`git push`" in found.title


def test_a_subject_says_what_different_commands_have_in_common() -> None:
    some = (missing(1, shape="jq"), missing(2, shape="bash build.sh"))
    (found,) = group(sightings(*some), lambda _: True)
    assert found.tier == "know"


def test_one_program_of_one_repository_is_a_common_action() -> None:
    found = grouped("gh pr view --repo", "gh api graphql")
    assert found.tier == "know"
    assert found.title == "`gh api graphql`, `gh pr view` in app: command timed out"


def test_what_a_sandbox_refuses_is_one_cause_whatever_meets_it() -> None:
    some = [
        signal("tool_error", n, error_class="host_unresolved", shape=shape)
        for n, shape in enumerate(("git fetch --all", "curl {url}"), 1)
    ]
    (found,) = group(sightings(*some), lambda _: True)
    assert found.tier == "know"
    assert "`curl`, `git fetch`" in found.title


def test_what_lies_in_how_a_repository_is_run_is_told_apart_by_repository() -> None:
    runs = (("app", "pnpm run test -- --filter"), ("app", "pnpm run test"), ("web", "pytest -m"))
    some = [
        Sighting(session(n, repo=repo), [signal(number=n, error_class="no_tests_found", shape=run)])
        for n, (repo, run) in enumerate(runs, 1)
    ]
    specific, rest = sorted(group(some, lambda _: True), key=lambda one: -len(one.members))
    assert (len(specific.members), specific.scope, specific.tier) == (2, "repo", "know")
    assert "`pnpm run test`" in specific.title or "in app" in specific.title
    assert (len(rest.members), rest.is_remainder) == (1, True)
    assert group(reversed(some), lambda _: True) == group(some, lambda _: True)


def test_a_check_that_says_nothing_of_its_own_is_a_figure() -> None:
    known: dict[str, Any] = {"check": "test", "step": "pytest", "shape": "pytest"}
    some = [signal(number=n, template="assert <quoted> in <quoted>", **known) for n in (1, 2)]
    assert group(sightings(*some), lambda _: True) == []
    telling = [signal(number=n, template="event loop is closed", **known) for n in (1, 2)]
    assert len(group(sightings(*telling), lambda _: True)) == 1


def overcome(verb: str, change: str, **known: Any) -> Candidate:
    """The same failure in two conversations, overcome by the same change."""
    several = [
        Sighting(
            session(n),
            [signal(number=n, **known), signal("recovery", n, verb=verb, change=change, **known)],
        )
        for n in (1, 2)
    ]
    (found,) = group(several, lambda _: True)
    return found


def test_what_a_tool_asks_for_itself_needs_no_line_however_often_it_comes() -> None:
    found = overcome("read the file again", "read first", error_class="edit_no_match", chars=9000)
    assert found.cure is not None
    assert (found.tier, brief_of(found).is_sure_fix) == ("rest", False)
    assert found.tier_reason.endswith("the tool itself says so when it refuses")


def test_what_a_quick_next_call_makes_up_for_is_no_finding_unless_it_comes_again() -> None:
    def tier(*counts: int, **known: Any) -> tuple[str, str]:
        some = [
            signal(
                "edit_mismatch", n, **{"tool_class": "edit", "count": count, "chars": 2000 * count}
            )
            for n, count in enumerate(counts, 1)
        ]
        some = [msgspec.structs.replace(one, error_class="invalid_patch", **known) for one in some]
        (found,) = group(sightings(*some), lambda _: True)
        return found.tier, found.tier_reason

    assert tier(3, 1, 1)[0] == "rest"
    assert "a quick next call" in tier(1, 1)[1]
    assert tier(3, 2, 1)[0] == "know"
    assert tier(1, 1, 1, chars=5000)[0] == "know"


def test_a_file_that_was_never_read_is_not_read_again() -> None:
    found = overcome("read the file again", "read first", error_class="file_not_read", chars=9000)
    assert found.cure is not None
    assert found.cure.text.startswith("read the file first")
    assert "never read, or lost since" in found.title


def test_a_fix_of_one_repository_counts_in_full() -> None:
    found = overcome("set TZ", "+env TZ", error_class="timeout", shape="pytest")
    brief = brief_of(found)
    assert (found.tier, brief.is_sure_fix, brief.counted_sessions) == ("fix", True, 2.0)


def test_a_service_that_was_away_for_an_hour_is_no_finding() -> None:
    def tier(*days: float, **fields: str) -> str:
        some = [
            signal(
                number=n,
                error_class=fields.get("error_class", "connection_timed_out"),
                subject=fields.get("subject", ""),
                shape="git push",
                first_ts=NOW + round(day * DAY),
                last_ts=NOW + round(day * DAY) + 1,
            )
            for n, day in enumerate(days, 1)
        ]
        (found,) = group(sightings(*some), lambda _: True)
        return found.tier

    assert tier(0, 0, 0) == "rest"
    assert tier(0, 0, 5) == "know"
    # However many meet it at one time, that was one outage; all day long it is more than that.
    assert tier(*[0] * 9) == "rest"
    assert tier(0, 0.1, 0.2, 0.3, 0.4) == "know"
    assert tier(0, 0.1, 0.2) == "rest"
    assert tier(0, 0, 0, error_class="http_error", subject="503") == "rest"
    assert tier(0, 0, 0, error_class="http_error", subject="404") == "know"


def test_what_a_formatter_asks_for_anywhere_needs_no_line() -> None:
    def tier(*repos: str) -> str:
        some = [
            Sighting(session(n, repo=repo), [missed(n), missed(n, "recovery")])
            for n, repo in enumerate(repos, 1)
        ]
        (found,) = group(some, lambda _: True)
        return found.tier

    def missed(number: int, name: SignalName = "tool_error") -> Signal:
        change = {"verb": "format", "change": "before: format", "text": "$ fmt"}
        known = {
            "error_class": "not_formatted",
            "shape": "oxfmt --check",
            "failed": "$ oxfmt",
            "chars": 9000,
        }
        return signal(name, number, **known, **(change if name == "recovery" else {}))

    assert tier("app", "app") == "fix"
    assert tier("app", "web") == "rest"


def test_paths_with_brackets_are_apart_from_patterns_that_match_nothing() -> None:
    def refused(number: int, word: str) -> Signal:
        text = f"zsh:1: no matches found: {word}"
        error_class, subject = classify(text, "shell", 1, f"cat {word}")
        return signal(
            number=number, error_class=error_class, subject=subject, text=text, shape="cat {file}"
        )

    path = [refused(n, f"app/[id]/{n}.tsx") for n in (1, 2)]
    probe = [refused(n, f"*.bak{n}") for n in (3, 4)]
    assert {bucket(one) for one in path}.isdisjoint(bucket(one) for one in probe)
    (named,) = group(sightings(*path), lambda _: True)
    assert named.title.endswith("a path or name with `[ ]` is read as a pattern of the shell")
    assert named.tier == "know"
    (looked,) = group(sightings(*probe), lambda _: True)
    assert looked.tier == "rest"


def test_a_way_that_one_conversation_showed_is_to_be_tried() -> None:
    def failed(number: int, name: SignalName = "tool_error", **fields: Any) -> Signal:
        known = {
            "error_class": "env_var_missing",
            "subject": "DB_NAME",
            "shape": "mix ecto.migrate",
        }
        return signal(name, number, **{**known, **fields})

    past = failed(
        2,
        "recovery",
        verb="set DB_NAME",
        change="+env DB_NAME",
        failed="$ mix ecto.migrate",
        passed="$ DB_NAME=dev mix ecto.migrate",
    )
    (found,) = group(
        [Sighting(session(1), [failed(1)]), Sighting(session(2), [failed(2), past])],
        lambda _: True,
    )
    assert (found.tier, found.cure) == ("fix", None)
    assert found.tier_reason == "seen to work in one conversation: set DB_NAME"
    kept = msgspec.structs.replace(past, again=2)
    (found,) = group(
        [Sighting(session(1), [failed(1)]), Sighting(session(2), [failed(2), kept])],
        lambda _: True,
    )
    assert found.tier_reason.startswith("one conversation kept to it")


def test_what_comes_behind_the_error_of_another_script_each_time_follows_from_it() -> None:
    def tier(*behind: str) -> tuple[str, str]:
        some = [
            signal(number=n, template="no such branch", shape="check.sh", behind=before)
            for n, before in enumerate(behind, 1)
        ]
        (found,) = group(sightings(*some), lambda _: True)
        return found.tier, found.behind

    made = "make-branch.sh: bad number"
    assert tier(made, made) == ("rest", "make-branch.sh")
    assert tier(made, "") == ("know", "")
    assert tier(made, "other.sh: boom") == ("know", "")


def test_a_cause_names_what_comes_behind_it_in_every_conversation() -> None:
    past = Followed("check.sh", "no branch", "no branch", "set NAME", "$ NAME=a check.sh", 2)
    bare = Followed("check.sh", "no branch", "no branch")
    other = Followed("lint.py", "boom", "boom")
    some = [
        signal(number=1, template="bad number", shape="make.sh", follows=[bare, other]),
        signal(number=2, template="bad number", shape="make.sh", follows=[past]),
    ]
    (found,) = group(sightings(*some), lambda _: True)
    assert found.follows == [past]


def test_a_session_has_a_day_where_its_events_have_none() -> None:
    undated = [missing(n, first_ts=None, last_ts=None) for n in (1, 2)]
    (found,) = group(sightings(*undated), lambda _: True)
    assert all(member.last_ts for member in found.members.values())


def test_a_way_behind_which_nothing_passed_tells_nothing_of_one_evening() -> None:
    def met(number: int, minute: int) -> Sighting:
        at = NOW + minute * 60_000
        known: dict[str, Any] = {
            "error_class": "local_changes_overwritten",
            "shape": "git pull",
            "first_ts": at,
            "last_ts": at,
        }
        way = signal(
            "recovery", number, verb="add --autostash", change="+--autostash", is_further=True,
            failed="$ git pull", passed="$ git pull --autostash", **known,
        )  # fmt: skip
        failed = signal("tool_error", number, **known)
        return Sighting(session(number, first_ts=at, last_ts=at), [failed, way])

    (quick,) = group([met(1, 0), met(2, 15)], lambda _: True)
    assert quick.tier == "rest"
    (again,) = group([met(1, 0), met(2, 600)], lambda _: True)
    assert again.tier == "know"
