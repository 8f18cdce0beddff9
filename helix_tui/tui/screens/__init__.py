"""One file for each screen; `base.py` says what all of them share.

A screen `name` is `screens/<name>.py` with a class `<Name>Screen` on `HelixScreen`; that is all it
takes for the actions that open it to be there.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pkgutil import iter_modules
from typing import TYPE_CHECKING

from helix_tui.pace import give_way

if TYPE_CHECKING:
    from helix_tui.tui.screens.base import HelixScreen


@cache
def has_screen(name: str) -> bool:
    """Whether there is a screen of that name; it is not loaded for that."""
    return find_spec(f"{__name__}.{name}") is not None


def load_screens() -> None:
    """Loads all of them: who first opens one during a sweep does not wait for its disk."""
    for module in iter_modules(__path__):
        give_way()
        import_module(f"{__name__}.{module.name}")


def screen_class(name: str) -> type[HelixScreen]:
    """The class of a screen, loaded when it is first opened."""
    module = import_module(f"{__name__}.{name}")
    found: type[HelixScreen] = getattr(module, f"{name.title().replace('_', '')}Screen")
    return found
