"""What travels between a retrieval service (`serve retriever=...`) and its client (`retriever=http`): identifiers and scores only."""

import re
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, FiniteFloat, JsonValue, field_validator

SERVICE_VERSION: Literal["1"] = "1"
"""Raised when a client of before would misread an answer."""
INDEX_HEADER = "x-taec-index"
"""The header of a search's answer that carries the digest of the searched index."""
CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
"""Characters that no query holds; tab and line breaks are white space."""
DESCRIBED: dict[str, JsonValue] = {"pattern": r"^[^\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]*$"}
"""The same for OpenAPI. It is not what pydantic checks: its message would be the pattern."""


class SearchRequest(BaseModel):
    """One query. An empty one gives no hits."""

    model_config = ConfigDict(extra="forbid", strict=True)

    query: Annotated[str, Field(json_schema_extra=DESCRIBED)]
    k: Annotated[int, Field(ge=1)]

    @field_validator("query")
    @classmethod
    def _is_text(cls, query: str) -> str:
        if CONTROL.search(query):
            raise ValueError("holds control characters")
        return query


class FoundPage(BaseModel):
    """A page and its score, on the retriever's own scale: the higher the better."""

    page_id: str
    score: FiniteFloat


class SearchAnswer(BaseModel):
    """At most k pages, best first, none twice."""

    hits: list[FoundPage]


class IndexFacts(BaseModel):
    """Identity of the index: its kind and settings in words, number of pages, digest in hex."""

    name: str
    pages: int
    digest: str


class CollectionFacts(BaseModel):
    """Identity of the pages behind the index: digest over documents and rendering, sha256 of the captions file, both in hex."""

    digest: str
    captions_sha256: str


class ServiceLimits(BaseModel):
    """The most that one search may ask for."""

    max_k: Annotated[int, Field(ge=1)]
    max_query_characters: Annotated[int, Field(ge=1)]


class Version(BaseModel):
    """What is served. `fingerprint`: 16 hex digits over the answers to eight fixed queries (specification, section 9)."""

    service: Literal["1"]
    taec: str
    index: IndexFacts
    collection: CollectionFacts
    fingerprint: str
    limits: ServiceLimits


class Health(BaseModel):
    """A worker that answers."""

    status: Literal["ok"]


class ErrorFacts(BaseModel):
    """What is wrong, for a person (`message`) and for a program (`code`)."""

    message: str
    type: str
    param: None
    code: str


class ErrorAnswer(BaseModel):
    """The body of every answer that refuses."""

    error: ErrorFacts
