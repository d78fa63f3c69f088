from taec.core.questions import Question
from taec.metrics.official import METRICS, scores

QUESTION = Question("q", "Which engines?", ("Lycoming, Rotax", "Rotax and Lycoming"), "List", True, items=("Lycoming", "Rotax"))


def test_a_benchmarks_own_metrics_come_first_and_anls_always() -> None:
    assert scores(QUESTION, "['Rotax', 'Lycoming']", ("mmlongbench",))["mmlongbench"] == 1
    assert list(scores(QUESTION, "x", ("em", "f1"))) == ["em", "f1", "anls"]
    assert scores(QUESTION, "rotax and lycoming", ()) == {"anls": 1.0}


def test_no_answer_scores_nothing_even_where_nothing_can_be_answered() -> None:
    unanswerable = Question("q", "Why?", ("",), "None", False)
    for answer in (None, "", "  "):
        assert set(scores(unanswerable, answer, METRICS).values()) == {0.0}
