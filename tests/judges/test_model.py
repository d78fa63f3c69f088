"""A model as judge: the prompt, the tag, asking again, and trouble that is no verdict."""

from collections.abc import Iterator

import pytest
from support.standin import Say, Standin, say

from taec.core.errors import UsageError
from taec.core.questions import Question
from taec.experiment.compose import configurations
from taec.judges import gpt_4_1
from taec.judges.model import PROMPT, verdict

QUESTION = Question("q1", "How many {braces}?", ("17",), "Int", True)


@pytest.fixture
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-judge-0123456789")


@pytest.fixture
def standin() -> Iterator[Standin]:
    with Standin().running() as server:
        yield server


def judge(url: str) -> gpt_4_1.model.ModelJudge:
    (config,) = configurations(["judge=gpt_4_1", f"judge.model.base_url={url}"])
    settings = config.options["judge"]
    assert isinstance(settings, gpt_4_1.Settings)
    return gpt_4_1.build(settings)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<judge>True</judge>", True),
        ("It matches.\n<judge> false </judge>", False),
        ("<JUDGE>TRUE</JUDGE> so <judge>True</judge>", True),
        ("<judge>True or False</judge>", None),
        ("<judge>True</judge> no: <judge>False</judge>", None),
        ("True", None),
        ("", None),
    ],
)
def test_only_a_tag_is_a_verdict(text: str, expected: bool | None) -> None:
    assert verdict(text) is expected


async def test_the_papers_prompt_at_temperature_0(key: None, standin: Standin) -> None:
    standin._answers.append(say("<judge>True</judge>"))
    asked = judge(standin.url)
    (found,) = await asked.judge([(QUESTION, "17 {query}")])
    await asked.close()
    assert (found.correct, found.rule, len(found.calls)) == (True, "model m-1", 1)
    body = standin.seen[0].body
    assert (body["model"], body["temperature"]) == ("gpt-4.1", 0.0)
    assert body["messages"] == [
        {"role": "user", "content": PROMPT.format(query="How many {braces}?", reference_answer="17", generated_answer="17 {query}")}
    ]


async def test_anything_else_is_asked_again(key: None, standin: Standin) -> None:
    standin._answers += [say("Yes."), Say({"error": {"message": "oops"}}, 500), say("<judge>False</judge>")]
    asked = judge(standin.url)
    (found,) = await asked.judge([(QUESTION, "18")])
    await asked.close()
    assert (found.correct, len(found.calls), len(standin.seen)) == (False, 3, 3)


async def test_after_the_attempts_there_is_no_verdict(key: None, standin: Standin) -> None:
    asked = judge(standin.url)
    (found,) = await asked.judge([(QUESTION, "18")])
    await asked.close()
    assert (found.correct, found.rule, len(standin.seen)) == (None, "no verdict in 3 calls: no tag, no tag, no tag", 3)


def test_a_missing_key_is_told_under_the_judges_own_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(UsageError, match=r"OPENAI_API_KEY is not set.*judge\.model\.api_key_env"):
        judge("http://127.0.0.1:1/v1")
