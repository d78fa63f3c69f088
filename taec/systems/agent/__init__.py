"""The DAG agent and the three strategies that TAEC hands to it."""
