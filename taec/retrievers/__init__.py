"""Indices over captions: a query goes in, page ids and scores come out."""
