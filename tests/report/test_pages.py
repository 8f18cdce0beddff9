"""A report as a page: complete, harmless, nothing loaded from elsewhere."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest

from helix_tui.report.layout import plots, sections
from helix_tui.report.markdown import markdown
from helix_tui.report.page import html_page
from helix_tui.report.tables import report_of
from helix_tui.schema.report import Report
from tests.report.made import MONDAY, gathered, session, spent

HOSTILE = '<img src=x onerror=alert(1)>|`a`\x1b[31m"><script src="//x.y/z"></script>'
NOW = "2026-11-18 10:00 UTC"


class Loads(HTMLParser):
    """Everything in a page that a browser would fetch or run."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.tags: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        if tag in ("script", "link", "img", "iframe", "object", "embed", "base", "form", "a"):
            self.found.append(tag)
        self.found += [
            name
            for name, _ in attrs
            if name in ("src", "href", "style", "srcset") or name.startswith("on")
        ]


@pytest.fixture
def report() -> Report:
    sessions = [session("a", title=HOSTILE, repo="a|b"), session("b", MONDAY + 21)]
    return report_of(gathered(sessions, [spent("a", 1), spent("b", 2, MONDAY + 21)]))


class TestHtml:
    """One file, plots inside."""

    def test_loads_and_runs_nothing(self, report: Report) -> None:
        page = html_page(report, NOW)
        loads = Loads()
        loads.feed(page)
        assert loads.found == []
        assert "svg" in loads.tags
        assert "default-src 'none'" in page
        assert not re.search(r"url\(|@import|https?://(?!www\.w3\.org/2000/svg)", page)

    def test_words_of_a_log_are_text(self, report: Report) -> None:
        page = html_page(report, NOW)
        assert "&lt;img src=x onerror=alert(1)&gt;" in page
        assert "\x1b" not in page

    def test_every_section_is_there(self, report: Report) -> None:
        page = html_page(report, NOW)
        names = [section.name for section in sections(report)]
        assert " ".join(names) == (
            "weeks repos agents models outcomes checks corrections waste sessions taught"
        )
        assert all(f'<h2 id="{name}">' in page for name in names)

    def test_weeks_without_work_are_in_the_plot(self, report: Report) -> None:
        (_, money), (_, tokens) = plots(report)
        assert [bar.value for bar in money] == [1.0, 0.0, 0.0, 2.0]
        assert [bar.label for bar in tokens][1] == "2025-11-24"

    def test_a_clock_of_1970_makes_no_plot_of_fifty_years(self) -> None:
        sessions = [session("old", 0), session("a"), session("b", MONDAY + 7)]
        made = report_of(gathered(sessions, [spent("a", 1), spent("b", 1, MONDAY + 7)]))
        assert len(plots(made)[0][1]) == 2
        assert made.first_day == MONDAY

    def test_nothing_at_all_is_a_page(self) -> None:
        page = html_page(report_of(gathered([], [])), NOW)
        assert "no session" in page
        assert "Nothing." in page


class TestMarkdown:
    """For a wiki or an issue."""

    def test_no_word_of_a_log_is_markup(self, report: Report) -> None:
        page = markdown(report, NOW)
        (line,) = [line for line in page.splitlines() if "onerror" in line]
        assert r"\<img src=x onerror=alert(1)\>\|\`a\`" in line
        assert len(re.findall(r"(?<!\\)\|", line)) == 7

    def test_a_table_a_section(self, report: Report) -> None:
        page = markdown(report, NOW)
        assert page.count("\n## ") == len(sections(report))
        assert "| 2025-11-17 | 1 | 100 | 0 | $1.00 | 33% |" in page
