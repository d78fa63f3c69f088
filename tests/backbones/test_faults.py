"""Why an answer is no reply: the shapes in which providers say so, as they were collected."""

import pytest
from pydantic import JsonValue
from support.standin import completion

from taec.backbones.faults import Answer, Kind, fault_of

GEMINI_MINUTE = [
    {"error": {"code": 429, "status": "RESOURCE_EXHAUSTED",
               "message": "You exceeded your current quota, please check your plan and billing details.",
               "details": [{"violations": [{"quotaId": "GenerateRequestsPerMinutePerProjectPerModel"}]}, {"retryDelay": "45.8s"}]}}
]  # fmt: skip
GEMINI_DAY = [
    {"error": {"code": 429, "message": "Quota exceeded", "details": [{"violations": [{"quotaId": "GenerateRequestsPerDayPerProject"}]}]}}
]
CASES: list[tuple[int, JsonValue, Kind, str]] = [
    (429, {"error": {"code": "rate_limit_exceeded", "message": "Rate limit: Limit 3, Used 3, Requested 1."}}, Kind.WAIT, "rate_limit"),
    (429, {"error": {"type": "rate_limit_reached_error", "message": "max RPM: 20"}}, Kind.WAIT, "rate_limit"),
    (429, GEMINI_MINUTE, Kind.WAIT, "rate_limit"),
    (429, None, Kind.WAIT, "rate_limit"),
    (429, "<html>slow down</html>", Kind.WAIT, "rate_limit"),
    (400, {"error": {"type": "throttling_error", "message": "litellm.RateLimitError"}}, Kind.WAIT, "rate_limit"),
    (429, {"error": {"type": "engine_overloaded_error", "message": "The engine is currently overloaded"}}, Kind.WAIT, "overload"),
    (503, [{"error": {"code": 503, "status": "UNAVAILABLE", "message": "The model is overloaded."}}], Kind.WAIT, "overload"),
    (529, {"error": {"message": "overloaded_error"}}, Kind.WAIT, "overload"),
    (429, GEMINI_DAY, Kind.STOP_KEY, "quota_exhausted"),
    (429, [{"error": {"code": 429, "message": "Quota exceeded for free_tier, limit: 0, model: m"}}], Kind.STOP_KEY, "quota_exhausted"),
    (429, {"error": {"code": "insufficient_quota", "message": "You exceeded your current quota"}}, Kind.STOP_KEY, "quota_exhausted"),
    (429, {"error": {"code": "429", "message": "RateLimitError: You exceeded your current quota, please check your plan"}}, Kind.STOP_KEY,
     "quota_exhausted"),
    (429, {"error": {"type": "exceeded_current_quota_error", "message": "suspended"}}, Kind.STOP_KEY, "quota_exhausted"),
    (429, {"error": {"message": "You've reached your usage limit for this period"}}, Kind.STOP_KEY, "quota_exhausted"),
    (402, {"error": {"code": 402, "message": "Insufficient credits"}}, Kind.STOP_KEY, "quota_exhausted"),
    (403, {"error": {"message": "Your account balance is insufficient"}}, Kind.STOP_KEY, "quota_exhausted"),
    (429, {"error": {"message": "Request too large on TPM: Limit 30000, Requested 45000."}}, Kind.ROW, "request_too_large"),
    (401, {"error": {"message": "Incorrect API key provided"}}, Kind.STOP_RUN, "key_refused"),
    (403, {"error": {"message": "Forbidden"}}, Kind.STOP_RUN, "key_refused"),
    (400, [{"error": {"code": 400, "message": "API key not valid.", "reason": "API_KEY_INVALID"}}], Kind.STOP_RUN, "key_refused"),
    (403, {"error": {"message": "Input was flagged by moderation"}}, Kind.ROW, "content_filter"),
    (400, {"error": {"code": "content_policy_violation", "message": "no"}}, Kind.ROW, "content_filter"),
    (400, {"error": {"message": "This model's maximum context length is 4096 tokens"}}, Kind.ROW, "context_overflow"),
    (400, {"error": {"message": "Invalid request: Your request exceeded model token limit: 262144"}}, Kind.ROW, "context_overflow"),
    (400, {"detail": "nope"}, Kind.ROW, "request_fault"),
    (404, None, Kind.ROW, "request_fault"),
    (422, {"detail": [{"loc": ["body"]}]}, Kind.ROW, "request_fault"),
    (413, "<html>Payload too large</html>", Kind.ROW, "body_too_large"),
    (500, {"error": {"message": "EngineCore encountered an issue"}}, Kind.ROW, "server_error"),
    (502, "<html>Bad gateway</html>", Kind.ROW, "server_error"),
    (408, None, Kind.ROW, "timeout"),
    # errors inside a 200
    (200, {"error": {"code": 429, "message": "slow down"}, "choices": None}, Kind.WAIT, "rate_limit"),
    (200, {"error": {"code": "502", "message": "upstream"}}, Kind.WAIT, "overload"),
    (200, {"error": {"code": 400, "message": "bad"}}, Kind.ROW, "request_fault"),
    (200, {"error": "something"}, Kind.ROW, "server_error"),
    (200, {"choices": [{"error": {"code": 503, "message": "x"}, "finish_reason": "error"}]}, Kind.WAIT, "overload"),
    (200, [{"error": {"code": 429, "status": "RESOURCE_EXHAUSTED"}}], Kind.WAIT, "rate_limit"),
    (200, {"object": "page"}, Kind.ROW, "not_a_completion"),
    (200, None, Kind.ROW, "not_a_completion"),
    (200, 7, Kind.ROW, "not_a_completion"),
]  # fmt: skip


@pytest.mark.parametrize(("status", "body", "kind", "reason"), CASES)
def test_faults(status: int, body: JsonValue, kind: Kind, reason: str) -> None:
    fault = fault_of(Answer(status, {}, body))
    assert fault is not None
    assert (fault.kind, fault.reason) == (kind, reason)
    assert fault.detail.startswith(f"HTTP {status}")


def test_a_429_that_says_not_to_retry_is_final() -> None:
    fault = fault_of(Answer(429, {"x-should-retry": "false"}, {"error": {"message": "no"}}))
    assert fault is not None
    assert (fault.kind, fault.reason) == (Kind.ROW, "rate_limit_final")


@pytest.mark.parametrize(
    ("text", "reason"), [('{"choices": [', "unreadable_body"), ("", "unreadable_body"), ("<html>", "not_a_completion")]
)
def test_a_200_that_is_no_json(text: str, reason: str) -> None:
    fault = fault_of(Answer(200, {}, text, is_json=False))
    assert fault is not None
    assert fault.reason == reason


def test_a_completion_is_no_fault() -> None:
    assert fault_of(Answer(200, {}, completion("hello"))) is None
    assert fault_of(Answer(200, {}, {"choices": []})) is None
