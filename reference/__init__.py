"""The reference pages of docs/, made of the registries: `make docs` writes them."""
