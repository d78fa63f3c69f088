"""What admission does to the first search, without any model: `python benchmarks/admission.py [split] [overrides ...]`.

For the questions of a split of `sample` that have gold pages: the share whose gold (or stand-in) page is among the pages placed before the
model, and the share with all gold pages among them, when the question itself is searched. Nothing is tuned with this on `report`.
"""

import asyncio
import sys
from collections.abc import Callable, Sequence
from typing import cast

from taec.coordination.admission import Admitted, Candidate, coverage, top_k
from taec.coordination.requirements import RequirementState
from taec.core.questions import Question
from taec.experiment.assemble import Assembly, assemble
from taec.experiment.compose import configurations
from taec.systems.taec import Settings

Select = Callable[[Sequence[Candidate], RequirementState], Sequence[Admitted]]


async def pools(assembly: Assembly, size: int) -> list[tuple[Question, list[Candidate], RequirementState]]:
    """Each question with gold pages, its candidates in rank order and its requirements."""
    services, found = assembly.services, []
    page = services.store.page
    for question in assembly.benchmark.questions:
        if question.gold:
            hits = await services.retriever.search(question.text, size)
            candidates = [Candidate(hit.page_id, rank, hit.score, page(hit.page_id).caption) for rank, hit in enumerate(hits)]
            slots = (await services.slot_source.slots(question.text)).keywords
            found.append((question, candidates, RequirementState.uniform(slots)))
    return found


def main(split: str, overrides: Sequence[str]) -> None:
    """Print a line for each way of selecting."""
    config = configurations(["system=taec", f"benchmark.split={split}", "benchmark.limit=null", *overrides])[0]
    assembly = assemble(config, lambda stage, done, total: None)
    chosen = cast(Settings, config.options["system"]).admission
    pages = assembly.services.budgets.pages
    weights = {"alpha": chosen.alpha, "beta": chosen.beta, "eta": chosen.eta}
    pool = pages * chosen.pool_factor
    ways: dict[str, Select] = {
        f"top {pages}": lambda candidates, state: top_k(candidates, pages),
        "coverage, marginal": lambda candidates, state: coverage(candidates, state, pages, gain="marginal", **weights),
        "coverage, modular": lambda candidates, state: coverage(candidates, state, pages, gain="modular", **weights),
        f"top {pool}": lambda candidates, state: top_k(candidates, pool),
    }
    searched = asyncio.run(pools(assembly, pool))
    print(f"{split}: {len(searched)} questions with gold pages, {assembly.services.retriever.identity.name}")
    for name, select in ways.items():
        shown = [(question, {page.page_id for page in select(candidates, state)}) for question, candidates, state in searched]
        hit = sum(bool(pages & (question.gold | question.stand_ins)) for question, pages in shown) / len(shown)
        whole = sum(question.gold <= pages for question, pages in shown) / len(shown)
        print(f"{name:20s} gold page {hit:.3f}   all gold pages {whole:.3f}")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "report", sys.argv[2:])
