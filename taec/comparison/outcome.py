"""Sides compared: their configurations and manifests always, their numbers where all of them were run and may stand side by side."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from taec.analysis.compare import Compared, Run, common_questions, compare_runs, make_runs
from taec.comparison.defaults import outside_fields, own_values
from taec.comparison.differences import Differences, differences, table_differences
from taec.comparison.facts import ADVICE, judging_note, manifest_facts, obstacles
from taec.comparison.sides import Side
from taec.core.errors import UsageError


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came out. `runs` and `compared` are empty where only configurations are compared; `warnings` are to be read first."""

    sides: Sequence[Side]
    base: int
    configuration: Differences
    manifest: Differences
    warnings: Sequence[str]
    runs: Sequence[Run]
    compared: Sequence[Compared]


def compare_sides(sides: Sequence[Side], base: int, folders: Sequence[Path], *, across: bool) -> Outcome:
    """Compare every side with `sides[base]`. Raises UsageError where their numbers do not belong side by side, unless `across`."""
    found = differences([side.config for side in sides], own_values(folders), outside_fields)
    manifests = [side.manifest for side in sides if side.manifest]
    if len(manifests) < len(sides):
        idle = [side.name for side in sides if side.manifest is None]
        warnings = [f"Not run: {', '.join(idle)}. Configurations alone are compared."] if manifests else []
        return Outcome(sides, base, found, Differences(()), warnings, (), ())
    facts = table_differences([manifest_facts(manifest) for manifest in manifests], found)
    reasons = obstacles(sides, base, found)
    if reasons and not across:
        raise UsageError(*reasons[:-1], f"{reasons[-1]}. {ADVICE}")
    rows = common_questions([side.rows for side in sides])
    warnings = [f"Compared all the same (--across): {reason}." for reason in reasons]
    if not rows[0]:
        return Outcome(sides, base, found, facts, [*warnings, "No question is common to all, so no numbers are compared."], (), ())
    if any(len(side.rows) > len(rows[0]) for side in sides):
        warnings.append(f"Every number is over the {len(rows[0])} common questions only.")
    runs = make_runs([side.name for side in sides], rows)
    return Outcome(sides, base, found, facts, [*warnings, *judging_note(sides)], runs, compare_runs(runs, base))
