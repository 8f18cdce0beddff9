"""What a session is called: by its agent, by what was asked, or by what was done."""
