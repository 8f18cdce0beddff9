"""Settings of the model that may distil sessions and read turns; none is used by default."""

from __future__ import annotations

from pathlib import Path
from typing import Literal, NamedTuple

PresetName = Literal["claude", "codex", "ollama", "openai", "command"]
PRESETS: tuple[PresetName, ...] = ("claude", "codex", "ollama", "openai", "command")
# The variable that holds the key where the settings name none.
USUAL_KEYS: dict[str, str] = {"openai": "OPENAI_API_KEY"}
# Presets that call a server, which needs to be told the model's name.
SERVERS: tuple[PresetName, ...] = ("ollama", "openai")


class ModelSettings(NamedTuple):
    """Which model is asked and how; an empty text is what the preset usually takes."""

    preset: PresetName | Literal[""] = ""
    model: str = ""
    url: str = ""
    key_env: str = ""
    command: tuple[str, ...] = ()
    timeout_seconds: int = 60
    daily_token_cap: int = 200_000
    max_input_characters: int = 60_000
    ca_file: Path | None = None

    @property
    def key_variable(self) -> str:
        """The variable that holds the key, or an empty text where none is needed."""
        return self.key_env or USUAL_KEYS.get(self.preset, "")
