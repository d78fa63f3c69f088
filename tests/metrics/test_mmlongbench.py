"""Expected scores were read off upstream's `eval_score` (commit 263f15d), which agrees with ours on 58,669 of 58,671 pairs made from
both releases; on the other two, with an empty list as reference, upstream raises."""

import pytest

from taec.metrics.mmlongbench import cleaned, score


@pytest.mark.parametrize(
    ("answer", "reference", "form", "expected"),
    [
        ("7", "7", "Int", 1),
        ("7.9", "7", "Int", 1),  # cut off, not rounded
        ("seven", "7", "Int", 0),
        ("7 (of 9)", "7", "Int", 0),
        ("1e400", "7", "Int", 0),
        ("21%", "21%", "Int", 0),  # a reference that no answer can meet
        ("0.45", "45", "Float", 1),
        ("45%", "0.45", "Float", 1),
        ("$45.3", "45", "Float", 1),
        ("45.6", "45", "Float", 0),
        ("0.0012", "0.001", "Float", 1),  # rounded to the digits of the shorter
        ("about 45", "45", "Float", 0),
        ("nan", "45", "Float", 0),
        ("Less well-off", "Less well-off", "Str", 1),
        ("less well off", "Less well-off", "Str", 12 / 13),
        ("well", "Less well-off", "Str", 0),
        ('"Stage 5" (figure 2)', "Stage 5", "Str", 1),
        ("2016-06-09", "2016-06-08", "Str", 0),
        ("Page 3", "page 4", "Str", 0),
        ("https://a.org/b", "https://a.org/c", "Str", 0),
        ("not answerable", "Not answerable", "None", 1),
        ("I cannot tell", "Not answerable", "None", 0),
    ],
)
def test_single_answers(answer: str, reference: str, form: str, expected: float) -> None:
    assert score(answer, reference, form) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("answer", "items", "expected"),
    [
        ("['b', 'A']", ("a", "b"), 1),
        ("a, b", ("a", "b"), 0),  # one item: upstream reads lists in brackets only
        ("['alpha', 'gamma']", ("alpha", "gamna"), 4 / 5),
        ("['5.3%', '5.2%']", ("5.2%", "5.3%"), 1),
        ("['5.30', '5.2']", ("5.2", "5.3"), 0),
        ("['a']", ("a", "b"), 0),
        ("[]", ("a",), 0),
        ("92", ("92",), 1),
        ("[1, 2.5]", ("1", "2.5"), 1),
        ("['a', __import__('os').getcwd()]", ("a", "b"), 0),
        ("['a'", ("a",), 0),
        ("[" * 9_000, ("a",), 0),
        ("[" + "-" * 9_000 + "1]", ("a",), 0),
        ("['" + "a" * 20_000 + "']", ("a",), 0),
    ],
)
def test_lists(answer: str, items: tuple[str, ...], expected: float) -> None:
    assert score(answer, ", ".join(items), "List", items) == pytest.approx(expected)


def test_what_a_model_wrote_is_never_run(tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    score("[open('made', 'w').close()]", "a", "List", ("a",))
    assert not list(tmp_path.iterdir())


def test_only_outer_signs_are_cleaned() -> None:
    assert cleaned("  $$1,200 (USD) ") == "1,200"
    assert cleaned("5 miles") == "5 miles"
