"""`python -m taec show RUN QUESTION_ID`: the HTML page of one question of a run that is there, from its records."""

import re
from pathlib import Path

from taec.analysis.viewer import Answered
from taec.commands.arguments import Arguments, require_none
from taec.commands.ask import tell_page, write_page
from taec.core.errors import UsageError
from taec.experiment.asking import describe
from taec.experiment.catalogue import nearest
from taec.experiment.parts import Parts
from taec.experiment.progress import display
from taec.experiment.saved import SavedRun, read_run
from taec.records.journal import read_trajectories
from taec.records.rows import Row


def main(asked: Arguments) -> int:
    """Write the page beside the run's rows and say where."""
    require_none(asked)
    if len(asked.words) != 2:
        raise UsageError("show takes a run folder and the id of one of its questions: python -m taec show runs/<folder> <question id>")
    folder, question_id = Path(asked.words[0]).expanduser().resolve(), asked.words[1]
    run = read_run(folder)
    row = _row(run, question_id)
    trajectories = [each for each in read_trajectories(folder) if each.question_id == question_id]
    if not trajectories:
        raise UsageError(f"{folder} has no trajectory of {question_id}: its page cannot be made.")
    show = display()
    try:
        collection = Parts().collection(run.config, show.stage)
    finally:
        show.close()
    answered = Answered(row, trajectories[-1], collection, *describe(run.config, trajectories[-1].nodes))
    name = re.sub(r"[^\w.-]", "_", question_id)
    page = write_page(folder / f"question-{name}.html", answered)
    tell_page(page, wanted="--open" in asked.flags)
    return 0


def _row(run: SavedRun, question_id: str) -> Row:
    rows = {row.question_id: row for row in run.rows}
    if question_id not in rows:
        close = nearest(question_id, rows)
        raise UsageError(f"{run.folder} has no question {question_id}" + (f"; did you mean '{close}'?" if close else ""))
    return rows[question_id]
