"""Planted patterns that detection is not tuned on: other failures, wordings and noise."""

from score.held_out.catalog import CATALOGS, CAUSES, load_catalog
from score.held_out.loading import Planter, load_planter

__all__ = ["CATALOGS", "CAUSES", "Planter", "load_catalog", "load_planter"]
