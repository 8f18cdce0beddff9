"""What every screen is built on: `screen.py` the base class, `dialogs.py` questions."""
