"""The calls that Helix knows: an agent's print mode, and the two forms of servers."""

from __future__ import annotations

from typing import Literal

import msgspec

from helix_tui.schema.model import ModelSettings, PresetName

# What a server is sent, and what it answers.
ServerForm = Literal["ollama", "openai"]
_SYSTEM = "You answer with one JSON object and nothing else. You use no tools."


class Preset(msgspec.Struct, frozen=True):
    """One call: a program with its options, or a server with its usual address.

    `optional` are options that make it cheaper or leave less behind; an older version that does
    not know them is called without.
    """

    name: PresetName
    program: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()
    model_option: str = ""
    last: tuple[str, ...] = ()
    usual_model: str = ""
    form: ServerForm | None = None
    url: str = ""
    path: str = ""
    todo: str = ""


_PRESETS: dict[str, Preset] = {
    preset.name: preset
    for preset in (
        Preset(
            "claude",
            program=("claude", "-p", "--output-format", "json"),
            optional=(
                *("--tools", "", "--no-session-persistence", "--strict-mcp-config"),
                *("--system-prompt", _SYSTEM),
            ),
            model_option="--model",
            usual_model="haiku",
            todo="Install Claude Code, and run `claude` once to log in.",
        ),
        Preset(
            "codex",
            program=("codex", "exec", "--json", "--skip-git-repo-check", "--sandbox", "read-only"),
            optional=("--ephemeral",),
            model_option="--model",
            last=("-",),
            todo="Install Codex, and run `codex login` once.",
        ),
        Preset(
            "ollama",
            form="ollama",
            url="http://127.0.0.1:11434",
            path="/api/chat",
            todo="Start it with `ollama serve`, or set [model] url.",
        ),
        Preset(
            "openai",
            form="openai",
            url="https://api.openai.com/v1",
            path="/chat/completions",
            todo="Set [model] url to the address under which /chat/completions is.",
        ),
        Preset("command", todo="Look at [model] command."),
    )
}


def preset_of(settings: ModelSettings) -> Preset | None:
    """The preset of the settings; None where no model is configured."""
    return _PRESETS.get(settings.preset)


def commands_of(settings: ModelSettings) -> list[tuple[str, ...]]:
    """The commands to try: with every option, then without those that a version may not know."""
    if settings.command:
        return [settings.command]
    preset = _PRESETS[settings.preset]
    name = model_of(settings)
    model = (preset.model_option, name) if name else ()
    plain = (*preset.program, *model, *preset.last)
    full = (*preset.program, *model, *preset.optional, *preset.last)
    return [full, plain] if preset.optional else [plain]


def model_of(settings: ModelSettings) -> str:
    """The model's name, as far as Helix knows it."""
    preset = preset_of(settings)
    return settings.model or (preset.usual_model if preset else "")


def url_of(settings: ModelSettings) -> str:
    """The address of a server's own call."""
    preset = _PRESETS[settings.preset]
    return (settings.url or preset.url).rstrip("/") + preset.path


def target_of(settings: ModelSettings) -> str:
    """Whom the settings ask, in one short text: an address, or a program."""
    preset = preset_of(settings)
    if preset is None:
        return ""
    return url_of(settings) if preset.form else commands_of(settings)[0][0]
