"""Open files of others without blocking: a pipe, a socket or a device is refused at once."""

from __future__ import annotations

import errno
import io
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from os import PathLike
from typing import BinaryIO

_FLAGS = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY


@contextmanager
def open_regular(
    path: str | PathLike[str], *, follows_links: bool = True, buffering: int = -1
) -> Iterator[BinaryIO]:
    """Open a regular file; anything else raises OSError at once."""
    try:
        descriptor = os.open(path, _FLAGS | (0 if follows_links else os.O_NOFOLLOW))
    except OSError as error:
        if error.errno == errno.ENXIO:  # a socket, which cannot even be opened
            raise _not_regular(path) from error
        raise
    try:
        mode = os.fstat(descriptor).st_mode
        if stat.S_ISDIR(mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), os.fspath(path))
        if not stat.S_ISREG(mode):
            raise _not_regular(path)
        with os.fdopen(descriptor, "rb", buffering=buffering, closefd=False) as file:
            yield file
    finally:
        os.close(descriptor)


def read_regular(path: str | PathLike[str], most: int = -1) -> bytes:
    """The content of a regular file, or its first bytes."""
    with open_regular(path) as file:
        return file.read(most)


def read_regular_text(path: str | PathLike[str], errors: str = "strict") -> str:
    """The content of a regular UTF-8 file, with line feeds as line ends."""
    with open_regular(path) as file:
        return io.TextIOWrapper(file, encoding="utf-8", errors=errors).read()


def _not_regular(path: str | PathLike[str]) -> OSError:
    return OSError(errno.EINVAL, "not a regular file", os.fspath(path))
