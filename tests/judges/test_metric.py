import pytest
import yaml

from taec.core.questions import Question
from taec.experiment.locations import shipped
from taec.judges.metric import MetricJudge, Settings, build

QUESTION = Question("q", "Which engine?", ("The Lycoming O-320", "O-320"), "Str", True)


def judge(name: str) -> MetricJudge:
    return build(Settings(**yaml.safe_load((shipped("conf") / f"judge/{name}.yaml").read_text(encoding="utf-8"))))


@pytest.mark.parametrize(
    ("name", "right", "wrong"),
    [
        ("exact_match", "O-320", "o-320"),
        ("normalised_match", "lycoming o 320", "Lycoming"),
        ("slidevqa_em", "Lycoming O320!", "O-320"),
        ("slidevqa_f1", "engine Lycoming O-320", "an engine called Lycoming"),
        ("mmlongbench_score", "The Lycoming O-230", "Rotax"),
        ("anls", "O-321", "Rotax"),
    ],
)
async def test_every_shipped_one_rules(name: str, right: str, wrong: str) -> None:
    verdicts = await judge(name).judge([(QUESTION, right), (QUESTION, wrong)])
    assert [verdict.correct for verdict in verdicts] == [True, False]
    assert verdicts[0].rule.startswith("score ")


def test_the_version_names_metric_and_threshold() -> None:
    assert judge("slidevqa_f1").version == "1, f1 from 0.5"
