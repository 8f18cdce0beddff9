"""Check that the model of the settings can be asked; nothing is sent to see whether it works."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator

from helix_tui.config import Config
from helix_tui.model.presets import commands_of, preset_of, target_of
from helix_tui.schema import DoctorCheck


def check_model(config: Config) -> Iterator[DoctorCheck]:
    """Check program or key of a model that is in use; without one there is nothing to say."""
    settings = config.model
    preset = preset_of(settings)
    if preset is None or "model" not in (config.memory.distiller, config.detect.reader):
        return
    if preset.form is None:
        program = commands_of(settings)[0][0]
        if shutil.which(program) is None:
            yield DoctorCheck("model", False, f"{program} is not to be found", preset.todo)
            return
    variable = settings.key_variable
    if variable and not os.environ.get(variable) and (settings.key_env or not settings.url):
        todo = f"Set ${variable} where sweeps run, too."
        yield DoctorCheck("model", False, f"no key: ${variable} is not set", todo)
        return
    yield DoctorCheck(
        "model", True, f"{target_of(settings)}; `helix model test` asks whether it works"
    )
