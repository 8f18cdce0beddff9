"""The bundled sample."""
