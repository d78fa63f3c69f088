"""`python -m taec ask` and `show`: an answer, what it rests on, and a page of it."""

import json
import sys
from pathlib import Path

import pytest
from support.pdf import text_pdf
from support.tiny import FILLER, Tiny

from taec.cli import run
from taec.commands.ask import question_among

ASKED = "What is the number on page 2?"


@pytest.mark.parametrize(
    ("words", "question", "overrides"),
    [
        ([ASKED, "system=react"], ASKED, ["system=react"]),
        (["system=react", "documents=a b", ASKED], ASKED, ["system=react", "documents=a b"]),
        (["Is x=1 or y=2?", "+a.b=1", "~c"], "Is x=1 or y=2?", ["+a.b=1", "~c"]),
        (["E=mc2?"], "E=mc2?", []),
        (["E=mc2?", "backbone/model@judge.model=x"], "E=mc2?", ["backbone/model@judge.model=x"]),
        (["什么是安全?"], "什么是安全?", []),
        ([ASKED, "sytem=react"], ASKED, ["sytem=react"]),
    ],
)
def test_the_question_among_the_words(words: list[str], question: str, overrides: list[str]) -> None:
    assert question_among(words) == (question, overrides, [])


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        ([], "ask needs a question"),
        (["  "], "ask needs a question"),
        (["system=react"], "ask needs a question"),
        (["What", "is", "it?"], "In quotes it is one: python -m taec ask 'What is it?'"),
    ],
)
def test_no_question_and_too_many(words: list[str], fault: str) -> None:
    (found,) = question_among(words)[2]
    assert fault in found


def folder(tiny: Tiny) -> Path:
    (found,) = (tiny.folder / "runs").glob("ask-*")
    return found


def test_an_answer_is_shown_and_kept(tiny: Tiny, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["ask", ASKED, *tiny.command()[3:], "system=taec"]) == 0
    shown = capsys.readouterr().out
    lines = shown.splitlines()
    assert "2" in lines
    assert "rule-based" not in shown
    assert any(Path(line.strip()).is_file() for line in lines if line.endswith(".jpg"))
    assert f"1. search: {ASKED}" in shown
    assert {path.name for path in folder(tiny).iterdir()} >= {"config.yaml", "rows.jsonl", "trajectories.jsonl", "page.html"}
    assert json.loads((folder(tiny) / "rows.jsonl").read_text())["answer"] == "2"
    assert f"page: {folder(tiny) / 'page.html'} (--open opens it)" in shown


def test_two_questions_at_once_have_folders_of_their_own(tiny: Tiny) -> None:
    for _ in range(2):
        assert run(["ask", ASKED, *tiny.command()[3:]]) == 0
    assert len(list((tiny.folder / "runs").glob("ask-*"))) == 2


def test_a_system_that_fails_says_so(tiny: Tiny, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["ask", f"{ASKED} [raise]", *tiny.command()[3:]]) == 1
    shown = capsys.readouterr()
    assert "No answer (RuntimeError" in shown.out
    assert "the system did not finish: RuntimeError: the model broke" in shown.err


def test_every_fault_at_once(tiny: Tiny, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["ask", *tiny.command()[3:], "-m", "system=vanila", "--failed"]) == 2
    said = capsys.readouterr().err
    for fault in ("ask needs a question", "-m: ask answers with one", "'vanilla'", "--failed belongs to judge"):
        assert fault in said


def test_open_without_a_screen_only_says_where_the_page_is(
    tiny: Tiny, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"):
        monkeypatch.delenv(name, raising=False)
    assert run(["ask", ASKED, *tiny.command()[3:], "--open"]) == 0
    assert "(there is no browser here to open it in)" in capsys.readouterr().out


def test_open_hands_the_page_to_the_browser(tiny: Tiny) -> None:
    browser = tiny.folder / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" > {tiny.folder}/opened\n')
    browser.chmod(0o755)
    done = tiny.call([*tiny.command()[:3], "ask", ASKED, *tiny.command()[3:], "--open"], BROWSER=f"{browser} %s")
    assert (done.returncode, done.stderr) == (0, "")
    page = folder(tiny) / "page.html"
    assert (tiny.folder / "opened").read_text().strip() == page.as_uri()
    assert f"page: {page} (opened)" in done.stdout


def test_where_nothing_can_be_drawn_the_terminal_is_not_asked(tiny: Tiny) -> None:
    code = "import sys; from taec.commands.pictures import drawing; print(drawing(), 'textual_image' in sys.modules)"
    assert tiny.call([sys.executable, "-c", code]).stdout == "None False\n"


def test_a_question_of_a_finished_run_is_shown(tiny: Tiny, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*tiny.command()[3:], "benchmark.questions=2"]) == 0
    runs = [path for path in (tiny.folder / "runs").iterdir() if path.name.startswith("tiny-")]
    assert run(["show", str(runs[0]), "q2"]) == 0
    page = (runs[0] / "question-q2.html").read_text()
    assert "gold pages" in page
    assert "verdict" in page
    capsys.readouterr()
    assert run(["show", str(runs[0]), "q22"]) == 2
    assert "did you mean 'q2'?" in capsys.readouterr().err
    assert run(["show", str(runs[0])]) == 2
    assert "show takes a run folder and the id" in capsys.readouterr().err


def test_what_was_asked_is_shown_again(tiny: Tiny) -> None:
    assert run(["ask", ASKED, *tiny.command()[3:]]) == 0
    assert run(["show", str(folder(tiny)), "question"]) == 0
    assert (folder(tiny) / "question-question.html").read_text() == (folder(tiny) / "page.html").read_text()


def test_own_documents_are_asked_and_what_cannot_be_read_is_told(tiny: Tiny, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("taec.documents.discovery")
    own = tmp_path / "own"
    own.mkdir()
    words = ["ask", ASKED, *tiny.command()[3:], f"documents={own}"]
    assert run(words) == 2
    assert f"documents={own}" in capsys.readouterr().err
    (own / "broken.pdf").write_bytes(b"no PDF at all")
    assert run(words) == 2
    assert "None of the documents has a page that can be read" in capsys.readouterr().err
    (own / "mine.pdf").write_bytes(text_pdf([f"A page\n{FILLER}The number is 2."]))
    assert run(words) == 0
    shown = capsys.readouterr()
    assert "mine.pdf, page 1 (search 1" in shown.out
    assert "broken.pdf" in shown.err
    assert run(["show", str(folder(tiny)), "question"]) == 0
