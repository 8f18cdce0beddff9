"""Check for doctor what memory could not take in."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from helix_tui.config import Config
from helix_tui.errors import HelixError
from helix_tui.memory.places import MemoryPlaces
from helix_tui.memory.remembered import remembered_lately
from helix_tui.schema import DoctorCheck

_MOST_NAMED = 3


def check_memory(config: Config) -> Iterator[DoctorCheck]:
    """Say what was remembered in seven days, and name the sessions that could not be flushed."""
    places = MemoryPlaces(config.store.absolute())
    if not places.root.is_dir():
        return
    try:
        remembered = remembered_lately(places, datetime.now().astimezone())
    except (HelixError, OSError) as error:
        yield DoctorCheck("memory", False, str(error), "Look at the file and its folder.")
        return
    detail = f"remembered: {str(remembered)[:-1]}, in 7 days"
    if not remembered.failed:
        yield DoctorCheck("memory", True, detail)
        return
    names = [one.session for one in remembered.failed]
    more = f" and {len(names) - _MOST_NAMED:,} more" if len(names) > _MOST_NAMED else ""
    todo = f"`helix flush SESSION` tries again: {', '.join(names[:_MOST_NAMED])}{more}."
    yield DoctorCheck("memory", False, detail, todo)
