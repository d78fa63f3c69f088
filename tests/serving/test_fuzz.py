"""More than a thousand requests that a fuzzer makes from the service's own description, against worker processes."""

from collections import Counter

import httpx2
import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import content_type_conformance, response_schema_conformance
from support.service import served
from support.tiny import Tiny

CHECKS = [not_a_server_error, response_schema_conformance, content_type_conformance]


@pytest.mark.slow
def test_a_fuzzer_breaks_and_stops_nothing(tiny: Tiny) -> None:
    words = [*tiny.command()[:3], "serve", *tiny.command()[3:], "retriever=bm25", "serve.port=0"]
    with served(words, tiny.folder, tiny.environment) as service:
        answers = Counter(wrong(service.url, 1000, GenerationMode.NEGATIVE)) + Counter(wrong(service.url, 200, GenerationMode.POSITIVE))
        workers = service.workers
        healthy = [httpx2.get(f"{service.url}/health", trust_env=False, timeout=10).status_code for _ in range(10)]
    assert (len(workers), healthy) == (2, [200] * 10)
    assert {status for mode, status in answers if mode is GenerationMode.POSITIVE} == {200}
    assert all(400 <= status < 500 for mode, status in answers if mode is GenerationMode.NEGATIVE)
    assert answers.total() >= 1100


def wrong(url: str, examples: int, mode: GenerationMode) -> list[tuple[GenerationMode, int]]:
    """The statuses of so many searches, bad (negative) or good, each checked against the description."""
    operation = schemathesis.openapi.from_url(f"{url}/openapi.json")["/search"]["POST"]
    found: list[tuple[GenerationMode, int]] = []

    @settings(max_examples=examples, suppress_health_check=list(HealthCheck))
    @given(case=operation.as_strategy(generation_mode=mode))
    def asked(case: schemathesis.Case) -> None:
        if mode is GenerationMode.POSITIVE:
            case.body["k"] = int(case.body["k"])  # 5.0 is an integer to JSON Schema, and none here
        answer = case.call(timeout=10)
        case.validate_response(answer, checks=CHECKS)
        found.append((mode, answer.status_code))

    asked()
    return found
