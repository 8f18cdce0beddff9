"""What foreign text goes through before it meets a screen, a path, a file or a wire."""
