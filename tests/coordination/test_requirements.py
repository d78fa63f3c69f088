import pytest
from hypothesis import given
from hypothesis import strategies as st

from taec.coordination.requirements import RequirementState, resolve, slot_score, supported, unresolved_support

slots_ = st.lists(st.sampled_from(["alpha", "beta", "gamma", "delta", "收入"]), unique=True, max_size=4)


def test_support_folds_case_and_line_breaks() -> None:
    assert supported(("Landing Gear", "STRASSE", "收入", " "), "the landing\ngear, Straße, 营业收\n入") == (True, True, True, False)
    assert slot_score(("a", "b", "c", "d"), "A C") == 0.5
    assert slot_score((), "anything") == 0.0


def test_resolving_moves_the_weight_to_what_is_open() -> None:
    state = resolve(RequirementState(("a", "b", "c"), (0.5, 0.25, 0.25)), ["A"])
    assert state.weights == (0.0, 0.5, 0.5)
    assert resolve(state, ["b", "c"]).weights == (0.0, 0.0, 0.0)
    assert resolve(state, ["b"]).weights == (0.0, 0.0, 1.0)


def test_unresolved_support_counts_open_weight_only() -> None:
    state = resolve(RequirementState.uniform(("alpha", "beta", "gamma")), ["alpha"])
    assert unresolved_support(state, "alpha") == 0.0
    assert unresolved_support(state, "alpha beta") == 0.5
    assert unresolved_support(resolve(state, ["beta", "gamma"]), "") == 1.0
    assert unresolved_support(RequirementState.uniform(()), "") == 1.0


@given(slots_, st.lists(st.sampled_from(["alpha", "beta", "gamma", "收入", "other"])))
def test_weights_sum_to_one_while_anything_is_open(slots: list[str], resolved: list[str]) -> None:
    state = resolve(RequirementState.uniform(slots), resolved)
    expected = 1.0 if set(slots) - set(resolved) else 0.0
    assert sum(state.weights) == pytest.approx(expected)
    assert all(weight == 0 for slot, weight in zip(state.slots, state.weights, strict=True) if slot in resolved)
    assert 0.0 <= unresolved_support(state, "alpha delta") <= 1.0 + 1e-12
