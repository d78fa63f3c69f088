"""Trajectory-aware evidence coordination for multi-step visual RAG: systems, protocol, records and studies."""
