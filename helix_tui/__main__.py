"""Runs the `helix` command as `python -m helix_tui`."""

from helix_tui.cli.start import main

if __name__ == "__main__":
    main()
