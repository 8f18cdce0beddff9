"""Loads the planting script with one catalog or another in place of its own."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any, Protocol, cast


class Planter(Protocol):
    """The planting script: writes a home and its truth."""

    def plant(self, seed: int, n: int, home: str) -> tuple[dict[str, Any], str, int]:
        """The truth, the path that it was written to, and the bytes of the home."""
        ...


def load_planter(tools: Path, catalog: ModuleType | None = None) -> Planter:
    """The script as a module of its own, on the given catalog, else on the one beside it.

    The script takes its catalog by name, so the name stands for another module meanwhile.
    """
    beside = {name: load_script(tools / f"{name}.py") for name in ("native",)}
    beside["catalog"] = catalog or load_script(tools / "catalog.py")
    before = {name: sys.modules.get(name) for name in beside}
    sys.modules.update(beside)
    try:
        return cast(Planter, _furnished(load_script(tools / "plant.py"), beside["catalog"]))
    finally:
        for name, module in before.items():
            if module is None:
                del sys.modules[name]
            else:
                sys.modules[name] = module


def _furnished(script: ModuleType, catalog: ModuleType) -> ModuleType:
    """The script in the world of a catalog that has one: repositories, folders, commands."""
    world: Mapping[str, Any] = getattr(catalog, "WORLD", {})
    if world:
        ordinary = [tuple(row) for row in world["ordinary"]]
        script.__dict__.update(
            REPOS=world["repos"],
            DIRS=world["dirs"],
            EXTS=world["exts"],
            SHELL_OK=ordinary,
            plan=_at_home(script.plan, getattr(catalog, "HOMES", {})),
        )
    return script


def _at_home(
    plan: Callable[[int, int], list[dict[str, Any]]], homes: Mapping[str, str]
) -> Callable[[int, int], list[dict[str, Any]]]:
    """The plan with causes of one repository met only there; a session is in one repository."""

    def planned(seed: int, n: int) -> list[dict[str, Any]]:
        sessions = plan(seed, n)
        for session in sessions:
            bound = [homes[name] for name in session["patterns"] if name in homes]
            if bound:
                session["repo"] = bound[0]
                session["patterns"] = [
                    name for name in session["patterns"] if homes.get(name, bound[0]) == bound[0]
                ]
        return sessions

    return planned


def load_script(path: Path) -> ModuleType:
    """A script as a module that is not listed among the imported ones."""
    spec = importlib.util.spec_from_file_location(f"planted_{path.stem}", path)
    if spec is None or spec.loader is None:
        raise FileNotFoundError(path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
