"""What overcame an error: how the next action like it that passed differs from it."""
