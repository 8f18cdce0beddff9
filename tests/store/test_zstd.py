"""Threads that pack and unpack at the same time do not disturb each other."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor

from helix_tui.schema import SearchText
from helix_tui.store.digests.texts import pack_texts, unpack_texts
from helix_tui.store.packs.frames import LEVEL
from helix_tui.store.packs.zstd import Zstd


def test_each_thread_has_contexts_of_its_own() -> None:
    zstd = Zstd(LEVEL)
    plain = [os.urandom(2000).hex().encode() * 3 for _ in range(50)]
    packed = [zstd.compress(one) for one in plain]

    def work(_: int) -> bool:
        return all(
            zstd.decompress(zstd.compress(one), len(one)) == one == zstd.decompress(data, len(one))
            for _ in range(20)
            for one, data in zip(plain, packed, strict=True)
        )

    with ThreadPoolExecutor(4) as threads:
        assert all(threads.map(work, range(4)))


def test_texts_are_read_by_many_threads() -> None:
    texts: list[SearchText] = [(number, None, os.urandom(900).hex()) for number in range(40)]
    data = pack_texts(texts)
    with ThreadPoolExecutor(4) as threads:
        assert all(found == texts for found in threads.map(unpack_texts, [data] * 400))
