"""The colours: dark, light, and one of high contrast; nothing is told by colour alone."""

from __future__ import annotations

from textual.theme import Theme

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
)
LIGHT = Theme(
    name="helix-light",
    primary="#2e5fb3",
    secondary="#3c6e1f",
    accent="#0f6a88",
    warning="#8a5a00",
    error="#b3203b",
    success="#3c6e1f",
    foreground="#1f2430",
    background="#fafafa",
    surface="#fafafa",
    panel="#dfe4ee",
    dark=False,
)
CONTRAST = Theme(
    name="helix-contrast",
    primary="#ffffff",
    secondary="#00ff5f",
    accent="#00ffff",
    warning="#ffff00",
    error="#ff5f5f",
    success="#00ff5f",
    foreground="#ffffff",
    background="#000000",
    surface="#000000",
    panel="#303030",
    dark=True,
)
THEMES = (DARK, LIGHT, CONTRAST)
