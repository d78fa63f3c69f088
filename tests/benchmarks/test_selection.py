import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.benchmarks import read, values
from support.tiny import Tiny

from taec.benchmarks.sample import Settings
from taec.benchmarks.selection import digest, in_order, read_ids
from taec.core.errors import UsageError
from taec.core.questions import Question


def questions(ids: list[str]) -> list[Question]:
    return [Question(key, key, ("answer",), "Str", answerable=True) for key in ids]


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=8), unique=True, max_size=30), st.randoms(use_true_random=False))
def test_the_order_is_the_same_for_every_file_order(ids: list[str], shuffler: random.Random) -> None:
    everything = in_order(questions(ids))
    assert sorted(question.id for question in everything) == sorted(ids)
    shuffler.shuffle(ids)
    assert in_order(questions(ids)) == everything


def test_the_order_is_a_fixed_one() -> None:
    assert [question.id for question in in_order(questions(["a", "b", "c", "d"]))] == ["d", "c", "b", "a"]


def ids(select: dict[str, object] | None = None, limit: int | None = None, split: str = "all") -> list[str]:
    return [question.id for question in read("sample", select, limit=limit, split=split).questions]


def test_what_is_selected_meets_all_that_is_set_and_keeps_the_order() -> None:
    whole = read("sample", limit=None, split="all").questions
    chosen = {"sources": ["TABLE", "chart"], "hops": "multi_hop", "answerable": True}
    expected = [q.id for q in whole if q.hop == "multi_hop" and q.answerable and set(q.sources) & {"table", "chart"}]
    assert ids(chosen) == expected
    assert 0 < len(expected) < len(whole)
    assert ids(chosen, limit=3) == expected[:3]
    assert ids({"answerable": False}) == [q.id for q in whole if not q.answerable]
    assert ids({"documents": ["PerksPlus.pdf"]}) == [q.id for q in whole if "PerksPlus.pdf" in q.documents]
    everything = read("sample", {"documents": "PerksPlus.pdf"}, limit=None, split="all")
    assert len(everything.documents) == 35


def test_a_larger_sample_contains_a_smaller_one_and_another_seed_draws_another() -> None:
    small, large, other = ids({"sample": 20}), ids({"sample": 40}), ids({"sample": 20, "seed": 1})
    assert (len(small), len(large), len(other)) == (20, 40, 20)
    assert set(small) < set(large)
    assert set(small) != set(other)
    assert small == [name for name in ids() if name in set(small)]


def test_a_frozen_list_is_asked_whole(tmp_path: Path) -> None:
    frozen = sorted(ids({"sample": 7}))
    file = tmp_path / "frozen.txt"
    file.write_text("# chosen by hand\n\n" + "\n".join(frozen) + "\n")
    benchmark = read("sample", {"ids": file}, limit=None, split="all")
    assert sorted(question.id for question in benchmark.questions) == frozen
    assert benchmark.facts["selection"] == {"ids": str(file), "limit": None, "questions": 7, "ids_sha256": digest(frozen)}


@pytest.mark.parametrize(
    ("select", "said"),
    [
        ({"sources": ["tabel"]}, "did you mean 'table'?"),
        ({"hops": "single"}, "did you mean 'single_hop'?"),
        ({"documents": "perksplus"}, "did you mean 'PerksPlus.pdf'?"),
        ({"sources": "chart", "answerable": False}, "leaves none of the 308 questions"),
        ({"ids": "no/such/file"}, "one question id a line"),
    ],
)
def test_unknown_values_are_told_the_nearest_known_one(select: dict[str, object], said: str) -> None:
    with pytest.raises(UsageError) as refusal:
        ids(select)
    assert said in str(refusal.value)


def test_ids_that_are_not_there_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "frozen.txt"
    file.write_text("contoso-003\ncontoso-0003\n")
    with pytest.raises(UsageError, match=r"1 of its 2 ids .* the first is 'contoso-0003' \(did you mean 'contoso-003'\?\)"):
        ids({"ids": file})
    file.write_text("\n")
    with pytest.raises(UsageError, match="holds no id"):
        ids({"ids": file})


def test_a_selection_is_part_of_what_a_run_is(tmp_path: Path) -> None:
    def identity(select: dict[str, object]) -> dict[str, object]:
        return dict(Settings.model_validate(values("sample", select)).identity())

    plain = identity({})
    assert "select" not in plain
    assert identity({"seed": 5}) == plain
    assert identity({"hops": "single_hop"}) != plain
    one, two = tmp_path / "one.txt", tmp_path / "two.txt"
    one.write_text("a\nb\n")
    two.write_text("b\na\n")
    assert identity({"ids": one}) == identity({"ids": two})
    two.write_text("b\nc\n")
    assert identity({"ids": one}) != identity({"ids": two})


def test_the_questions_of_a_run_can_be_asked_again(tiny: Tiny) -> None:
    done = tiny.run("benchmark.questions=2", "tracking=none")
    assert done.returncode == 0, done.stderr
    assert sorted(read_ids(tiny.run_folder)) == ["q1", "q2"]
