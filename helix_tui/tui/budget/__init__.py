"""The budget screen: what is kept by tier and agent, and what goes next and why."""
