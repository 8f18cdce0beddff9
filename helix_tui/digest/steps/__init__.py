"""The steps of a fold: what each kind of event does to what is known of its part."""
