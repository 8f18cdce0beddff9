"""Frames: runs of events, encoded and compressed together."""

from __future__ import annotations

import msgspec

from helix_tui.schema import EventTuple, Frame, StoredEvent
from helix_tui.store.packs.zstd import Zstd
from helix_tui.text.hashing import hash64

# Level 3 takes a third longer, or more, and saves six per cent of the bytes.
LEVEL = 1

_encode = msgspec.msgpack.Encoder().encode
_decode_tuples = msgspec.msgpack.Decoder(list[EventTuple]).decode
_decode_events = msgspec.msgpack.Decoder(list[StoredEvent]).decode
_zstd = Zstd(LEVEL)


def encode_frame(events: list[EventTuple]) -> Frame:
    """Compress events into a frame, with the rows that will point into it."""
    plain = _encode(events)
    payload = _zstd.compress(plain)
    return Frame(payload, len(plain), hash64(payload), [event[:5] for event in events])


def without(frame: Frame, fingerprints: set[int]) -> Frame:
    """The frame without events that the session already has."""
    return encode_frame([event for event in event_tuples(frame) if event[0] not in fingerprints])


def event_tuples(frame: Frame) -> list[EventTuple]:
    """The events of a frame that is not yet in a pack."""
    return _decode_tuples(_decompress(frame.payload, frame.size))


def decode_frame(payload: bytes, size: int) -> list[StoredEvent]:
    """The events of a frame."""
    return _decode_events(_decompress(payload, size))


def _decompress(payload: bytes, size: int) -> bytes:
    return _zstd.decompress(payload, size)
