from taec.analysis.retrieval import by_label, interval, means, pairs
from taec.analysis.retrieval_tables import label_table, pairs_table, retrievers_table
from taec.records.rankings import Ranking


def ranking(at: int, score: float, **labels: object) -> Ranking:
    scores = dict.fromkeys(("hit@1", "recall@1", "all_gold@1", "ndcg@1", "mrr"), score)
    plain = Ranking(
        retriever="r", question_id=f"q{at}", question="?", pages=(), gold=("a",), stand_ins=(), hop="single_hop", sources=("text",),
        documents=(f"{at}.pdf",), scores=scores,
    )  # fmt: skip
    return plain.model_copy(update=labels)


def test_a_share_over_few_documents_has_wilsons_interval_and_any_other_mean_a_bootstrap() -> None:
    assert interval([1.0, 0.0, 1.0], ["a", "b", "c"]).method == "wilson"
    assert interval([1.0, 0.5, 1.0], ["a", "b", "c"]).method == "question bootstrap"
    many = [str(at) for at in range(30)]
    assert interval([at % 2 for at in range(30)], many).method == "document bootstrap"
    assert interval([1.0] * 30, many).method == "wilson"
    assert interval([0.5, 1.0] * 15, [""] * 30).method == "question bootstrap"


def test_documents_that_go_together_widen_an_interval() -> None:
    values = [float(at // 10 % 2) for at in range(400)]
    together = interval(values, [str(at // 10) for at in range(400)])
    alone = interval(values, [str(at) for at in range(400)])
    assert together.value == alone.value == 0.5
    assert together.high - together.low > 2 * (alone.high - alone.low)


def test_a_question_counts_under_each_of_its_sources() -> None:
    found = by_label([ranking(1, 1.0, sources=("text", "table")), ranking(2, 0.0), ranking(3, 0.0, sources=())], "source")
    assert {name: (part["mrr"].value, part["mrr"].n) for name, part in found.items()} == {
        "table": (1.0, 1), "text": (0.5, 2), "unlabelled": (0.0, 1),
    }  # fmt: skip
    assert list(by_label([ranking(1, 1.0, hop="")], "hop")) == ["unlabelled"]
    assert means([]) == {}


def test_a_difference_is_the_second_less_the_first_question_by_question() -> None:
    one = [ranking(at, float(at % 2)) for at in range(40)]
    other = [ranking(at, float(at % 2 or at < 10)) for at in range(40)]
    (pair,) = pairs({"one": one, "other": other})
    difference = pair.differences["hit@1"]
    assert (pair.first, pair.second, difference.value) == ("one", "other", 5 / 40)
    assert 0 < difference.low < difference.value < difference.high
    (same,) = pairs({"one": one, "again": one})
    assert (same.differences["hit@1"].low, same.differences["hit@1"].high) == (0, 0)


def test_tables_name_every_retriever_cut_and_group() -> None:
    rows = {"one": [ranking(at, float(at % 2)) for at in range(4)], "other": [ranking(at, 1.0) for at in range(4)]}
    whole = retrievers_table({name: means(found) for name, found in rows.items()}, [1], "Retrieval").markdown()
    assert "| one | 1 | 50.0 [15.0, 85.0] | 50.0 | 50.0 | 0.500 | 0.500 |" in whole
    assert "no model is involved" in whole
    groups = label_table({name: by_label(found, "hop") for name, found in rows.items()}, "hop", [1])
    assert [line[:3] for line in groups.rows] == [["single_hop", "one", "4"], ["single_hop", "other", "4"]]
    assert pairs_table(pairs(rows), [1]).rows[0][:2] == ["other - one", "1"]
