"""Tables of retrieval alone, for the terminal and Markdown."""

from collections.abc import Mapping, Sequence

from taec.analysis.paired import Difference
from taec.analysis.retrieval import Pair, Scores
from taec.analysis.statistics import Interval
from taec.analysis.tables import Grid

STAND_INS = "hit and MRR: a gold page or one that can stand in for it; recall, all gold, nDCG: gold pages only (binary, log2 discount)."


def retrievers_table(found: Mapping[str, Scores], cuts: Sequence[int], title: str) -> Grid:
    """One line for each retriever and cut-off; the reciprocal rank stands in a retriever's last line, over all pages asked for."""
    rows = []
    for name, scores in found.items():
        for k in cuts:
            measures = [_with_interval(scores[f"hit@{k}"])] + [_percent(scores[f"{kind}@{k}"]) for kind in ("recall", "all_gold")]
            rank = f"{scores['mrr'].value:.3f}" if k == cuts[-1] else ""
            rows.append([name if k == cuts[0] else "", f"{k}", *measures, f"{scores[f'ndcg@{k}'].value:.3f}", rank])
    methods = sorted({scores[f"hit@{k}"].method for scores in found.values() for k in cuts})
    notes = [f"[low, high]: 95 % interval ({' or '.join(methods)}). Questions are searched with their own words; no model is involved."]
    return Grid(title, ["retriever", "k", "hit %", "recall %", "all gold %", "nDCG", f"MRR@{cuts[-1]}"], rows, [*notes, STAND_INS])


def label_table(found: Mapping[str, Mapping[str, Scores]], label: str, cuts: Sequence[int]) -> Grid:
    """Hits by group: one line for each group and retriever. `found` is by retriever, then by group."""
    groups = list(dict.fromkeys(group for groups in found.values() for group in groups))
    rows = []
    for group in groups:
        for name, parts in found.items():
            scores = parts[group]
            hits = [_percent(scores[f"hit@{k}"]) for k in cuts]
            rows.append(
                [group, name, f"{scores['mrr'].n:,}", *hits, _percent(scores[f"all_gold@{cuts[-1]}"]), f"{scores['mrr'].value:.3f}"]
            )
    columns = [label, "retriever", "n", *(f"hit@{k} %" for k in cuts), f"all gold@{cuts[-1]} %", f"MRR@{cuts[-1]}"]
    return Grid(f"By {label}", columns, rows)


def pairs_table(pairs: Sequence[Pair], cuts: Sequence[int], *notes: str) -> Grid:
    """What the second retriever of each pair gains over the first, in percentage points (nDCG: hundredths)."""
    rows = []
    for pair in pairs:
        for k in cuts:
            gains = [_signed(pair.differences[f"{kind}@{k}"]) for kind in ("hit", "recall", "ndcg")]
            rows.append([f"{pair.second} - {pair.first}" if k == cuts[0] else "", f"{k}", *gains])
    note = "Differences on the same questions, with 95 % intervals; * where it leaves zero out, uncorrected for the number of comparisons."
    return Grid("Differences", ["pair", "k", "hit", "recall", "nDCG"], rows, [note, *notes])


def _percent(share: Interval) -> str:
    return f"{100 * share.value:.1f}"


def _with_interval(share: Interval) -> str:
    return f"{100 * share.value:.1f} [{100 * share.low:.1f}, {100 * share.high:.1f}]"


def _signed(difference: Difference) -> str:
    return f"{100 * difference.value:+.1f} [{100 * difference.low:+.1f}, {100 * difference.high:+.1f}]" + "*" * difference.is_clear
