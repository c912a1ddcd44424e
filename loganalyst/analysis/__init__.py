"""What SQL cannot say well: placement by hash, rollout and broker-loss simulation, the checks."""
