"""Worker processes that read and fold units while one writer stores them."""
