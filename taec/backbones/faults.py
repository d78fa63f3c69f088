"""Why an answer of an endpoint is no reply, and who has to act on it: by status, then by the body's fields, then by its words."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import Enum, auto

from pydantic import JsonValue

from taec.backbones.waits import objects, texts, told_wait

DETAIL_CHARACTERS = 600


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back over HTTP: status, headers in lower case, and the body as JSON, or as text where it is none."""

    status: int
    headers: Mapping[str, str]
    body: JsonValue
    is_json: bool = True


class Kind(Enum):
    """Who acts: the call waits, the key stops, the run stops, or the question ends with a row."""

    WAIT = auto()
    STOP_KEY = auto()
    STOP_RUN = auto()
    ROW = auto()


@dataclass(frozen=True, slots=True)
class Fault:
    """One failed request. `reason` is its name in the row, `wait` the seconds that the endpoint asked for."""

    kind: Kind
    reason: str
    detail: str
    wait: float | None = None


QUOTA_CODES = {"insufficient_quota", "exceeded_current_quota_error", "billing_hard_limit_reached", "insufficient_user_quota"}
QUOTA_WORDS = re.compile(
    r"insufficient[_ ](quota|balance|credits?)|usage limit|limit: 0\b|credit balance|balance.{0,40}(insufficient|empty)|billing hard limit",
    re.I,
)
QUOTA_CLAIM = re.compile(r"exceeded your current quota", re.I)
OVERLOAD_WORDS = re.compile(r"overloaded|engine_overloaded|at capacity|\bUNAVAILABLE\b", re.I)
RATE_WORDS = re.compile(r"rate[_ ]?limit|too many requests|throttling_error|RESOURCE_EXHAUSTED", re.I)
TOO_LARGE = re.compile(r"request too large", re.I)
LIMIT_AND_REQUESTED = re.compile(r"limit[: ]+(\d+).{0,40}requested[: ]+(\d+)", re.I)
CONTEXT_WORDS = re.compile(
    r"context[_ ](length|window)|maximum (context|input|prompt)|exceeded model token limit|prompt is too long|too many (input )?tokens"
    r"|input token count.{0,40}exceeds|longer than the (maximum )?model",
    re.I,
)
FILTER_WORDS = re.compile(
    r"content_policy|content_filter|content management policy|invalid_prompt|cyber_policy|moderation|flagged|high risk", re.I
)
KEY_WORDS = re.compile(r"api[_ ]key[_ ]?(not[_ ]valid|invalid)|(invalid|incorrect)[_ ]api[_ ]key|API_KEY_INVALID", re.I)
STATUS_NAMES = {
    "RESOURCE_EXHAUSTED": 429, "UNAVAILABLE": 503, "INVALID_ARGUMENT": 400, "FAILED_PRECONDITION": 400, "UNAUTHENTICATED": 401,
    "PERMISSION_DENIED": 403, "NOT_FOUND": 404, "INTERNAL": 500, "DEADLINE_EXCEEDED": 504,
}  # fmt: skip


def fault_of(answer: Answer, holds: str = "choices") -> Fault | None:
    """What is wrong with an answer, None where its body has the field `holds`, the one of a completion unless said otherwise.

    That field may still hold nothing of use: that is for whoever reads it.
    """
    if answer.status >= 400:
        return _classified(answer.status, answer)
    if not answer.is_json or not isinstance(answer.body, dict):
        reason = "not_a_completion" if answer.is_json or str(answer.body).lstrip()[:1] not in ("", "{", "[") else "unreadable_body"
        if isinstance(answer.body, list) and any("error" in item for item in objects(answer.body)):
            return _classified(_embedded_status(answer.body), answer)
        return Fault(Kind.ROW, reason, _detail(answer))
    choices = answer.body.get("choices")
    first = choices[0] if isinstance(choices, list) and choices else None
    error = answer.body.get("error") or (first.get("error") if isinstance(first, dict) else None)
    if error:
        return _embedded(error, answer)
    if holds not in answer.body:
        return Fault(Kind.ROW, "not_a_completion" if holds == "choices" else f"no_{holds}", _detail(answer))
    return None


def _embedded(error: JsonValue, answer: Answer) -> Fault:
    """An error inside a 200: gateways commit the status before the upstream has run."""
    status = _embedded_status(error)
    inner = Answer(answer.status, answer.headers, {"error": error})
    if status in (502, 503, 504):
        return _overload(inner)
    return _classified(status, inner)


def _embedded_status(error: JsonValue) -> int:
    for item in objects(error):
        for name in ("code", "status", "status_code"):
            value = str(item.get(name, ""))
            if value.isdecimal() and 400 <= int(value) < 600:
                return int(value)
            if value in STATUS_NAMES:
                return STATUS_NAMES[value]
    said = " ".join(texts(error))
    return 429 if RATE_WORDS.search(said) else 503 if OVERLOAD_WORDS.search(said) else 500


def _classified(status: int, answer: Answer) -> Fault:
    said = " ".join(texts(answer.body))
    codes = {str(item.get(name, "")) for item in objects(answer.body) for name in ("code", "type")}
    if status == 429:
        return _refused(answer, said, codes)
    if status in (503, 529):
        return _overload(answer)
    if status == 402 or (status == 403 and (QUOTA_WORDS.search(said) or codes & QUOTA_CODES)):
        return Fault(Kind.STOP_KEY, "quota_exhausted", _detail(answer))
    if FILTER_WORDS.search(said) and status < 500:
        return Fault(Kind.ROW, "content_filter", _detail(answer))
    if status in (401, 403) or (status == 400 and KEY_WORDS.search(said)):
        return Fault(Kind.STOP_RUN, "key_refused", _detail(answer))
    if status in (400, 500) and (codes & {"rate_limit_exceeded", "throttling_error", "rate_limit_error"} or "RateLimitError" in said):
        return _refused(answer, said, codes)
    if status == 413:
        return Fault(Kind.ROW, "body_too_large", _detail(answer))
    if status == 408:
        return Fault(Kind.ROW, "timeout", _detail(answer))
    if status < 500:
        return Fault(Kind.ROW, "context_overflow" if CONTEXT_WORDS.search(said) else "request_fault", _detail(answer))
    return _overload(answer) if OVERLOAD_WORDS.search(said) else Fault(Kind.ROW, "server_error", _detail(answer))


def _refused(answer: Answer, said: str, codes: set[str]) -> Fault:
    """A 429 is one of four: wait, overloaded, used up for good, or larger than the limit itself.

    OpenAI's words for an empty account are Gemini's words for a full minute, so Google's quota ids and RetryInfo are read before them.
    """
    wait = told_wait(answer.headers, answer.body, datetime.now(UTC))
    quotas = [str(item["quotaId"]) for item in objects(answer.body) if "quotaId" in item]
    numbers = LIMIT_AND_REQUESTED.search(said)
    if "engine_overloaded_error" in codes or (OVERLOAD_WORDS.search(said) and not quotas):
        return _overload(answer)
    if any("PerDay" in quota for quota in quotas) or codes & QUOTA_CODES or QUOTA_WORDS.search(said):
        return Fault(Kind.STOP_KEY, "quota_exhausted", _detail(answer))
    if QUOTA_CLAIM.search(said) and not quotas and wait is None:
        return Fault(Kind.STOP_KEY, "quota_exhausted", _detail(answer))
    if TOO_LARGE.search(said) and (numbers is None or int(numbers.group(2)) > int(numbers.group(1))):
        return Fault(Kind.ROW, "request_too_large", _detail(answer))
    if answer.headers.get("x-should-retry", "").lower() == "false":
        return Fault(Kind.ROW, "rate_limit_final", _detail(answer))
    return Fault(Kind.WAIT, "rate_limit", _detail(answer), wait)


def _overload(answer: Answer) -> Fault:
    return Fault(Kind.WAIT, "overload", _detail(answer), told_wait(answer.headers, answer.body, datetime.now(UTC)))


def _detail(answer: Answer) -> str:
    """Status, request id and the beginning of the body: the SDK's own text drops bodies that are lists."""
    body = json.dumps(answer.body, ensure_ascii=False) if answer.is_json else str(answer.body)
    request = answer.headers.get("x-request-id", "")
    said = " ".join(body.split())[:DETAIL_CHARACTERS]
    return f"HTTP {answer.status}{f' (request {request})' if request else ''}: {said}"
