"""What screens are put together of; widgets show snapshots and hold no truth."""
