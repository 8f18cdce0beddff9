"""A compressed part is read with flat memory, whatever its bytes unfold to."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

import pytest
import zstandard

from helix_tui.capture import compressed, tail
from helix_tui.capture.compressed import ZstdBytes
from helix_tui.capture.tail import (
    LineChunk,
    Oversized,
    cursor_at,
    read_lines,
    resume_offset,
)

MIB = 1 << 20
# An eighth of everything that decides how much is kept in memory.
MAX_LINE = tail.MAX_LINE // 8
LINE = 8 * MAX_LINE


def test_a_line_without_end_is_not_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tail, "MAX_LINE", MAX_LINE)
    monkeypatch.setattr(compressed, "_BEHIND", compressed._BEHIND // 8)
    monkeypatch.setattr(compressed, "_STEP", compressed._STEP // 8)
    path = tmp_path / "rollout.jsonl.zst"
    packer = zstandard.ZstdCompressor(level=1).compressobj()
    with path.open("wb") as file:
        file.write(packer.compress(b'{"a":1}\n'))
        for _ in range(LINE // MIB):
            file.write(packer.compress(b"x" * MIB))
        file.write(packer.compress(b'\n{"a":2}\n') + packer.flush())
    tracemalloc.start()
    try:
        with path.open("rb", buffering=0) as file:
            part = ZstdBytes(file)
            pieces = [(type(piece), piece.end) for piece in read_lines(part, 0)]
            cursor = cursor_at(part, pieces[-1][1], None)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert pieces == [(LineChunk, 8), (Oversized, LINE + 9), (LineChunk, LINE + 17)]
    assert most < 6 * MAX_LINE
    with path.open("rb", buffering=0) as file:
        assert resume_offset(ZstdBytes(file), cursor) == cursor.offset
