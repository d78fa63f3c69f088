"""What a run would take, before it takes anything: bounds by the system's own rules, expectations from earlier rows if there are any."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from taec.benchmarks.base import Benchmark
from taec.core.errors import TaecError
from taec.documents.discovery import discover
from taec.experiment.captions import CaptionPlan, caption_plan, caption_warnings
from taec.experiment.config import Config
from taec.experiment.job import run_folder
from taec.experiment.money import prices, served
from taec.experiment.registry import option
from taec.experiment.runner import pending, undecided
from taec.experiment.saved import read_run
from taec.judges import model as model_judge
from taec.records.journal import ROWS, read_rows
from taec.records.rows import Row
from taec.requirements import llm
from taec.systems.bounds import CHARACTERS_A_TOKEN, QUESTION_CHARACTERS, USUAL_REPLY, Bounds, Course

SHORT = 20
"""Tokens of a usual reply of a judge or of a requirement call (ours)."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """What the questions still to be answered take together; tokens of all models, dollars. None is unknown."""

    calls: float
    side_calls: float
    images: float
    pixels: float
    tokens: float | None
    cost: float | None


@dataclass(frozen=True, slots=True)
class Plan:
    """One job: how much there is, how much of it is done, and what the rest takes (None where the system says nothing of itself)."""

    config: Config
    benchmark: Benchmark
    done: int
    left: int
    unjudged: int
    low: Estimate | None
    expected: Estimate | None
    high: Estimate | None
    basis: str
    warnings: tuple[str, ...]
    captions: CaptionPlan | None


@dataclass(frozen=True, slots=True)
class Side:
    """A text model beside the acting one: calls a question and tokens a call, in and out."""

    calls: float
    prompt: float
    reply: float


def plan(config: Config) -> Plan:
    """The plan of one job. Reads the benchmark and earlier rows; builds, renders and asks nothing."""
    benchmark: Benchmark = option("benchmark", config.module("benchmark")).build(config.options["benchmark"])
    folder = run_folder(config)
    rows = {row.question_id: row for row in (read_rows(folder) if (folder / ROWS).is_file() else ())}
    missing = pending(benchmark.questions, rows, config.plain.run)
    unjudged = len(undecided(benchmark.questions, rows))
    bounds = _bounds(config)
    earlier, basis = _earlier(config)
    if bounds is None:
        estimates: tuple[Estimate | None, ...] = (None, None, None)
    else:
        # a collection has a page a document at least, and how many it has comes out when they are rendered
        low = replace(bounds.low, images=min(bounds.low.images, len(benchmark.documents)))
        courses = [_within_images(config, course) for course in (low, _course(earlier, bounds.expected), bounds.high)]
        estimates = tuple(
            _estimate(config, course, len(missing), unjudged, at, earlier if at == 1 else ()) for at, course in enumerate(courses)
        )
    least, expected, most = estimates
    done = len(benchmark.questions) - len(missing)
    roots = config.plain.roots
    documents = discover(roots).documents if roots else benchmark.documents
    captions = caption_plan(config, documents)
    warnings = (*_warnings(config, benchmark), *caption_warnings(config))
    return Plan(config, benchmark, done, len(missing), unjudged, least, expected, most, basis, warnings, captions)


def _bounds(config: Config) -> Bounds | None:
    module = option("system", config.module("system"))
    acting = served(config.options["backbone"])
    reply_tokens = acting.request.max_tokens if acting else USUAL_REPLY
    own = getattr(module, "bounds", None)
    found: Bounds | None = own(config.options["system"], config.plain.budget.limits(), reply_tokens) if own else None
    return found


def _earlier(config: Config) -> tuple[Sequence[Row], str]:
    """Rows of the same system and acting model, those of the same benchmark where there are any, and where they come from."""
    alike: list[tuple[Config, tuple[Row, ...]]] = []
    for folder in sorted(path.parent for path in config.plain.output.folder.expanduser().glob(f"*/{ROWS}")):
        try:
            run = read_run(folder)
        except TaecError:
            continue
        if run.config.label == config.label and _model(run.config) == _model(config):
            alike.append((run.config, run.rows))
    here = [rows for other, rows in alike if other.option("benchmark") == config.option("benchmark")]
    rows = [row for each in (here or [rows for _, rows in alike]) for row in each]
    if not rows:
        return (), "the method, with the calls and images that the paper publishes (ViDoSeek, Gemini-3.5-Flash)"
    return rows, f"{len(rows)} earlier rows" + ("" if here else " on other benchmarks")


def _model(config: Config) -> tuple[str, str]:
    acting = served(config.options["backbone"])
    return config.option("backbone"), acting.model if acting else ""


def _course(rows: Sequence[Row], otherwise: Course) -> Course:
    """The mean course of earlier rows, text by the method's own account scaled to their calls."""
    if not rows:
        return otherwise
    calls = sum(row.model_calls for row in rows) / len(rows)
    scale = calls / otherwise.calls
    return Course(
        calls,
        sum(row.images for row in rows) / len(rows),
        sum(row.sent_pixels for row in rows) / len(rows),
        otherwise.text_tokens * scale,
        otherwise.reply_tokens * scale,
    )


def _within_images(config: Config, course: Course) -> Course:
    """The course with no more images a call than the acting model's server takes: the session leaves out the oldest."""
    acting = served(config.options["backbone"])
    if acting is None or acting.messages.max_images is None or not course.images:
        return course
    images = min(course.images, course.calls * acting.messages.max_images)
    return replace(course, images=images, pixels=course.pixels * images / course.images)


def _estimate(config: Config, course: Course, questions: int, unjudged: int, at: int, rows: Sequence[Row]) -> Estimate:
    """`at` is 0 for the least, 1 for the usual, 2 for the most."""
    acting = served(config.options["backbone"])
    prompt: float | None = None
    reply: float | None = None
    if acting:
        prompt, reply = course.text_tokens + course.images * acting.limits.image_tokens, course.reply_tokens
        told = [(row.prompt_tokens, row.completion_tokens) for row in rows if None not in (row.prompt_tokens, row.completion_tokens)]
        if told:
            prompt, reply = (sum(each or 0 for each in part) / len(told) for part in zip(*told, strict=True))
    slots, judge = _requirements(config, at), _judge(config, at)
    shares = [
        (prices(config.options["backbone"]), prompt, reply, questions),
        *((prices(config.options["requirements"]), slots.prompt, slots.reply, slots.calls * questions) for _ in range(slots.calls > 0)),
        *(
            (prices(config.options["judge"]), judge.prompt, judge.reply, judge.calls * (questions + unjudged))
            for _ in range(judge.calls > 0)
        ),
    ]
    return Estimate(
        calls=course.calls * questions,
        side_calls=slots.calls * questions + judge.calls * (questions + unjudged),
        images=course.images * questions,
        pixels=course.pixels * questions,
        tokens=_total([None if p is None or r is None else (p + r) * count for _, p, r, count in shares]),
        cost=_total([_times(price.cost(p, r), count) for price, p, r, count in shares]),
    )


def _requirements(config: Config, at: int) -> Side:
    """The requirement call: none where it is cached, or where the system asks for none."""
    model = served(config.options["requirements"])
    admission = getattr(config.options["system"], "admission", None)
    if model is None or getattr(admission, "strategy", "") != "coverage" or config.resolved["requirements"].get("slots") == "keywords":
        return Side(0, 0, 0)
    prompt = (len(llm.PROMPT) + QUESTION_CHARACTERS) / CHARACTERS_A_TOKEN
    return Side((0, 1, 1)[at], prompt, (SHORT, SHORT, model.request.max_tokens)[at])


def _judge(config: Config, at: int) -> Side:
    """The judge's calls: none for a failure, several where it has to be asked again."""
    settings = config.options["judge"]
    if not isinstance(settings, model_judge.Settings):
        return Side(0, 0, 0)
    acting = served(config.options["backbone"])
    longest = acting.request.max_tokens if acting else USUAL_REPLY
    prompt = (len(model_judge.PROMPT) + QUESTION_CHARACTERS) / CHARACTERS_A_TOKEN
    replies = (SHORT, SHORT, settings.model.request.max_tokens)
    return Side((0, 1, settings.attempts)[at], prompt + (1, USUAL_REPLY, longest)[at], replies[at])


def _warnings(config: Config, benchmark: Benchmark) -> Iterator[str]:
    yield from benchmark.warnings
    for kind in ("backbone", "requirements", "judge"):
        model = served(config.options[kind])
        if model is None:
            continue
        if None in (model.prices.input, model.prices.output):
            yield f"{kind}: the price of {model.model} is unknown; set its prices.input and prices.output (dollars for a million tokens)"
        for variable in model.variables:
            if not os.environ.get(variable):
                yield f"{kind}: the environment variable {variable} is not set; a run would refuse to start"


def _times(value: float | None, count: float) -> float | None:
    return None if value is None else value * count


def _total(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) if len(known) == len(values) else None
