"""What a run would take: by the method's own bounds, by earlier rows, and without running or building anything."""

import sys

import pytest
from support.standin import Standin, play
from support.tiny import Tiny

from taec.cli import run
from taec.commands.plan import dollars, short
from taec.experiment.plan import plan

SERVED = ("backbone=openai_compatible", "backbone.model=m-1", "backbone.api_key_env=null", "backbone.request.max_tokens=100")
PRICED = ("backbone.prices.input=1", "backbone.prices.output=10")


@pytest.mark.parametrize(
    ("system", "low", "high", "images"),
    [("vanilla", 1, 1, (1, 5)), ("react", 1, 22, (0, 950 + 2 * 100)), ("dag", 1, 22, (1, 220)), ("taec", 1, 22, (1, 220))],
)
def test_bounds_are_the_methods_own(tiny: Tiny, system: str, low: int, high: int, images: tuple[int, int]) -> None:
    found = plan(tiny.config(f"system={system}", "benchmark.questions=10", *SERVED, *PRICED))
    assert found.low
    assert found.expected
    assert found.high
    assert (found.done, found.left) == (0, 10)
    assert (found.low.calls, found.high.calls) == (10 * low, 10 * high)
    assert (found.low.images, found.high.images) == (10 * images[0], 10 * images[1])
    assert found.low.pixels <= found.expected.pixels <= found.high.pixels
    for smaller, larger in ((found.low, found.expected), (found.expected, found.high)):
        assert (smaller.tokens or 0) < (larger.tokens or 0)
        assert (smaller.cost or 0) < (larger.cost or 0)


def test_a_real_run_lies_within_its_bounds(tiny: Tiny, capsys: pytest.CaptureFixture[str]) -> None:
    for system in ("vanilla", "react", "dag", "taec"):
        with Standin(otherwise=play).running() as server:
            words = (f"system={system}", *SERVED, f"backbone.base_url={server.url}", "benchmark.questions=2")
            before = plan(tiny.config(*words))
            assert run([*tiny.command()[3:], *words]) == 0
            after = plan(tiny.config(*words, "benchmark.questions=5"))
            assert before.low
            assert before.high
            assert after.expected
            assert before.low.calls <= len(server.seen) <= before.high.calls
            images = sum(str(seen.body).count("image_url'") // 2 for seen in server.seen)
            assert before.low.images <= images <= before.high.images
            assert (before.basis.split()[0], after.basis) == ("the", "2 earlier rows")
            assert after.expected.calls == pytest.approx(len(server.seen) / 2 * 5)
            assert after.expected.tokens == pytest.approx(len(server.seen) / 2 * 5 * 110)
            assert plan(tiny.config(*words)).left == 0


def test_models_beside_the_acting_one_are_counted_apart(tiny: Tiny) -> None:
    alone = plan(tiny.config("system=taec", *SERVED, *PRICED))
    both = plan(tiny.config("system=taec", *SERVED, *PRICED, "judge=gpt_4_1", "requirements=llm"))
    plain = plan(tiny.config("system=dag", *SERVED, *PRICED, "requirements=llm"))
    sides = [[each and each.side_calls for each in (found.low, found.expected, found.high)] for found in (alone, both, plain)]
    assert sides == [[0, 0, 0], [0, 12, 24], [0, 0, 0]]
    assert alone.high
    assert both.high
    assert (both.high.cost or 0) > (alone.high.cost or 0)


def test_unknown_prices_are_told_and_never_0(tiny: Tiny, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["plan", *tiny.command()[3:], *SERVED, "-m", "system=vanilla,react"]) == 0
    told = capsys.readouterr()
    assert told.out.count("unknown") >= 3
    assert "the price of m-1 is unknown" in told.err
    assert not (tiny.folder / "runs").exists()


def test_a_missing_key_is_told_before_the_run(tiny: Tiny, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.delenv("GEMINI_API_KEY", raising=False)
    assert run(["plan", *tiny.command()[3:], "backbone=gemini"]) == 0
    assert "GEMINI_API_KEY is not set" in capsys.readouterr().err


def test_planning_imports_nothing_expensive(tiny: Tiny) -> None:
    heavy = ("mlflow", "faiss", "openai", "rapidocr", "onnxruntime", "matplotlib", "wordllama", "bm25s", "cv2", "fastapi", "optuna")
    words = ["plan", "backbone=gemini", "judge=gpt_4_1", "requirements=llm", "benchmark.limit=null"]
    code = f"import sys; from taec.cli import run; run({words}); print([m for m in {heavy} if m in sys.modules])"
    done = tiny.call([sys.executable, "-c", code])
    assert done.stdout.splitlines()[-1] == "[]", done.stderr


@pytest.mark.parametrize(("number", "written"), [(0, "0"), (9999, "9,999"), (13_800, "13.8k"), (4.14e9, "4.14G"), (999_999, "1e+03k")])
def test_short_numbers(number: float, written: str) -> None:
    assert short(number) == written


def test_dollars_below_a_cent_are_not_0() -> None:
    assert [dollars(value) for value in (0, 0.0004, 0.012, 1234.5)] == ["0.00", "0.0004", "0.01", "1,234.50"]
