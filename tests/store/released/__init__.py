"""Small stores as each released schema left them, and the script that made them."""
