"""A drafting program may word a draft; nothing that it does goes farther than that."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from helix_tui.curate.draft.reword_by_program import Worded, request_of, word
from helix_tui.curate.page.pattern import Excerpt, Pattern
from tests.curate.made_patterns import PLAIN_DRAFT

SOON = 20.0

Program = Callable[[str], list[str]]


@pytest.fixture
def program(tmp_path: Path) -> Program:
    """Writes a small program, and gives the command that runs it."""

    def written(source: str) -> list[str]:
        file = tmp_path / "drafter.py"
        file.write_text(source, encoding="utf-8")
        return [sys.executable, "-I", "-S", str(file)]

    return written


def saying(answer: object) -> str:
    return f"print({json.dumps(answer)!r})"


def check_refused(worded: Worded, *reasons: str) -> None:
    """The draft stays as it was, and the reason is told on one plain line."""
    assert worded.pattern is PLAIN_DRAFT
    assert not worded.is_worded
    assert all(reason in worded.refused for reason in reasons), worded.refused
    assert len(worded.refused) <= 200
    assert worded.refused.isprintable()


def test_a_good_answer_is_taken_and_marked(program: Program) -> None:
    answer = {"title": "Search with grep where rg is missing", "guidance": "- Use `grep -rn`.\n"}
    worded = word(PLAIN_DRAFT, program(saying(answer)), SOON)
    assert worded.is_worded
    assert worded.pattern.title == "Search with grep where rg is missing"
    assert worded.pattern.guidance == "- Use `grep -rn`."
    assert worded.pattern.provenance.guidance == "command"
    unchanged = replace(
        worded.pattern,
        title=PLAIN_DRAFT.title,
        guidance=PLAIN_DRAFT.guidance,
        provenance=PLAIN_DRAFT.provenance,
    )
    assert unchanged == PLAIN_DRAFT


def test_the_program_is_told_the_draft_without_pieces_of_sessions(program: Program) -> None:
    piece = Excerpt(session="claude:1", fingerprint="7", text="a line of a log")
    cited = replace(PLAIN_DRAFT, excerpts=[piece])
    told = json.loads(request_of(cited))
    assert (told["id"], told["class"], told["subject"]) == (
        PLAIN_DRAFT.id,
        "command_not_found",
        "rg",
    )
    assert told["evidence"]["sessions"] == 4
    assert told["excerpts"] == []
    assert "ledgerline" in PLAIN_DRAFT.evidence.repo_names
    assert "ledgerline" not in request_of(cited).decode()
    echo = "import json, sys; d = json.load(sys.stdin); print(json.dumps({'title': d['id']}))"
    worded = word(cited, program(echo), SOON)
    assert worded.pattern.title == PLAIN_DRAFT.id
    assert worded.pattern.excerpts == [piece]


def test_the_program_runs_in_an_empty_folder_and_knows_who_called(program: Program) -> None:
    source = (
        "import json, os\n"
        "told = [os.environ['HELIX_INVOKED_BY'], str(os.listdir()), os.getcwd()]\n"
        "print(json.dumps({'problem': ' '.join(told)}))"
    )
    who, found, folder = word(PLAIN_DRAFT, program(source), SOON).pattern.problem.split()
    assert (who, found) == ("helix", "[]")
    assert not Path(folder).exists()


def test_no_shell_reads_the_command(tmp_path: Path) -> None:
    trace = tmp_path / "trace"
    source = "import json, sys; print(json.dumps({'title': sys.argv[1]}))"
    command = [sys.executable, "-c", source, f"$(touch {trace}); `id` && x"]
    assert word(PLAIN_DRAFT, command, SOON).pattern.title == f"$(touch {trace}); `id` && x"
    assert not trace.exists()


def test_a_program_that_does_not_read_is_no_trouble(program: Program) -> None:
    big = replace(
        PLAIN_DRAFT, problem="word " * 1_600, sections={f"s{n}": "x" * 8_000 for n in range(40)}
    )
    assert word(big, program(saying({"title": "Short"})), SOON).pattern.title == "Short"


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ({}, "none of the fields"),
        ({"title": "x", "status": "approved"}, "unknown field"),
        ({"title": 7}, "Expected `str"),
        ({"title": ""}, "title"),
        ({"title": "   "}, "title"),
        ({"title": "two\nlines"}, "one line"),
        ({"title": "x" * 141}, "title"),
        ({"guidance": "x" * 4_001}, "guidance"),
        (["title"], "Expected `object`"),
        ({"guidance": "do \u202eti"}, "turns the direction"),
        ({"guidance": "do\u200b it"}, "without width"),
        ({"title": "a \x1b[31mb"}, "a control character"),
        ({"problem": "key sk-ant-api03-" + "Ab3dE6gH9jK2mN5pQ8sT1vW4"}, "a key of anthropic"),
    ],
)
def test_an_answer_that_is_not_as_it_should_be_is_refused_with_the_reason(
    program: Program, answer: object, reason: str
) -> None:
    worded = word(PLAIN_DRAFT, program(saying(answer)), SOON)
    check_refused(worded, reason)
    assert "Ab3dE6" not in worded.refused


@pytest.mark.parametrize(
    "source",
    [
        "print('I think the title should be…')",
        'print(\'{"title": "x"}{\')',
        "import sys; sys.stdout.buffer.write(b'\\xff\\xfe{}')",
        "print('[' * 60000)",
        "pass",
    ],
)
def test_garbage_is_refused(program: Program, source: str) -> None:
    check_refused(word(PLAIN_DRAFT, program(source), SOON), "not as it should be")


def test_a_slow_program_is_ended(program: Program) -> None:
    began = time.monotonic()
    check_refused(word(PLAIN_DRAFT, program("import time; time.sleep(600)"), 0.5), "took too long")
    assert time.monotonic() - began < 10


@pytest.mark.parametrize("stream", ["stdout", "stderr"])
def test_a_program_that_never_stops_talking_is_ended(program: Program, stream: str) -> None:
    source = f"import sys\nwhile True: sys.{stream}.write('x' * 65536)"
    reason = "said more than 64 KiB" if stream == "stdout" else "took too long"
    check_refused(word(PLAIN_DRAFT, program(source), SOON if stream == "stdout" else 1.0), reason)


def test_much_talk_beside_the_answer_does_not_matter(program: Program) -> None:
    source = f"import sys; sys.stderr.write('x' * 1000000); {saying({'title': 'Good'})}"
    assert word(PLAIN_DRAFT, program(source), SOON).pattern.title == "Good"


def test_a_program_that_fails_is_told_of_with_its_last_words(program: Program) -> None:
    key = "sk-ant-api03-" + "Ab3dE6gH9jK2mN5pQ8sT1vW4"
    source = f"import sys; print('{{}}'); sys.exit('no model\\n\\x1b[31mbad key {key}')"
    worded = word(PLAIN_DRAFT, program(source), SOON)
    check_refused(worded, "exit code 1", "bad key")
    assert key not in worded.refused


@pytest.mark.parametrize("command", [["/nowhere/drafter"], ["no-such-program-here"], [], ["a\0b"]])
def test_a_program_that_is_not_there_is_told_of(command: list[str]) -> None:
    check_refused(word(PLAIN_DRAFT, command, SOON), "could not be started")


def test_a_file_that_is_no_program_is_told_of(tmp_path: Path) -> None:
    file = tmp_path / "notes.txt"
    file.write_text("hello")
    check_refused(word(PLAIN_DRAFT, [str(file)], SOON), "could not be started")


STAYING = """
import json, os, subprocess, sys, time
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
open({place!r}, "w").write(str(child.pid))
{rest}
"""


def is_running(process: int) -> bool:
    """Whether a process is there; one that ended and that nobody asked for yet is not."""
    try:
        os.kill(process, 0)
        state = Path(f"/proc/{process}/stat")
        return not (state.exists() and state.read_text().rpartition(")")[2].split()[0] == "Z")
    except (ProcessLookupError, FileNotFoundError):
        return False


@pytest.mark.parametrize(
    ("rest", "is_worded"),
    [("print(json.dumps({'title': 'Good'}))", True), ("time.sleep(600)", False)],
)
def test_a_child_that_stays_neither_holds_us_up_nor_lives_on(
    program: Program, tmp_path: Path, rest: str, is_worded: bool
) -> None:
    place = tmp_path / "child"
    began = time.monotonic()
    worded = word(PLAIN_DRAFT, program(STAYING.format(place=str(place), rest=rest)), 2.0)
    assert time.monotonic() - began < 15
    assert worded.is_worded == is_worded
    child = int(place.read_text())
    deadline = time.monotonic() + 10
    while is_running(child) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not is_running(child)


def test_a_worded_draft_is_still_a_page(program: Program) -> None:
    answer = {"guidance": "## Problem\n\nnot a section of its own\n```\nopen fence"}
    worded = word(PLAIN_DRAFT, program(saying(answer)), SOON)
    assert isinstance(worded.pattern, Pattern)
    assert worded.is_worded
