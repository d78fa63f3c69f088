import pytest
from hypothesis import given
from hypothesis import strategies as st

from taec.analysis.statistics import FEWEST_DOCUMENTS, breakdown, cluster_bootstrap, summarise, wilson

COUNTS = st.integers(1, 2000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


@given(COUNTS)
def test_an_interval_holds_its_share_and_stays_a_share(counts: tuple[int, int]) -> None:
    interval = wilson(*counts)
    assert 0 <= interval.low <= interval.value <= interval.high <= 1
    assert interval.low < interval.high


@given(COUNTS)
def test_more_questions_narrow_the_interval(counts: tuple[int, int]) -> None:
    right, n = counts
    few, many = wilson(right, n), wilson(4 * right, 4 * n)
    assert many.high - many.low < few.high - few.low


def test_wilson_is_scipys() -> None:
    stats = pytest.importorskip("scipy.stats")
    for right, n in [(0, 12), (7, 12), (97, 172), (308, 308)]:
        known = stats.binomtest(right, n).proportion_ci(0.95, method="wilson")
        ours = wilson(right, n)
        assert (ours.low, ours.high) == pytest.approx((known.low, known.high), abs=1e-9)


@given(st.lists(st.tuples(st.booleans(), st.sampled_from("abcdefgh")), min_size=1, max_size=60))
def test_a_bootstrap_is_a_share_and_repeatable(answers: list[tuple[bool, str]]) -> None:
    right, clusters = [one for one, _ in answers], [cluster for _, cluster in answers]
    interval = cluster_bootstrap(right, clusters)
    assert 0 <= interval.low <= interval.high <= 1
    assert interval == cluster_bootstrap(right, clusters)
    assert interval.value == sum(right) / len(right)


def test_questions_that_go_together_widen_the_interval() -> None:
    documents = [f"{at // 10}.pdf" for at in range(400)]
    together = [at // 10 % 2 == 0 for at in range(400)]
    apart = [at % 2 == 0 for at in range(400)]
    width = {
        name: (found := cluster_bootstrap(right, documents)).high - found.low for name, right in (("together", together), ("apart", apart))
    }
    plain = wilson(200, 400)
    assert width["apart"] < plain.high - plain.low < width["together"]


def test_documents_decide_the_method_where_there_are_enough(row) -> None:
    rows = [row(documents=(f"{at}.pdf",), correct=at % 3 == 0) for at in range(FEWEST_DOCUMENTS)]
    assert summarise(rows).accuracy.method == "document bootstrap"
    assert summarise(rows[1:]).accuracy.method == "wilson"
    assert summarise([one.model_copy(update={"correct": True}) for one in rows]).accuracy.method == "wilson"
    assert summarise([*rows, row(documents=())]).accuracy.method == "wilson"


def test_failures_count_as_wrong_and_unjudged_do_not_count(row) -> None:
    rows = [row(), row(correct=False), row(correct=None, failure="call_ceiling"), row(correct=True, failure="odd"), row(correct=None)]
    summary = summarise(rows)
    assert (summary.n, summary.right, summary.failed, summary.unjudged) == (5, 1, 2, 1)
    assert (summary.accuracy.value, summary.accuracy.n) == (1 / 4, 4)


def test_coverage_is_over_questions_with_gold_and_use_over_covered_ones(row) -> None:
    rows = [
        row(covered=True, all_gold_covered=True),
        row(covered=True, all_gold_covered=False, correct=False),
        row(covered=False, all_gold_covered=False),
        row(covered=None, all_gold_covered=None, correct=False),
        row(covered=True, all_gold_covered=True, correct=None),
    ]
    summary = summarise(rows)
    assert (summary.coverage, summary.all_gold_coverage, summary.use) == (3 / 4, 2 / 4, 1 / 2)
    assert summary.accuracy.value == 2 / 4


def test_costs_are_means_a_question(row) -> None:
    rows = [
        row(searches=1, context_bytes=100, peak_call_bytes=60, prompt_tokens=10, completion_tokens=1),
        row(searches=4, context_bytes=500, peak_call_bytes=90, prompt_tokens=30, completion_tokens=None),
    ]
    summary = summarise(rows)
    assert (summary.searches, summary.context_bytes, summary.total_context_bytes, summary.peak_call_bytes) == (2.5, 300, 600, 90)
    assert (summary.prompt_tokens, summary.completion_tokens) == (20, None)


def test_no_rows_are_no_numbers() -> None:
    summary = summarise([])
    assert (summary.n, summary.accuracy, summary.coverage, summary.use, summary.prompt_tokens) == (0, None, None, None, None)


def test_a_breakdown_counts_a_question_under_each_of_its_labels(row) -> None:
    rows = [
        row(sources=("text", "table"), hop="multi_hop", gold=("a", "b"), split="tune", documents=("b.pdf", "a.pdf")),
        row(sources=("table",), hop="single_hop", gold=tuple("abcdefghij"), split="report"),
        row(sources=(), hop="", gold=(), answerable=False, split="", documents=()),
    ]

    def counts(by) -> dict[str, int]:
        return {label: summary.n for label, summary in breakdown(rows, by).items()}

    assert counts("source") == {"table": 2, "text": 1, "unlabelled": 1}
    assert counts("hop") == {"multi_hop": 1, "single_hop": 1, "unlabelled": 1}
    assert list(counts("gold_pages")) == ["0", "2", "10"]
    assert counts("answerable") == {"answerable": 2, "not answerable": 1}
    assert counts("split") == {"report": 1, "tune": 1, "unlabelled": 1}
    assert counts("document") == {"a.pdf": 2, "b.pdf": 1, "unlabelled": 1}


def test_official_metrics_are_means_over_all_rows_or_left_out(row) -> None:
    rows = [row(scores={"em": 1.0, "anls": 1.0}), row(scores={"em": 0.0, "anls": 0.5}, failure="odd")]
    assert summarise(rows).scores == {"em": 0.5, "anls": 0.75}
    assert summarise([*rows, row(scores={"anls": 0.0})]).scores == {"anls": 0.5}
    assert summarise([*rows, row()]).scores == {}
