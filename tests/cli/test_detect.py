"""`helix detect` as scripts and people use it."""

from __future__ import annotations

import re

import pytest

from helix_tui.text.times import iso
from tests.agents import FLAVORS, ClaudeStory, Story, story, work
from tests.claude_log import ClaudeLog
from tests.cli.terminal import through_terminal
from tests.conftest import Workbench

NAMES = [
    "id",
    "kind",
    "signal",
    "class",
    "subject",
    "title",
    "frequency",
    "sessions",
    "repos",
    "flavors",
    "rates",
    "cross_flavor",
    "cross_flavor_firm",
    "cost_impact",
    "score",
    "score_parts",
    "first_seen",
    "last_seen",
    "trend",
    "state",
    "verdict",
    "notes",
    "remedy",
    "evidence",
    "members",
]
HOSTILE = "\x1b]0;title\x07\x1b[31mred\x9b2J \u202eabc [red]x[/red] [/nope]"
SECRET = "ghp_" + "a1B2c3D4e5" * 4
DAY = 86_400


def miss(log: Story, program: str) -> None:
    """Something is missing, and it takes a while to do without it."""
    log.run(f"{program} .name package.json", f"bash: line 1: {program}: command not found", 127)
    log.run("cat package.json", '{"name": "app"}\n' * 40, takes=20)


@pytest.fixture
def recurring(bench: Workbench) -> Workbench:
    """`jq` is missing for three agents, `rg` for one in another repository; one session is none."""
    for number, flavor in enumerate(FLAVORS * 2, 1):
        log = story(flavor, number, start=number * DAY)
        work(log)
        miss(log, "jq")
        miss(log, "jq")
        log.save(bench.home)
    for number in (11, 12, 13):
        log = story("claude", number, repo="web", start=number * DAY)
        work(log)
        miss(log, "rg")
        log.save(bench.home)
    for number in (21, 22):
        log = story("grok", number, start=number * DAY)
        work(log)
        miss(log, "fd")
        log.save(bench.home)
    hello = ClaudeStory(session="hello")
    hello.ask("hello")
    hello.say("Hi!")
    hello.save(bench.home)
    bench.sweep()
    return bench


class TestJson:
    """What scripts see."""

    def test_names_and_order(self, recurring: Workbench) -> None:
        shown = recurring.helix("detect", "--json").json
        assert shown["schema"] == "helix.detect/1"
        found = shown["candidates"]
        assert all(set(NAMES) <= one.keys() for one in found)
        problems = [one for one in found if one["kind"] == "problem"]
        assert [one["subject"] for one in problems] == ["jq", "rg", "fd"]
        assert {one["class"] for one in problems} == {"command_not_found"}
        scores = [one["score"] for one in found if not one["cross_flavor"]]
        assert scores == sorted(scores, reverse=True)

    def test_one_candidate_in_full(self, recurring: Workbench) -> None:
        one = recurring.helix("detect", "--json").json["candidates"][0]
        assert (one["kind"], one["signal"]) == ("problem", "env_missing")
        assert one["title"] == "`jq` is not installed in app"
        assert (one["frequency"], one["sessions"], len(one["members"])) == (12, 6, 6)
        assert (one["cross_flavor"], one["cross_flavor_firm"]) == (True, True)
        assert one["rates"] == {
            "claude": {"with": 2, "eligible": 5, "opportunities": 5},
            "codex": {"with": 2, "eligible": 2, "opportunities": 2},
            "grok": {"with": 2, "eligible": 4, "opportunities": 4},
        }
        assert one["repos"] == ["app"]
        assert (one["verdict"], one["notes"], one["state"]) == ("open", [], "quiet")
        assert one["cost_impact"] > 0
        parts = one["score_parts"]
        assert one["score"] == pytest.approx(100 * parts["rate_low"] * parts["waste"], abs=0.01)
        assert one["first_seen"] < one["last_seen"]
        assert sum(one["trend"]) == 6

    def test_evidence_can_be_looked_up(self, recurring: Workbench) -> None:
        one = recurring.helix("detect", "--json").json["candidates"][0]
        assert len(one["evidence"]) == 6
        for cited in one["evidence"]:
            assert cited.keys() >= {"session", "fingerprint", "ts", "excerpt"}
            assert "jq: command not found" in cited["excerpt"]
            assert len(cited["excerpt"]) <= 2048
            events = recurring.events(cited["session"])
            assert cited["fingerprint"] in {event.fingerprint for event in events}

    def test_a_digest_names_the_fields_of_all_that_is_in_it(self, recurring: Workbench) -> None:
        name = recurring.helix("detect", "--json").json["candidates"][0]["members"][0]
        digest = recurring.helix("show", name, "--json").json["digest"]
        (group,) = digest["groups"].values()
        assert (group["line"], group["count"]) == ("bash: line 1: jq: command not found", 2)
        times = {event.fingerprint: iso(event.ts) for event in recurring.events(name)}
        cited = [*digest["errors"], *digest["recoveries"]]
        assert digest["errors"]
        assert all(one["ts"] == times[one["fingerprint"]] for one in cited)

    def test_the_same_every_time(self, recurring: Workbench) -> None:
        first = recurring.helix("detect", "--json", "--all").out
        recurring.sweep()
        assert recurring.helix("detect", "--json", "--all").out == first


class TestChoosing:
    """Filters choose what is listed, and never what is counted."""

    @pytest.mark.parametrize(
        ("arguments", "subjects"),
        [
            (["--flavor", "codex"], ["jq"]),
            (["--flavor", "claude"], ["jq", "rg"]),
            (["--repo", "web"], ["rg"]),
            (["--repo", "nowhere"], []),
            (["--since", "2026-02-10"], ["rg", "fd"]),
            (["--flavor", "grok"], ["jq", "fd"]),
            (["--flavor", "grok", "--min-frequency", "3"], ["jq"]),
            (["--min-frequency", "4"], ["jq"]),
            (["--all", "--flavor", "grok"], ["jq", "fd"]),
            (["--all", "--min-frequency", "3"], ["jq", "rg"]),
        ],
    )
    def test_each(self, recurring: Workbench, arguments: list[str], subjects: list[str]) -> None:
        everything = recurring.helix("detect", "--json", "--all").json["candidates"]
        whole = {one["id"]: one for one in everything}
        found = recurring.helix("detect", "--json", *arguments).json["candidates"]
        errors = [one for one in found if one["signal"] == "env_missing"]
        assert [one["subject"] for one in errors] == subjects
        assert all(one == whole[one["id"]] for one in found)

    def test_the_floor_is_in_the_configuration(self, recurring: Workbench) -> None:
        recurring.config = recurring.home / "config.toml"
        recurring.config.write_text("[detect]\nmin_sessions = 6\n")
        shown = recurring.helix("detect", "--json", "--config", str(recurring.config)).json
        assert {one["subject"] for one in shown["candidates"]} == {"jq"}

    def test_wrong_usage(self, recurring: Workbench) -> None:
        assert recurring.helix("detect", "--since", "soon", check=False).code == 2
        assert recurring.helix("detect", "--min-frequency", "-1", check=False).code == 2


class TestWhy:
    """One candidate and all that stands behind it."""

    def test_by_id_and_by_its_beginning(self, recurring: Workbench) -> None:
        name = recurring.helix("detect", "--json").json["candidates"][0]["id"]
        for given in (name, name[:-4]):
            shown = recurring.helix("detect", "--why", given, "--json").json
            assert [one["id"] for one in shown["candidates"]] == [name]
            assert len(shown["behind"]) == 6
        out = recurring.helix("detect", "--why", name).out
        for words in (name, "`jq` is not installed in app", "score", "codex: 2 of 2", "by week"):
            assert words in out

    def test_also_below_the_floor(self, recurring: Workbench) -> None:
        found = recurring.helix("detect", "--all", "--json").json["candidates"]
        name = next(one["id"] for one in found if one["subject"] == "fd")
        assert name in recurring.helix("detect", "--why", name).out

    @pytest.mark.parametrize("name", ["nothing", "", "../../etc/passwd", "command-not-found-"])
    def test_unknown_and_ambiguous_ids(self, recurring: Workbench, name: str) -> None:
        ran = recurring.helix("detect", "--why", name, check=False)
        assert (ran.code, ran.out) == (66, "")
        assert "Traceback" not in ran.err


class TestDropped:
    """What does not count, and why."""

    def test_it_says_the_rule(self, recurring: Workbench) -> None:
        (one,) = recurring.helix("detect", "--dropped", "--json").json["dropped"]
        assert (one["session"], one["gate"]) == ("claude:hello", "few_events")
        out = recurring.helix("detect", "--dropped").out
        assert "few_events" in out
        assert "1 session dropped" in out

    @pytest.mark.parametrize(
        ("arguments", "count"),
        [
            (["--flavor", "claude", "--repo", "app"], 1),
            (["--flavor", ""], 1),
            (["--flavor", "codex"], 0),
            (["--repo", "web"], 0),
            (["--since", "2030-01-01"], 0),
        ],
    )
    def test_filters_hold_here_too(
        self, recurring: Workbench, arguments: list[str], count: int
    ) -> None:
        shown = recurring.helix("detect", "--dropped", "--json", *arguments).json
        assert len(shown["dropped"]) == count

    def test_it_is_no_question_about_a_candidate(self, recurring: Workbench) -> None:
        assert recurring.helix("detect", "--dropped", "--why", "x", check=False).code == 2

    def test_sessions_say_it_too(self, recurring: Workbench) -> None:
        listed = recurring.helix("sessions", "--json").json["sessions"]
        gates = {one["id"]: one["gate"] for one in listed}
        assert gates.pop("claude:hello") == "few_events"
        assert set(gates.values()) == {None}
        shown = recurring.helix("show", "claude:hello", "--json").json["session"]
        assert shown["gate"] == "few_events"


class TestTable:
    """What people see."""

    @pytest.mark.parametrize("width", [80, 120])
    def test_it_fits(self, recurring: Workbench, width: int) -> None:
        recurring.variables["COLUMNS"] = str(width)
        shown = through_terminal(recurring, ["detect"]).decode()
        lines = re.sub(r"\x1b\[[0-9;]*m", "", shown).splitlines()
        assert max(map(len, lines)) <= width
        rows = [line for line in lines if re.search(r" (fix|know) ", line)]
        assert len(rows) == 3
        assert "XX" in rows[0]
        assert any(" sessions" in line for line in lines)

    def test_why_breaks_no_word(self, recurring: Workbench) -> None:
        recurring.variables["COLUMNS"] = "80"
        shown = through_terminal(recurring, ["detect", "--why", "command-not-found-jq"]).decode()
        lines = re.sub(r"\x1b\[[0-9;]*m", "", shown).splitlines()
        assert max(map(len, lines)) <= 80
        assert "eligible sessions" in " ".join(shown.split())

    def test_nothing_recurs(self, bench: Workbench) -> None:
        log = ClaudeLog()
        log.prompt()
        log.write(bench.home)
        bench.sweep()
        assert bench.helix("detect", "--json").json["candidates"] == []
        assert "Nothing recurs" in bench.helix("detect").out
        assert "fewer filters" in bench.helix("detect", "--flavor", "codex").out
        assert bench.helix("detect", "--all").out == "Nothing was found.\n"

    def test_an_empty_store(self, bench: Workbench) -> None:
        bench.sweep()
        assert bench.helix("detect", "--json").json["candidates"] == []
        assert bench.helix("detect", "--dropped", "--json").json["dropped"] == []
        assert bench.helix("detect", "--why", "x", check=False).code == 66

    @pytest.mark.parametrize("arguments", [[], ["--json"], ["--dropped"], ["--why", "x"]])
    def test_no_store(self, bench: Workbench, arguments: list[str]) -> None:
        ran = bench.helix("detect", *arguments, check=False)
        assert (ran.code, ran.out) == (74, "")
        assert "helix --sweep" in ran.err
        assert not bench.store.exists()


class TestForeignText:
    """What logs say steers no terminal and tells no secret."""

    @pytest.fixture
    def hostile(self, bench: Workbench) -> Workbench:
        for number in (1, 2, 3):
            log = ClaudeStory(session=f"s{number}", start=number * DAY)
            work(log)
            log.run(f"./ship {HOSTILE}", f"{HOSTILE} cannot ship the cargo {SECRET}", 3)
            log.run("./look", "x" * 4000, takes=30)
            log.ask(f"no, don't commit {HOSTILE} {SECRET}")
            log.save(bench.home)
        bench.sweep()
        return bench

    def test_screens_are_safe(self, hostile: Workbench) -> None:
        found = hostile.helix("detect", "--json").json["candidates"]
        outputs = [hostile.helix("detect", COLUMNS="200").out]
        outputs += [hostile.helix("detect", "--why", one["id"]).out for one in found]
        assert len(found) >= 2
        for out in outputs:
            assert not set(out) & set("\x1b\x07\x9b\u202e")
            assert SECRET not in out
        # Markup is text like any other.
        assert any("[red]x[/red]" in out for out in outputs)

    def test_no_secret_is_in_what_scripts_see(self, hostile: Workbench) -> None:
        out = hostile.helix("detect", "--all", "--json").out
        assert SECRET not in out
        assert SECRET[8:] not in out


class TestCounting:
    """Sessions are counted once, whatever they are copied or parted into."""

    def test_copies_of_one_session_are_one(self, bench: Workbench) -> None:
        log = ClaudeStory()
        work(log)
        miss(log, "jq")
        log.save(bench.home)
        for name in ("fork-1", "fork-2", "fork-3"):
            for record in log.records:
                record["sessionId"] = name
            log.write(bench.home, name=name)
        bench.sweep()
        assert bench.helix("detect", "--all", "--json").json["candidates"] == []
        (one,) = bench.helix("detect", "--why", "command-not-found-jq", "--json").json["candidates"]
        assert one["sessions"] == 1

    def test_copies_of_one_with_very_many_errors_are_one(self, bench: Workbench) -> None:
        log = ClaudeStory()
        work(log)
        for program in [f"tool{name}" for name in "abcdefghijkl"] * 4:
            miss(log, program)
        miss(log, "jq")
        log.save(bench.home)
        for record in log.records:
            record["sessionId"] = "fork"
        log.write(bench.home, name="fork")
        bench.sweep()
        (one,) = bench.helix("detect", "--why", "command-not-found-jq", "--json").json["candidates"]
        assert one["sessions"] == 1
        (cited,) = one["evidence"]
        assert cited["excerpt"].endswith("jq: command not found")
        times = {event.fingerprint: iso(event.ts) for event in bench.events(cited["session"])}
        assert times[cited["fingerprint"]] == cited["ts"]

    def test_sub_agents_count_as_their_parent(self, bench: Workbench) -> None:
        log = ClaudeStory()
        work(log)
        log.save(bench.home)
        for name in ("abc", "def", "fed"):
            agent = ClaudeStory(agent=name)
            work(agent)
            miss(agent, "jq")
            agent.save(bench.home)
        bench.sweep()
        (one,) = bench.helix("detect", "--why", "command-not-found-jq", "--json").json["candidates"]
        assert (one["sessions"], one["frequency"]) == (1, 3)
        assert one["members"] == [f"claude:{log.session}"]
        assert one["rates"] == {"claude": {"with": 1, "eligible": 1, "opportunities": 1}}

    def test_what_is_forgotten_is_gone(self, recurring: Workbench) -> None:
        one = recurring.helix("detect", "--json").json["candidates"][0]
        gone = one["members"][0]
        recurring.helix("forget", gone)
        found = recurring.helix("detect", "--json")
        assert gone not in found.out
        assert found.json["candidates"][0]["sessions"] == 5

    def test_left_in_an_error_unless_somebody_went_on(self, bench: Workbench) -> None:
        for number in (1, 2, 3):
            log = story("claude", number, repo=f"app{number}", start=number * DAY)
            work(log)
            log.ask("and now the plan")
            log.run("terraform plan", "Error: Unsupported argument", 1)
            log.save(bench.home)

        def left() -> list[int]:
            bench.sweep()
            found = bench.helix("detect", "--all", "--json").json["candidates"]
            return [one["sessions"] for one in found if one["signal"] == "abandoned"]

        assert left() == [3]
        later = story("codex", 9, repo="app2", start=9 * DAY)
        work(later)
        later.save(bench.home)
        assert left() == [2]
