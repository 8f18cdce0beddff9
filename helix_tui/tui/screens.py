"""Finds screens by name: the screen `name` is `tui/<name>/screen.py` with a class `<Name>Screen`.

That is all it takes for the actions that open it to be there.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from helix_tui.yielding import give_way

if TYPE_CHECKING:
    from helix_tui.tui.base.screen import HelixScreen

_TUI = Path(__file__).parent
_NO_SCREEN_OF_ITS_OWN = "base"


@cache
def screen_names() -> tuple[str, ...]:
    """The names of all screens; none is loaded for that."""
    folders = (path.parent.name for path in _TUI.glob("*/screen.py"))
    return tuple(sorted(name for name in folders if name != _NO_SCREEN_OF_ITS_OWN))


def _module_name(name: str) -> str:
    return f"helix_tui.tui.{name}.screen"


def has_screen(name: str) -> bool:
    """Whether there is a screen of that name."""
    return name in screen_names()


def load_screens() -> None:
    """Load all of them: who first opens one during a sweep does not wait for its disk."""
    for name in screen_names():
        give_way()
        import_module(_module_name(name))


def new_screen(name: str, **options: Any) -> Any:
    """A screen of that name, made with options of its own."""
    return screen_class(name)(**options)


def screen_class(name: str) -> type[HelixScreen]:
    """The class of a screen, loaded when it is first opened."""
    screen: type[HelixScreen] = getattr(
        import_module(_module_name(name)), f"{name.title().replace('_', '')}Screen"
    )
    return screen
