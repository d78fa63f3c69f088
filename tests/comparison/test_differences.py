"""What differs between configurations, on real ones."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from taec.comparison.defaults import outside_fields, own_values
from taec.comparison.differences import Absent, differences, table_differences, unified, written
from taec.comparison.sides import configured

SCALARS = st.one_of(st.none(), st.booleans(), st.integers(0, 3), st.sampled_from(["a", "b"]))
TREES = st.dictionaries(
    st.sampled_from(["x", "y", "z"]), st.recursive(SCALARS, lambda inner: st.dictionaries(st.sampled_from("pqr"), inner))
)


def found(*words: str):
    sides = [side for word in words for side in configured(word, [])]
    return differences([side.config for side in sides], own_values([]), outside_fields)


def keys(differing) -> dict[str, tuple]:
    return {entry.key: entry.values for group in differing.groups for entry in group.entries}


@pytest.mark.parametrize(
    ("override", "key", "values"),
    [
        ("system.allocation.tau=2", "system.allocation.tau", (1.0, 2.0)),
        ("system.memory.decay.page=0.2", "system.memory.decay.page", (0.1, 0.2)),
        ("backbone.max_searches=3", "backbone.max_searches", (6, 3)),
        ("budget.pages=4", "budget.pages", (5, 4)),
        ("benchmark.limit=null", "benchmark.limit", (12, None)),
        ("judge.declines=[unclear]", "judge.declines", None),
    ],
)
def test_one_value_changed_is_one_key_shown(override: str, key: str, values: tuple | None) -> None:
    differing = found("", override)
    assert list(keys(differing)) == [key]
    assert values in (None, keys(differing)[key])
    assert not differing.outside
    assert [group.hidden for group in differing.groups] == [0]


def test_the_same_configuration_differs_in_nothing() -> None:
    assert found("", "system=taec").groups == ()


def test_where_and_how_fast_is_told_apart() -> None:
    differing = found("", "output.folder=elsewhere run.concurrency=1 budget.max_cost=3")
    assert differing.groups == ()
    assert set(differing.outside) == {"output.folder", "run.concurrency", "budget.max_cost"}
    limits = found("backbone=gpt", "backbone=gpt backbone.limits.burst=0.5 backbone.request.temperature=0.1")
    assert (list(keys(limits)), limits.outside) == (["backbone.request.temperature"], ("backbone.limits",))


def test_of_different_options_only_what_was_changed_is_shown() -> None:
    differing = found("system=taec", "system=react", "system=dag")
    assert keys(differing) == {"system": ("taec", "react", "dag")}
    (group,) = differing.groups
    assert group.options == ("taec", "react", "dag")
    assert group.hidden > 20
    changed = found("system=taec system.allocation.tau=2", "system=react")
    assert keys(changed) == {"system": ("taec", "react"), "system.allocation.tau": (2.0, Absent.ABSENT)}


def test_an_option_that_is_not_known_here_hides_nothing() -> None:
    sides = [{"system": {"name": "theirs", "speed": 3}}, {"system": {"name": "taec", "speed": 4}}]
    assert keys(differences(sides, own_values([]), outside_fields)) == {"system": ("theirs", "taec"), "system.speed": (3, 4)}


def test_a_sweep_is_a_side_for_each_job() -> None:
    assert [side.name for side in configured("system=react retriever=bm25,dense", [])] == ["react retriever=bm25", "react retriever=dense"]


@given(TREES, TREES)
def test_a_key_is_shown_just_where_its_values_differ(one, two) -> None:
    shown = keys(differences([one, two], lambda group, option: None, lambda group, module: frozenset()))
    assert (one == two) == (not shown) or {} in (*one.values(), *two.values()) or _has_empty(one) or _has_empty(two)
    assert all(first != second for first, second in shown.values())
    assert not keys(differences([one, one], lambda group, option: None, lambda group, module: frozenset()))


def _has_empty(node) -> bool:
    return isinstance(node, dict) and (not node or any(map(_has_empty, node.values())))


def test_facts_already_told_are_not_told_twice() -> None:
    known = found("", "backbone.max_searches=3")
    facts = [{"backbone": {"max_searches": 6, "ocr": "a"}}, {"backbone": {"max_searches": 3, "ocr": "b"}}]
    assert keys(table_differences(facts, known)) == {"backbone.ocr": ("a", "b")}


def test_a_unified_diff_is_of_what_is_run() -> None:
    one, two = (configured(word, [])[0].config for word in ("", "system.allocation.tau=2 output.folder=elsewhere"))
    lines = unified((one, two), ("before", "after")).splitlines()
    assert lines[:2] == ["--- before", "+++ after"]
    assert [line for line in lines[2:] if line[0] in "+-"] == ["-    tau: 1.0", "+    tau: 2.0"]
    assert unified((one, one), ("before", "after")) == ""


def test_values_are_written_as_one_would_type_them() -> None:
    assert [written(value) for value in (None, True, 1.5, "a", ["a", 2], [], Absent.ABSENT)] == [
        "null",
        "true",
        "1.5",
        "a",
        "[a, 2]",
        "[]",
        "–",
    ]
    words = list("abcdefgh")
    assert written(words) == "8 items"
    assert written(["z", *words[1:]], words) == "8 items: +z -a"
    assert written(words[::-1], words) == "8 items: in another order"
