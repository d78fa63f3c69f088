"""Studies: Optuna over configurations. Asked and told by us, so that trials resume, share work and are pruned on the same questions."""
