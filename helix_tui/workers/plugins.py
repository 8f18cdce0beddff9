"""Adapters of plug-ins, each in its own process: a failure costs its unit or flavor, no more."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Self, TypeVar

from helix_tui.capture.adapters import Adapter, DatabaseReads, LazyAdapters, PartFile, adapters
from helix_tui.capture.adapters.installed import adapter_targets
from helix_tui.errors import InterruptedJobError
from helix_tui.schema import UnitBatch, UnitTask
from helix_tui.settings import PLUGIN_SECONDS

# A sweep without plug-ins loads nothing of what runs them.
if TYPE_CHECKING:
    from helix_tui.workers.plugin_host import About
    from helix_tui.workers.plugin_process import PluginProcess

T = TypeVar("T")
# The shortest wait, in seconds, for a plug-in that was late before.
_LEAST_SECONDS = 2.0


class PluginError(Exception):
    """A plug-in did not answer, or answered something else; the message says which and how."""


class PluginRaisedError(PluginError):
    """The adapter raised; its process goes on."""


class Plugins:
    """Every installed adapter by flavor, ours in this process; `close` ends the other processes."""

    def __init__(
        self, seconds: float = PLUGIN_SECONDS, cancelled: Callable[[], bool] = bool
    ) -> None:
        self._seconds = seconds
        self._cancelled = cancelled

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @cached_property
    def _theirs(self) -> dict[str, Plugin]:
        theirs: dict[str, Plugin] = {}
        for entry in adapter_targets():
            flavor, _, target = entry.partition("=")
            if flavor not in adapters():  # no plug-in takes the place of an adapter of ours
                theirs.setdefault(flavor, Plugin(flavor, target, self._seconds, self._cancelled))
        return theirs

    def adapters(self) -> Mapping[str, Adapter]:
        """All adapters; none is loaded, and no plug-in's code runs, before it is asked for."""
        ours = adapters()
        return LazyAdapters(
            {
                **{flavor: partial(ours.__getitem__, flavor) for flavor in ours},
                **{flavor: partial(self._theirs.__getitem__, flavor) for flavor in self._theirs},
            }
        )

    def reads(self, flavor: str) -> bool:
        """Whether a plug-in reads that flavor."""
        return flavor not in adapters()

    def read(self, task: UnitTask) -> Iterator[UnitBatch]:
        """The batches of a plug-in's unit; a failure is a problem of that unit."""
        from helix_tui.capture.units import failed_batch

        try:
            yield from self._theirs[task.flavor].batches(task)
        except InterruptedJobError:
            return
        except PluginError as error:
            yield failed_batch(task, task.parts[0], str(error))

    def close(self) -> None:
        """End the processes, whatever they are doing."""
        for plugin in self._theirs.values():
            plugin.close()


class Plugin:
    """An adapter whose answers come from its process, which is started when first needed."""

    def __init__(
        self, flavor: str, target: str, seconds: float, cancelled: Callable[[], bool]
    ) -> None:
        self.flavor = flavor
        self._target = target
        self._seconds = seconds
        self._cancelled = cancelled
        self._process: PluginProcess | None = None

    @cached_property
    def _about(self) -> About:
        from helix_tui.workers.plugin_host import About

        about: About = self._ask(About, "about")
        return about

    @property
    def version(self) -> int:
        """The adapter's own version."""
        return self._about.version

    @property
    def joins_parts(self) -> bool:
        """The adapter's own answer."""
        return self._about.joins_parts

    def subfolders(self, path: Sequence[str], names: Sequence[str]) -> Sequence[str]:
        """Ask the adapter; it may name only existing folders, so that a walk ends."""
        folders = self._ask(list[str], "subfolders", path, names)
        return self._among(names, folders, folders)

    def parts(self, path: Sequence[str], names: Sequence[str]) -> Sequence[PartFile]:
        """Ask the adapter; it may name only existing files."""
        part_files = self._ask(list[PartFile], "parts", path, names)
        return self._among(names, part_files, [part.name for part in part_files])

    def is_excluded(self, path: Sequence[str], globs: Sequence[str]) -> bool:
        """Ask the adapter."""
        answer: bool = self._ask(bool, "is_excluded", path, globs)
        return answer

    def cleanup_days(self, settings: Mapping[str, bytes]) -> int | None:
        """Ask the adapter."""
        days: int | None = self._ask(int | None, "cleanup_days", settings)
        return days

    def settings_files(self) -> tuple[str, ...]:
        """Ask the adapter."""
        files: tuple[str, ...] = self._ask(tuple[str, ...], "settings_files")
        return files

    def database(self, name: str, tables: Mapping[str, Sequence[str]]) -> DatabaseReads | None:
        """Ask the adapter what of a database is read; Helix reads it."""
        reads: DatabaseReads | None = self._ask(DatabaseReads | None, "database", name, tables)
        return reads

    def reader(self, unit: str, paths: Mapping[str, str], state: bytes) -> Any:
        """Units are read in the process alone."""
        raise NotImplementedError("a plug-in's units are read by `batches`")

    def batches(self, task: UnitTask) -> Iterator[UnitBatch]:
        """The batches of a unit; the last one is marked as such."""
        self._send("read", task)
        while True:
            batch = self._receive(UnitBatch)
            yield batch
            if batch.is_last:
                return

    def close(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.end()
            self._process = None

    def _ask(self, kind: Any, method: str, *arguments: object) -> Any:
        self._send(method, *arguments)
        return self._receive(kind)

    def _among(self, names: Sequence[str], items: list[T], named: list[str]) -> list[T]:
        odd = sorted(set(named).difference(names))
        if odd:
            raise PluginError(
                f"the {self.flavor} adapter failed: it names {odd[0]!r}, which is not there"
            )
        return items

    def _send(self, method: str, *arguments: object) -> None:
        from helix_tui.workers.plugin_host import PluginRequest
        from helix_tui.workers.plugin_process import PluginProcess

        if self._process is None:
            self._process = PluginProcess(self.flavor, self._target)
        self._process.send(PluginRequest(method, list(arguments)))

    def _receive(self, kind: Any) -> Any:
        from helix_tui.workers.plugin_process import PluginLateError

        assert self._process is not None
        try:
            return self._process.receive(kind, self._seconds, self._cancelled)
        except PluginRaisedError:
            raise
        except PluginLateError:
            # The next hang must cost less: a thousand of them would take days.
            self._seconds = max(_LEAST_SECONDS, self._seconds / 2)
            self.close()
            raise
        except BaseException:
            self.close()
            raise
