"""What was acknowledged stays, what was not is never there, and damage costs one line."""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
import threading
from collections.abc import Iterable
from pathlib import Path

import pytest

from helix_tui.errors import OutOfSpaceError, StoreBusyError, StoreError
from helix_tui.files.ledger import Ledger, is_sound, sealed


def line(number: int, **fields: object) -> bytes:
    return json.dumps({"n": number, **fields}).encode()


def append(ledger: Ledger, *numbers: int) -> None:
    with ledger.locked():
        ledger.append([line(number) for number in numbers])


def append_each(ledger: Ledger, values: Iterable[int]) -> None:
    for value in values:
        append(ledger, value)


def numbers(ledger: Ledger) -> list[int]:
    return [json.loads(found.data)["n"] for found in ledger.read().lines]


@pytest.fixture
def ledger(tmp_path: Path) -> Ledger:
    return Ledger(tmp_path / "review" / "journal.jsonl", "verdicts")


def test_reads_what_was_appended_in_order(ledger: Ledger) -> None:
    append(ledger, 1, 2)
    append(ledger, 3)
    assert numbers(ledger) == [1, 2, 3]
    assert ledger.read().damaged == []


def test_a_file_that_is_not_there_is_empty_and_stays_away(ledger: Ledger) -> None:
    assert ledger.read() == ([], [])
    with ledger.locked():
        ledger.append([])
    assert not ledger.path.exists()


def test_file_and_folder_are_the_owners_alone(ledger: Ledger) -> None:
    append(ledger, 1)
    with ledger.locked():
        ledger.rewrite([line(1)])
    assert ledger.path.stat().st_mode & 0o777 == 0o600
    assert ledger.path.with_name("journal.jsonl.lock").stat().st_mode & 0o777 == 0o600
    assert ledger.path.parent.stat().st_mode & 0o777 == 0o700


def test_the_checksum_is_the_last_field_of_a_plain_json_object(ledger: Ledger) -> None:
    append(ledger, 1)
    written = ledger.path.read_bytes()
    assert list(json.loads(written)) == ["n", "sum"]
    assert written.endswith(b"\n")
    assert is_sound(written[:-1])
    assert sealed(written[:-1]) == written[:-1]


@pytest.mark.parametrize("kept", range(1, len(sealed(line(3)))))
def test_a_torn_tail_is_ignored_on_reading_and_dropped_on_writing(
    ledger: Ledger, kept: int
) -> None:
    append(ledger, 1, 2)
    whole = ledger.path.read_bytes()
    ledger.path.write_bytes(whole + sealed(line(3))[:kept])
    assert numbers(ledger) == [1, 2]
    assert ledger.read().damaged == []
    append(ledger, 4)
    assert numbers(ledger) == [1, 2, 4]
    assert ledger.path.read_bytes().startswith(whole)
    assert ledger.read().damaged == []


def test_a_whole_line_that_only_lost_its_line_break_stays(ledger: Ledger) -> None:
    append(ledger, 1, 2)
    ledger.path.write_bytes(ledger.path.read_bytes()[:-1])
    assert numbers(ledger) == [1, 2]
    append(ledger, 3)
    assert numbers(ledger) == [1, 2, 3]


def test_blocks_that_a_power_cut_left_empty_at_the_end_are_dropped(ledger: Ledger) -> None:
    append(ledger, 1)
    ledger.path.write_bytes(ledger.path.read_bytes() + b"\0" * 100_000)
    append(ledger, 2)
    assert numbers(ledger) == [1, 2]
    assert b"\0" not in ledger.path.read_bytes()


def test_a_last_line_that_has_its_break_may_be_acknowledged_and_stays_in_the_file(
    ledger: Ledger,
) -> None:
    append(ledger, 1, 2)
    damaged = ledger.path.read_bytes().replace(b'"n": 2', b'"n": 7')
    ledger.path.write_bytes(damaged)
    append(ledger, 3)
    assert numbers(ledger) == [1, 3]
    assert ledger.read().damaged == [(2, "its checksum does not fit")]
    assert ledger.path.read_bytes().startswith(damaged)


def test_damaged_lines_are_named_with_number_and_reason(ledger: Ledger) -> None:
    append(ledger, 1, 2, 3, 4)
    rows = ledger.path.read_bytes().split(b"\n")
    rows[0] = b"<<<<<<< HEAD"
    rows[2] = rows[2][:4] + b"\0\0" + rows[2][6:]
    ledger.path.write_bytes(b"\n".join(rows))
    assert numbers(ledger) == [2, 4]
    assert ledger.read().damaged == [
        (1, "it has no checksum at its end"),
        (3, "a part of it was never written"),
    ]


def test_the_last_line_is_found_from_the_end(ledger: Ledger) -> None:
    assert ledger.last() == (None, 0)
    with ledger.locked():
        ledger.append([line(1), line(2, text="x" * 200_000)])
    assert ledger.last() == (ledger.read().lines[-1].data, 0)
    with ledger.path.open("ab") as file:
        file.write(b"damaged\n\nalso\n" + b"torn" * 100_000)
    assert ledger.last() == (ledger.read().lines[-1].data, 2)
    ledger.path.write_bytes(b"damaged\n")
    assert ledger.last() == (None, 1)


def test_rewrite_keeps_lines_of_a_newer_version_and_damaged_ones_as_they_are(
    ledger: Ledger,
) -> None:
    with ledger.locked():
        ledger.append([line(1, later={"x": 1}), line(2), line(3)])
    path = ledger.path
    path.write_bytes(path.read_bytes().replace(b'"n": 2', b'"n": 8'))
    before = path.read_bytes().split(b"\n")
    with ledger.locked():
        ledger.rewrite([ledger.read().lines[0].data, line(9)])
    assert path.read_bytes().split(b"\n") == [before[1], before[0], sealed(line(9)), b""]
    assert sorted(os.listdir(path.parent)) == ["journal.jsonl", "journal.jsonl.lock"]


def test_rewrite_follows_a_link_to_the_file(ledger: Ledger, tmp_path: Path) -> None:
    append(ledger, 1)
    moved = ledger.path.rename(tmp_path / "elsewhere.jsonl")
    ledger.path.symlink_to(moved)
    with ledger.locked():
        ledger.rewrite([line(2)])
    assert ledger.path.is_symlink()
    assert numbers(Ledger(moved)) == [2]


def test_writing_without_the_lock_is_a_bug(ledger: Ledger) -> None:
    with pytest.raises(RuntimeError, match="without its lock"):
        ledger.append([line(1)])


@pytest.mark.parametrize("broken", [b"{}", b"[1]", b'{"a":\n1}'])
def test_only_objects_on_one_line_are_sealed(broken: bytes) -> None:
    with pytest.raises(ValueError, match="a line of a ledger"):
        sealed(broken)


def test_who_waits_too_long_is_told_for_whom(ledger: Ledger) -> None:
    other = Ledger(ledger.path, "verdicts")
    with (
        ledger.locked(),
        pytest.raises(StoreBusyError, match=rf"Another process \({os.getpid()}\) .*verdicts"),
        other.locked(seconds=0.1),
    ):
        pass


def test_threads_and_processes_append_without_losing_a_line(ledger: Ledger) -> None:
    code = (
        "import sys; from pathlib import Path; from helix_tui.files.ledger import Ledger\n"
        "ledger = Ledger(Path(sys.argv[1]))\n"
        "for number in range(20):\n"
        "    with ledger.locked(): ledger.append([b'{\"n\":%d}' % (100 + number)])\n"
    )
    process = subprocess.Popen([sys.executable, "-c", code, str(ledger.path)])
    threads = [threading.Thread(target=append_each, args=(ledger, range(10))) for _ in range(2)]
    for thread in threads:
        thread.start()
    while process.poll() is None:
        assert ledger.read().damaged == []
    for thread in threads:
        thread.join()
    assert sorted(numbers(ledger)) == sorted([*range(10), *range(10), *range(100, 120)])


@pytest.mark.parametrize("acknowledged", [1, 7, 30])
def test_a_killed_writer_loses_nothing_acknowledged_and_frees_the_lock(
    ledger: Ledger, acknowledged: int
) -> None:
    code = (
        "import sys; from pathlib import Path; from helix_tui.files.ledger import Ledger\n"
        "ledger = Ledger(Path(sys.argv[1])); number = 0\n"
        "while number := number + 1:\n"
        '    line = b\'{"n":%d,"x":"%b"}\' % (number, b\'x\' * 9999)\n'
        "    with ledger.locked(): ledger.append([line])\n"
        "    print(number, flush=True)\n"
    )
    command = [sys.executable, "-c", code, str(ledger.path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        for _ in range(acknowledged):
            process.stdout.readline()
        process.kill()
        last = acknowledged + len(process.stdout.read().splitlines())
    append(ledger, 0)
    found = numbers(ledger)
    assert found[:last] == list(range(1, last + 1))
    assert found[last:] in ([0], [last + 1, 0])
    assert ledger.read().damaged == []


def test_a_full_disk_leaves_the_file_as_it_was(ledger: Ledger) -> None:
    append(ledger, 1)
    before = ledger.path.read_bytes()
    # A limit on the size of files makes the kernel write a part and then refuse, as a full disk.
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (len(before) + 50, limits[1]))
    try:
        with pytest.raises(StoreError, match=r"journal\.jsonl.*File too large"):
            append(ledger, 2, 3, 4, 5, 6, 7, 8, 9)
        assert ledger.path.read_bytes() == before
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        signal.signal(signal.SIGXFSZ, handler)
    append(ledger, 2)
    assert numbers(ledger) == [1, 2]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="the system has no full device")
def test_no_room_is_told_as_such(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    path.symlink_to("/dev/full")
    with pytest.raises(OutOfSpaceError, match="Free some space"):
        append(Ledger(path), 1)


def test_a_folder_that_cannot_be_written_is_told(unprivileged: Path) -> None:
    unprivileged.chmod(0o500)
    ledger = Ledger(unprivileged / "journal.jsonl", "verdicts")
    with pytest.raises(StoreError, match="which holds verdicts, cannot be used"):
        append(ledger, 1)
    unprivileged.chmod(0o700)


def test_a_folder_in_the_place_of_the_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="cannot be used"):
        Ledger(tmp_path).read()
