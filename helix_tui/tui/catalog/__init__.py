"""The catalog screen: patterns over the page of one, and its versions."""
