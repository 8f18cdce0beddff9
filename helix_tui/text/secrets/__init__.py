"""Where secrets stand in a text: keys of providers, values of telling names, what is told by its surroundings."""
