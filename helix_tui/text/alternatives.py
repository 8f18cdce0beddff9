"""Programs that do the same: one of them may stand for another."""

from __future__ import annotations


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


ALTERNATIVES: tuple[frozenset[str], ...] = (
    _set("grep egrep rg ag ack"),
    _set("find fd"),
    _set("npm pnpm yarn bun"),
    _set("pip pip3 uv poetry conda pipx"),
    _set("python python3 py pypy3"),
    _set("docker podman nerdctl docker-compose"),
    _set("curl wget http xh"),
    _set("just make task mise npm pnpm yarn bun"),
    _set("sed gsed awk gawk perl"),
    _set("timeout gtimeout"),
    _set("vim vi nano"),
)


def stand_ins(program: str) -> frozenset[str]:
    """A program and those that may stand for it."""
    return frozenset({program}).union(*(names for names in ALTERNATIVES if program in names))
