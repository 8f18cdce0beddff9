"""The colours: dark, light, one of high contrast, the terminal's own; none tells anything alone."""

from __future__ import annotations

from textual.theme import Theme

# What our styles name besides the colours that every theme has: `dim` is text that is read last,
# `here` where one is, which has to be told without colours too, `frame` the lines around panes,
# `cursor` the line that keys are for.
VARIABLES = {
    "dim": "#949db0",
    "dim-style": "none",
    "here-style": "none",
    "frame": "#4a5266",
    "cursor": "#2a3350",
    "cursor-style": "bold",
}
# What stands in an empty field; as it comes it is too faint to be read on a light ground.
_HINTS = {"text-disabled": "auto 60%"}
DARK = Theme(
    name="helix-dark",
    primary="#7aa2f7",
    secondary="#9ece6a",
    accent="#7dcfff",
    warning="#e0af68",
    error="#f7768e",
    success="#9ece6a",
    foreground="#c8d0e0",
    background="#15171e",
    surface="#15171e",
    panel="#2a2f3d",
    dark=True,
    variables={**VARIABLES, **_HINTS},
)
LIGHT = Theme(
    name="helix-light",
    primary="#2e5fb3",
    secondary="#3c6e1f",
    accent="#0b5f7a",
    warning="#7a4f00",
    error="#b3203b",
    success="#3c6e1f",
    foreground="#1f2430",
    background="#fafafa",
    surface="#fafafa",
    panel="#dfe4ee",
    dark=False,
    variables={
        **VARIABLES,
        **_HINTS,
        "dim": "#575f70",
        "frame": "#a3abba",
        "cursor": "#d5e0f5",
    },
)
CONTRAST = Theme(
    name="helix-contrast",
    primary="#ffffff",
    secondary="#00ff5f",
    accent="#00ffff",
    warning="#ffff00",
    error="#ff8080",
    success="#00ff5f",
    foreground="#ffffff",
    background="#000000",
    surface="#000000",
    panel="#303030",
    dark=True,
    variables={
        **VARIABLES,
        **_HINTS,
        "dim": "#d0d0d0",
        "frame": "#ffffff",
        "cursor": "#003a80",
        "cursor-style": "bold underline",
    },
)
# The sixteen colours that a terminal was set up with, and its own background.
ANSI = Theme(
    name="helix-ansi",
    ansi=True,
    primary="ansi_blue",
    secondary="ansi_cyan",
    accent="ansi_cyan",
    warning="ansi_yellow",
    error="ansi_red",
    success="ansi_green",
    foreground="ansi_default",
    background="ansi_default",
    surface="ansi_default",
    panel="ansi_default",
    boost="ansi_default",
    dark=True,
    variables={
        "dim": "ansi_default",
        "dim-style": "dim",
        "here-style": "bold underline",
        "frame": "ansi_default",
        "cursor": "ansi_default",
        "cursor-style": "bold reverse",
        "ansi-background": "ansi_black",
        "ansi-foreground": "ansi_white",
        "border-blurred": "ansi_default",
        "block-cursor-foreground": "ansi_black",
        "block-cursor-background": "ansi_white",
        "input-cursor-background": "ansi_white",
        "input-cursor-foreground": "ansi_black",
        "input-cursor-text-style": "none",
        "input-selection-background": "ansi_blue",
        "input-selection-foreground": "ansi_white",
        "screen-selection-background": "ansi_blue",
        "screen-selection-foreground": "ansi_white",
    },
)
THEMES = (DARK, LIGHT, CONTRAST, ANSI)
TITLES = {
    DARK.name: "dark",
    LIGHT.name: "light",
    CONTRAST.name: "high contrast",
    ANSI.name: "the terminal's own colours",
}


def next_theme(name: str) -> str:
    """The theme behind another, and behind the last the first."""
    names = list(TITLES)
    return names[(names.index(name) + 1) % len(names)] if name in names else names[0]


def starting_theme(remembered: str, *, is_plain: bool) -> str:
    """The theme to start with: without colours that of the terminal, else the last one."""
    if is_plain:
        return ANSI.name
    return remembered if remembered in TITLES else DARK.name
