"""A small comparison of runs made here: refusals, the golden Markdown (TAEC_REGENERATE=1 writes it anew), the page and the plain data."""

import json
import os
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path

import pytest
from support.rows import judged_row
from support.saved import JUDGE, RETRIEVER, saved_run

from taec.analysis.compare_report import html, markdown, plain
from taec.comparison.outcome import Outcome, compare_sides
from taec.comparison.report import data, diffs, report
from taec.comparison.sides import numbered, read_side
from taec.core.errors import UsageError
from taec.records.rows import Row

GOLDEN = Path(__file__).parents[1] / "golden/compare/small.md"
Make = Callable[..., Path]


def rows(right: str, answer: str = "Lycoming", **fields: object) -> list[Row]:
    """A row for each character: `+` right, `-` wrong, `?` without a verdict, `!` failed."""
    verdict = {"+": True, "-": False, "?": None, "!": None}
    return [
        judged_row(f"q{at}", verdict[mark], f"d{at % 3}.pdf", answer, failure="call_ceiling" if mark == "!" else "", **fields)
        for at, mark in enumerate(right)
    ]


@pytest.fixture
def make(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Make:
    """Makes run folders beside each other, and that the folder they are named from."""
    monkeypatch.chdir(tmp_path)
    return lambda name, *given, **facts: saved_run(tmp_path / name, *given, **facts)


def outcome(*names: str, base: int = 0, across: bool = False) -> Outcome:
    return compare_sides(numbered([read_side(Path(name)) for name in names]), base, [], across=across)


def test_golden_markdown(make: Make) -> None:
    make("one", rows("++-?!-++", context_bytes=1_000_000))
    make("two", rows("+-++++-+", "a|b\nc", context_bytes=1_250_000), "system.allocation.tau=2", "output.folder=elsewhere")
    text = markdown(report(outcome("one", "two"), diff=True)) + "\n"
    if "TAEC_REGENERATE" in os.environ:
        GOLDEN.write_text(text, encoding="utf-8")
    assert GOLDEN.read_text(encoding="utf-8") == text


def test_a_run_against_itself_differs_in_nothing(make: Make) -> None:
    make("one", rows("++-?-"))
    found = outcome("one", "one")
    assert (found.configuration.groups, found.manifest.groups, found.warnings) == ((), (), [])
    (one,) = found.compared
    assert one.test is not None
    assert (one.test.p, one.p, one.lost, one.gained) == (1, 1, [], [])
    assert diffs(found) == []
    assert "have the same verdict on every one of 4 questions" in plain(report(found, diff=False))


@pytest.mark.parametrize(
    ("facts", "reason"),
    [
        ({"benchmark": {"name": "other"}}, "are on different benchmarks (sample and other)"),
        ({"benchmark": {"name": "sample", "rows": 9}}, "are on different benchmarks (both sample, with other rows)"),
        (
            {"retriever": RETRIEVER.model_copy(update={"fingerprint": "0" * 16})},
            "searched different indices (fingerprints f1f1f1f1f1f1f1f1",
        ),
        ({"judge": JUDGE.model_copy(update={"rules": "2"})}, "were judged by different judges: rules (1) and rules (2)"),
    ],
)
def test_what_does_not_belong_together_is_refused_unless_told_to(make: Make, facts: dict[str, object], reason: str) -> None:
    make("one", rows("+-"))
    make("two", rows("-+"), **facts)
    with pytest.raises(UsageError, match="--across") as raised:
        outcome("one", "two")
    assert len(raised.value.faults) == 1
    assert reason in str(raised.value)
    told = outcome("one", "two", across=True)
    assert [reason in warning for warning in told.warnings] == [True]
    assert told.compared[0].test is not None


def test_other_questions_are_refused_and_only_common_ones_count(make: Make) -> None:
    make("one", rows("+++"))
    make("two", rows("--"))
    with pytest.raises(UsageError, match="2 in common, 1 only in 1 taec, 0 only in 2 taec"):
        outcome("one", "two")
    told = outcome("one", "two", across=True)
    assert [run.summary.n for run in told.runs] == [2, 2]
    assert "over the 2 common questions only" in told.warnings[-1]
    make("three", [])
    assert "No question is common" in outcome("one", "three", across=True).warnings[-1]


def test_other_settings_of_a_judge_are_another_judge(make: Make) -> None:
    make("one", rows("+-"))
    make("two", rows("+-"), "judge.spare_words=1")
    with pytest.raises(UsageError, match="different settings of rules"):
        outcome("one", "two")


def test_a_model_that_judged_in_two_batches_is_noted(make: Make) -> None:
    for name in ("one", "two"):
        make(name, rows("+-"), judge=JUDGE.model_copy(update={"model": "m", "batch": name}))
    (note,) = outcome("one", "two").warnings
    assert "different batches" in note


def test_the_data_is_complete_and_plain(make: Make) -> None:
    make("one", rows("+" * 9 + "-" * 9))
    make("two", rows("-" * 9 + "+" * 9, answer="{{ 1 }}<b>"), "system.allocation.tau=2")
    found = json.loads(json.dumps(data(outcome("two", "one", base=1), diff=True)))
    (group,) = found["configuration"]
    assert group["keys"] == {"system.allocation.tau": {"1 taec": 2.0, "2 taec": 1.0}}
    (comparison,) = found["comparisons"]
    assert (comparison["base"], comparison["other"], comparison["verdicts"]["p"]) == ("2 taec", "1 taec", 1.0)
    assert (len(comparison["lost"]), len(comparison["gained"])) == (9, 9)
    assert comparison["lost"][0]["other"]["answer"] == "{{ 1 }}<b>"
    assert list(found["diffs"]) == ["2 taec to 1 taec"]


class Page(HTMLParser):
    """Collects tags, and whatever a page would load."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.loads: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.loads += [str(value) for name, value in attrs if name in ("src", "href")]


def test_the_page_is_whole_escaped_and_loads_nothing(make: Make) -> None:
    make("one", rows("+" * 9 + "-" * 9))
    make("two", rows("-" * 9 + "+" * 9, answer="<script>alert(1)</script> {{ 7 * 7 }}"), "system.allocation.tau=2")
    text = html(report(outcome("one", "two"), diff=True))
    page = Page()
    page.feed(text)
    assert page.loads == []
    assert "script" not in page.tags
    assert text.count("&lt;script&gt;alert(1)&lt;/script&gt; {{ 7 * 7 }}") == 18
    assert page.tags.count("tr") == sum(1 + len(grid.rows) for grid in _grids(outcome("one", "two")))


def _grids(found: Outcome):
    written = report(found, diff=True)
    return [written.runs, *written.differences, *written.numbers, *(flips.grid for flips in written.flips)]


def test_the_terminal_shows_some_flips_of_two_runs_and_none_of_more(make: Make) -> None:
    make("one", rows("+" * 9 + "-"))
    make("two", rows("-" * 9 + "+"))
    make("three", rows("-" * 10))
    text = plain(report(outcome("one", "two"), diff=False))
    assert text.count("    reference  Lycoming") == 5 + 1
    assert "and 4 more: --format md, html or json has all" in text
    several = plain(report(outcome("one", "two", "three"), diff=False))
    assert "    reference" not in several
    assert "Which questions flipped: --format" in several
