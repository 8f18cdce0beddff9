"""A bad line, file or folder costs itself: it is a problem with place and reason, seen once."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import pytest

from helix_tui.capture import tail
from helix_tui.capture.draft import UnitDraft
from tests.claude_log import ClaudeLog, as_line, moment
from tests.conftest import Workbench

SESSION = "claude:11111111-1111-4111-8111-111111111111"


def talk(*texts: str) -> list[bytes]:
    """A line for each prompt."""
    log = ClaudeLog()
    for text in texts:
        log.prompt(text)
    return log.lines()


def place(bench: Workbench, content: bytes) -> Path:
    path = bench.home / ".claude" / "projects" / "-x" / "log.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path


def prompts(bench: Workbench) -> list[str]:
    return [event.text for event in bench.events(SESSION)]


class TestBadLines:
    """Good lines before and after a bad one are kept."""

    @pytest.mark.parametrize(
        ("bad", "reason"),
        [
            (b"{not json}\n", "not JSON: Expecting property name enclosed in double quotes"),
            (b'{"type":"user","sess\n', "not JSON: Unterminated string"),
            (b"\0" * 4096 + b"\n", "4096 NUL bytes"),
            (b'"a text"\n', "not a JSON object"),
            (b"[" * 100_000 + b"\n", "JSON nested too deeply"),
            (b'{"sessionId":' + b"[" * 100_000 + b"\n", "JSON nested too deeply"),
            (b'{"uuid":' + b"9" * 5000 + b"}\n", "not JSON: unreadable number"),
        ],
    )
    def test_costs_itself(self, bench: Workbench, bad: bytes, reason: str) -> None:
        one, two = talk("one", "two")
        path = place(bench, one + bad + two)
        report = bench.sweep()
        (problem,) = report.listed_problems
        assert (problem.path, problem.offset, problem.reason) == (str(path), len(one), reason)
        assert prompts(bench) == ["one", "two"]
        again = bench.sweep()
        assert (again.new_problems, again.known_problems) == (0, 1)

    def test_record_behind_a_run_of_nuls_is_read(self, bench: Workbench) -> None:
        one, two = talk("one", "two")
        place(bench, one + b"\0" * 512 + two)
        assert bench.sweep().listed_problems[0].reason == "512 NUL bytes"
        assert prompts(bench) == ["one", "two"]

    def test_record_written_again_behind_a_torn_one_is_read(self, bench: Workbench) -> None:
        one, two = talk("one", "two")
        place(bench, one + two[:60] + two)
        assert bench.sweep().new_problems == 1
        assert prompts(bench) == ["one", "two"]

    def test_two_records_on_one_line_are_two(self, bench: Workbench) -> None:
        one, two, three = talk("one", "two", "three")
        place(bench, one.rstrip() + two + three)
        assert bench.sweep().new_problems == 0
        assert prompts(bench) == ["one", "two", "three"]

    def test_records_behind_a_torn_one_may_be_several(self, bench: Workbench) -> None:
        one, two, three = talk("one", "two", "three")
        place(bench, one + two[:60] + two.rstrip() + three)
        assert bench.sweep().new_problems == 1
        assert prompts(bench) == ["one", "two", "three"]

    def test_unterminated_line_of_whole_records_is_read(self, bench: Workbench) -> None:
        one, two, three = talk("one", "two", "three")
        path = place(bench, one + two.rstrip() + b"\0\0" + three.rstrip())
        assert bench.sweep().bytes_read == path.stat().st_size
        assert prompts(bench) == ["one", "two", "three"]

    def test_byte_order_mark_costs_nothing(self, bench: Workbench) -> None:
        log = ClaudeLog()
        log.records.append({"cwd": "/x", **log.prompt("one")})
        del log.records[0]
        place(bench, "\ufeff".encode() + log.text())
        assert bench.sweep().new_problems == 0
        assert prompts(bench) == ["one"]

    def test_input_is_word_for_word_wherever_growth_is_cut(
        self, bench: Workbench, tmp_path: Path
    ) -> None:
        log = ClaudeLog()
        log.prompt("one")
        log.call(given={"x": "PLACEHOLDER"})
        line = log.lines()[1].replace(
            b'{"x":"PLACEHOLDER"}', rb'{"x":"caf\u00e9 <\/b>", "n": 1.50}'
        )
        two = line.rstrip() + log.lines()[0]
        path = place(bench, line.rstrip())
        bench.sweep()
        path.write_bytes(two)
        bench.sweep()
        at_once = tmp_path / "at-once"
        bench.sweep(at_once)
        assert bench.events(SESSION) == bench.events(SESSION, at_once)
        assert r'{"x":"caf\u00e9 <\/b>", "n": 1.50}' in prompts(bench)

    @pytest.mark.parametrize("name", [b"7", b'""', b"null", b"{}"])
    def test_session_id_that_is_none_is_told(self, bench: Workbench, name: bytes) -> None:
        one, two = talk("one", "two")
        bad = two.replace(b'"11111111-1111-4111-8111-111111111111"', name)
        place(bench, one + bad)
        told = [problem.reason for problem in bench.sweep().listed_problems]
        assert told == ([] if name == b"null" else ["a record whose sessionId is no name"])
        assert prompts(bench) == ["one"]

    def test_bad_utf8_is_told_and_replaced(self, bench: Workbench) -> None:
        one, two = talk("on\u00e9", "two")
        place(bench, one.replace("\u00e9".encode(), b"\xe9") + two)
        assert bench.sweep().listed_problems[0].reason == "invalid UTF-8"
        assert prompts(bench) == ["on\ufffd", "two"]

    def test_lone_surrogates_and_nul_escapes_are_replaced(self, bench: Workbench) -> None:
        one, two = talk("ONE", "TWO")
        content = one.replace(b"ONE", rb"a\ud800b\ud83d\ude00") + two.replace(b"TWO", rb"c\u0000d")
        place(bench, content)
        assert bench.sweep().new_problems == 0
        assert prompts(bench) == ["a\ufffdb😀", "c\ufffdd"]

    def test_line_separators_within_text_do_not_split_lines(self, bench: Workbench) -> None:
        place(bench, b"".join(talk("a\u2028b\u2029c\u0085d", "two")))
        assert bench.sweep().new_problems == 0
        assert prompts(bench) == ["a\u2028b\u2029c\u0085d", "two"]

    def test_crlf_and_blank_lines_are_no_problem(self, bench: Workbench) -> None:
        one, two = talk("one", "two")
        place(bench, one.replace(b"\n", b"\r\n") + b"\r\n\n  \n" + two)
        assert bench.sweep().new_problems == 0
        assert prompts(bench) == ["one", "two"]

    def test_oversized_line_is_passed_over(
        self, bench: Workbench, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(tail, "MAX_LINE", 1 << 16)
        monkeypatch.setattr(tail, "CHUNK", 1 << 12)
        one, two = talk("one", "two")
        huge = as_line({"type": "user", "text": "x" * (1 << 17)})
        path = place(bench, one + huge + two)
        report = bench.sweep()
        assert [problem.offset for problem in report.listed_problems] == [len(one)]
        assert report.bytes_read == path.stat().st_size
        assert prompts(bench) == ["one", "two"]

    def test_deep_but_readable_records_do_not_break_the_reader(self, bench: Workbench) -> None:
        log = ClaudeLog()
        log.prompt("one")
        deep: object = "x"
        for _ in range(450):
            deep = {"d": [deep]}
        log.add("system", content=deep)
        log.prompt("two")
        place(bench, log.text())
        bench.sweep()
        assert {"one", "two"} <= set(prompts(bench))


class TestBadFiles:
    """What cannot be opened is told once, and read as soon as it can be."""

    def test_pipes_links_and_loops_are_told_not_followed(self, bench: Workbench) -> None:
        path = place(bench, b"".join(talk("one")))
        folder = path.parent
        os.mkfifo(folder / "pipe.jsonl")
        outside = bench.home / "outside"
        outside.mkdir()
        (outside / "secret.jsonl").write_bytes(b"".join(talk("secret")))
        (folder / "link.jsonl").symlink_to(outside / "secret.jsonl")
        (folder.parent / "loop").symlink_to(folder.parent)
        (folder.parent / "away").symlink_to(outside)
        report = bench.sweep()
        told = {Path(problem.path).name: problem.reason for problem in report.listed_problems}
        link = "a link, which is not followed"
        assert told == {
            "pipe.jsonl": "not a regular file",
            "link.jsonl": link,
            "loop": link,
            "away": link,
        }
        assert prompts(bench) == ["one"]
        assert bench.sweep().new_problems == 0

    def test_problem_goes_with_its_cause(self, bench: Workbench) -> None:
        path = place(bench, b"".join(talk("one")))
        link = path.with_name("link.jsonl")
        link.symlink_to(path)
        assert bench.sweep().new_problems == 1
        link.unlink()
        again = bench.sweep()
        assert (again.new_problems, again.known_problems) == (0, 0)

    def test_unreadable_file_and_folder_are_told_and_read_later(self, unprivileged: Path) -> None:
        bench = Workbench(unprivileged)
        path = place(bench, b"".join(talk("one")))
        locked = path.parent.with_name("locked")
        locked.mkdir(mode=0)
        path.chmod(0)
        told = bench.sweep().listed_problems
        assert {(problem.path, problem.reason) for problem in told} == {
            (str(path), "Permission denied"),
            (str(locked), "Permission denied"),
        }
        path.chmod(0o600)
        locked.chmod(0o700)
        again = bench.sweep()
        assert (again.new_problems, again.known_problems, again.ingested) == (0, 0, 1)

    def test_name_that_is_no_text_is_told(self, bench: Workbench) -> None:
        folder = place(bench, b"".join(talk("one"))).parent
        with open(os.path.join(os.fsencode(folder), b"\xff.jsonl"), "wb") as odd:
            odd.write(b"".join(talk("two")))
        (problem,) = bench.sweep().listed_problems
        assert problem.reason == "its name is not valid UTF-8"
        assert prompts(bench) == ["one"]
        assert bench.helix("--sweep", "--json").json["problems"]["known"] == 1

    def test_rewritten_file_sheds_its_old_problems(self, bench: Workbench) -> None:
        one, two = talk("one", "two")
        path = place(bench, b"{bad}\n" + one)
        assert bench.sweep().new_problems == 1
        path.write_bytes(one + b"{also bad}\n" + two)
        again = bench.sweep()
        assert (again.new_problems, again.known_problems) == (1, 0)
        assert prompts(bench) == ["one", "two"]

    def test_adapter_that_raises_costs_its_unit(
        self, bench: Workbench, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        from helix_tui.capture.adapters.claude.reader import ClaudeReader

        place(bench, b"".join(talk("one")))
        other = ClaudeLog(session="22222222-2222-4222-8222-222222222222")
        other.prompt("BOOM")
        other.write(bench.home)
        real = ClaudeReader.read_lines

        def fail(
            self: ClaudeReader, part: str, offset: int, lines: Sequence[bytes], draft: UnitDraft
        ) -> None:
            if b"BOOM" in b"".join(lines):
                raise ZeroDivisionError("division by zero")
            real(self, part, offset, lines, draft)

        monkeypatch.setattr(ClaudeReader, "read_lines", fail)
        (problem,) = bench.sweep().listed_problems
        assert problem.reason == "the claude adapter failed: ZeroDivisionError: division by zero"
        assert prompts(bench) == ["one"]
        monkeypatch.undo()
        assert bench.sweep().known_problems == 0
        assert len(bench.sessions()) == 2


class TestTailing:
    """Growth is read from where it begins; everything else is noticed."""

    def test_torn_tail_waits_for_its_rest(self, bench: Workbench) -> None:
        one, two = talk("one", "two")
        path = place(bench, one + two[:-10])
        first = bench.sweep()
        assert (first.bytes_read, first.new_problems) == (len(one), 0)
        path.write_bytes(one + two)
        assert bench.sweep().bytes_read == len(two)
        assert prompts(bench) == ["one", "two"]

    def test_whole_last_line_needs_no_newline(self, bench: Workbench) -> None:
        one, two, three = talk("one", "two", "three")
        path = place(bench, one + two.rstrip(b"\n"))
        assert bench.sweep().bytes_read == len(one + two) - 1
        assert prompts(bench) == ["one", "two"]
        path.write_bytes(one + two + three)
        assert bench.sweep().bytes_read == len(three) + 1
        assert prompts(bench) == ["one", "two", "three"]

    def test_truncated_file_is_read_again(self, bench: Workbench) -> None:
        one, two, three = talk("one", "two", "three")
        path = place(bench, one + two)
        bench.sweep()
        path.write_bytes(three)
        assert bench.sweep().bytes_read == len(three)
        assert prompts(bench) == ["one", "two", "three"]

    def test_rewritten_file_of_the_same_length_is_read_again(self, bench: Workbench) -> None:
        one, two = talk("one", "two")
        path = place(bench, one)
        bench.sweep()
        path.write_bytes(two)
        os.utime(path, ns=(1, 1))
        assert bench.sweep().bytes_read == len(two)
        assert prompts(bench) == ["one", "two"]

    def test_rotated_file_is_read_from_its_beginning(self, bench: Workbench) -> None:
        one, two = talk("one", "two")
        path = place(bench, one)
        bench.sweep()
        path.rename(path.with_suffix(".old"))
        place(bench, two + one)
        assert bench.sweep().bytes_read == len(two + one)
        assert prompts(bench) == ["two", "one"]

    def test_rewritten_file_shows_the_order_that_it_has_now(
        self, bench: Workbench, tmp_path: Path
    ) -> None:
        log = ClaudeLog()
        for name in "abcde":
            log.prompt(name, timestamp=moment(1))  # so that only the position tells them apart
        lines = dict(zip("abcde", log.lines(), strict=True))
        for order in ("abc", "dabc", "ceab", "ab", "bba", "edcba"):
            place(bench, b"".join(lines[name] for name in order))
            bench.sweep()
            fresh = tmp_path / f"fresh-{order}"
            bench.sweep(fresh)
            expected = [event.text for event in bench.events(SESSION, fresh)]
            shown = prompts(bench)
            assert shown[-len(expected) :] == expected
            assert set(shown) >= set(expected)

    def test_rewritten_record_says_what_it_says_now(self, bench: Workbench) -> None:
        one, two = talk("one", "two")
        place(bench, one + two)
        bench.sweep()
        place(bench, one.replace(b"one", b"uno") + two)
        report = bench.sweep()
        assert (report.ingested, prompts(bench)) == (1, ["uno", "two"])
        assert bench.session().prompts == 2
        assert bench.helix("doctor").code == 0

    def test_touched_file_is_looked_at_and_not_read(self, bench: Workbench) -> None:
        path = place(bench, b"".join(talk("one")))
        bench.sweep()
        os.utime(path)
        touched = bench.sweep()
        assert (touched.bytes_read, touched.ingested) == (0, 0)
        assert bench.sweep().skipped_unchanged == 1
