"""`python -m taec plan [overrides] [-m]`: what the same command without `plan` would take. Nothing is run."""

import importlib
from collections.abc import Callable, Sequence

from taec.analysis.tables import NOTHING, Grid
from taec.commands import facts
from taec.commands.arguments import Arguments, require_none
from taec.experiment.captions import CaptionPlan
from taec.experiment.compose import configurations
from taec.experiment.console import out, say, warn
from taec.experiment.money import served
from taec.experiment.names import names
from taec.experiment.plan import Estimate, Plan, plan

UNKNOWN = "unknown"


def main(asked: Arguments) -> int:
    """Show the plan of every job."""
    require_none(asked)
    if any("=" not in word for word in asked.words):
        return int(importlib.import_module("taec.commands.sweep").plan(asked))
    configs = configurations(asked.words, multirun=asked.multirun, folders=asked.folders)
    plans = [plan(config) for config in configs]
    for text in dict.fromkeys(warning for each in plans for warning in each.warnings):
        warn(text)
    found = [facts.table(each.benchmark) for each in plans]
    for grid in {each.markdown(): each for each in found}.values():
        out.print(grid.rich())
        say("")
    labels = names(configs)
    out.print(table(labels, plans).rich())
    for captions in dict.fromkeys(each.captions for each in plans if each.captions):
        say(_captions(captions))
    return 0


def table(labels: Sequence[str], plans: Sequence[Plan]) -> Grid:
    """One line a job, each figure as least / expected / most for the questions that are left; with several, a line for all."""
    rows = [[label, f"{each.done + each.left:,}", f"{each.done:,}", *figures([each])] for label, each in zip(labels, plans, strict=True)]
    if len(plans) > 1:
        rows.append(["all", f"{sum(p.done + p.left for p in plans):,}", f"{sum(p.done for p in plans):,}", *figures(plans)])
    notes = ["least / expected / most, for what is left. calls are the acting model's, side calls those for requirements and verdicts."]
    for basis in dict.fromkeys(each.basis for each in plans):
        notes.append(f"expected: {basis} ({', '.join(label for label, each in zip(labels, plans, strict=True) if each.basis == basis)}).")
    if any(not served(each.config.options["backbone"]) for each in plans):
        notes.append(f"{NOTHING}: an embedded model has no tokens and no price.")
    columns = ["run", "questions", "done", "calls", "side calls", "images", "pixels", "tokens", "$"]
    return Grid("Plan", columns, rows, notes)


def figures(plans: Sequence[Plan]) -> list[str]:
    """Calls, side calls, images, pixels, tokens and dollars of several jobs together, each as least / expected / most."""
    embedded = all(not any(served(plan.config.options[kind]) for kind in ("backbone", "requirements", "judge")) for plan in plans)
    counts: list[Callable[[Estimate], float | None]] = [lambda e: e.calls, lambda e: e.side_calls, lambda e: e.images, lambda e: e.pixels]
    money = [NOTHING, NOTHING] if embedded else [_three(plans, lambda e: e.tokens, short), _three(plans, lambda e: e.cost, dollars)]
    return [*(_three(plans, of, short) for of in counts), *money]


def _three(plans: Sequence[Plan], of: Callable[[Estimate], float | None], form: Callable[[float], str]) -> str:
    """The three figures summed over jobs; `unknown` where any of them is."""
    found = []
    for estimates in ([each.low for each in plans], [each.expected for each in plans], [each.high for each in plans]):
        values = [None if estimate is None else of(estimate) for estimate in estimates]
        known = [value for value in values if value is not None]
        found.append(form(sum(known)) if len(known) == len(values) else UNKNOWN)
    return found[0] if len(set(found)) == 1 else " / ".join(found)


def short(number: float) -> str:
    """Three digits and a unit: 264, 13.8k, 4.14G; whole numbers below ten thousand as they are."""
    if number < 10_000:
        return f"{number:,.0f}"
    for unit, size in (("G", 1e9), ("M", 1e6), ("k", 1e3)):
        if number >= size:
            return f"{number / size:.3g}{unit}" if number < 1000 * size else f"{number / size:,.0f}{unit}"
    return f"{number:,.0f}"


def dollars(number: float) -> str:
    """With cents; below a cent as far as it says anything."""
    return f"{number:,.2f}" if number >= 0.01 or not number else f"{number:.1g}"


def _captions(plan: CaptionPlan) -> str:
    """What describing pages takes, once for all runs over them."""
    tokens = " / ".join(dict.fromkeys(map(short, plan.tokens)))
    cost = " / ".join(dict.fromkeys(UNKNOWN if each is None else dollars(each) for each in plan.cost))
    described = f"{plan.pages - plan.calls:,} of {plan.pages:,} pages need none any more"
    return (
        f"captions by {plan.model}, once for all runs: {plan.calls:,} calls, {plan.calls:,} images, {tokens} tokens, {cost} $ "
        f"(expected / most; {described})"
    )
