"""`helix report` on a home of our own."""

from __future__ import annotations

from helix_tui.sample.loop import TAUGHT
from tests.claude_log import ClaudeLog, usage
from tests.conftest import Workbench

# In the form of an agent's key, and nobody's.
SECRET = "sk-ant-api03-" + "A1b2C3d4" * 11 + "AA"


def made(bench: Workbench, title: str = "mend the parser") -> None:
    log = ClaudeLog(session="a")
    log.prompt(title)
    log.reply(message="m", model="claude-opus-4-5", usage=usage(fresh=1000, out=500))
    log.write(bench.home)
    bench.sweep()


class TestReport:
    """The same figures in four forms."""

    def test_json_has_every_list(self, bench: Workbench) -> None:
        made(bench)
        report = bench.helix("report", "--format", "json").json
        assert report["schema"] == "helix.report/1"
        tables = "weeks repos agents models outcomes checks corrections waste sessions taught"
        for table in tables.split():
            assert all("key" in row for row in report[table])
        assert report == bench.helix("report", "--json").json
        assert report["sessions"][0]["title"] == "mend the parser"

    def test_text_names_what_it_is_of(self, bench: Workbench) -> None:
        made(bench)
        out = bench.helix("report").out
        assert "1 session," in out
        assert "mend the parser" in out
        assert "No pattern was approved" in out

    def test_an_approved_pattern_is_taught(self, demo: Workbench) -> None:
        demo.helix("approve", "push-rejected", "--yes")
        *before, taught = demo.helix("report", "--json").json["taught"]
        assert {one["key"] for one in before} == {one.candidate for one in TAUGHT}
        assert taught["key"].startswith("push-rejected")
        assert demo.helix("report", "--json", "--until", "2020-01-01").json["taught"] == []

    def test_evidence_only_where_it_is_asked_for(self, demo: Workbench) -> None:
        plain = demo.helix("report", "--json").json["waste"]
        quoted = demo.helix("report", "--json", "--evidence").json["waste"]
        assert {row["excerpt"] for row in plain} == {None}
        assert any(row["excerpt"] for row in quoted)

    def test_secrets_stay_at_home(self, bench: Workbench) -> None:
        made(bench, f"use {SECRET} for the parser")
        for form in ("text", "md", "html", "json"):
            assert SECRET not in bench.helix("report", "--format", form).out

    def test_an_unknown_form_is_wrong_usage(self, bench: Workbench) -> None:
        made(bench)
        assert bench.helix("report", "--format", "pdf", check=False).code == 2

    def test_without_a_store_it_says_what_to_do(self, bench: Workbench) -> None:
        done = bench.helix("report", check=False)
        assert (done.code, "helix --sweep" in done.err) == (74, True)
