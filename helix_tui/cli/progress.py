"""A progress bar on stderr for a sweep that somebody watches."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Console
from rich.progress import (
    BarColumn,
    DownloadColumn,
    Progress,
    TextColumn,
    TimeRemainingColumn,
    TransferSpeedColumn,
)
from rich.progress import Task as BarTask
from rich.text import Text

from helix_tui.events import DigestsMade, SweepEvent, SweepFinished, SweepStarted
from helix_tui.events import Progress as SweepProgress


class _Bytes(DownloadColumn):
    """Bytes, where the bar counts these."""

    def render(self, task: BarTask) -> Text:
        return Text("") if task.fields.get("of_sessions") else super().render(task)


class _Rate(TransferSpeedColumn):
    """Bytes a second, where the bar counts these."""

    def render(self, task: BarTask) -> Text:
        return Text("") if task.fields.get("of_sessions") else super().render(task)


def show_progress(events: Iterator[SweepEvent]) -> Iterator[SweepEvent]:
    """Pass events on while a bar shows bytes, rate and time left."""
    columns = (
        TextColumn("sweep {task.fields[units]}"),
        BarColumn(),
        _Bytes(binary_units=True),
        _Rate(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("sweep", total=None, units="looking for logs")
        for event in events:
            if isinstance(event, SweepFinished):
                bar.stop()  # the report comes next, and more work behind it
            elif isinstance(event, SweepStarted):
                bar.update(task, total=event.changed_bytes, units=f"0/{event.changed_units:,}")
            elif isinstance(event, SweepProgress):
                units = f"{event.units_done:,}/{event.units_total:,}"
                bar.update(task, completed=event.bytes_done, total=event.bytes_total, units=units)
            elif isinstance(event, DigestsMade):
                done, total = event.sessions_done, event.sessions_total
                units = f"digests made again {done:,}/{total:,}"
                bar.update(task, completed=done, total=total, units=units, of_sessions=True)
            yield event
