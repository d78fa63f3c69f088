"""Whatever a row holds: it loads, or one error names the row. Nothing else."""

import json
import tempfile
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.benchmarks import read, write_pdf

from taec.core.errors import UsageError

Values = dict[str, object]

GOOD: dict[str, Values] = {
    "mmlongbench": {
        "doc_id": "d.pdf",
        "question": "?",
        "answer": "a",
        "evidence_pages": "[1]",
        "evidence_sources": "['Chart']",
        "answer_format": "Str",
    },
    "vidoseek": {
        "uid": "u",
        "query": "?",
        "reference_answer": "a",
        "meta_info": {"file_name": "d.pdf", "reference_page": [1], "source_type": "text", "query_type": "single_hop"},
    },
    "slidevqa": {
        "deck_name": "d",
        "qa_id": 3,
        "question": "?",
        "answer": "a",
        "evidence_pages": [1],
        "image_urls": [],
        "reasoning_type": "",
    },
    "folder": {"question": "?", "answer": "a", "document": "d.pdf", "pages": 1, "gold": [], "id": "i", "aliases": [], "sources": "table"},
}

TEXTS = st.one_of(
    st.text(max_size=12), st.sampled_from(["[1", "[1, 2]", "['a']", "{}", "[[1]]", "None", "nan", "-1", "1e9", "(", "'", "[" * 200])
)
SCALARS = st.one_of(st.none(), st.booleans(), st.integers(-(10**30), 10**30), st.floats(), TEXTS)
ANYTHING = st.recursive(SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3), max_leaves=6)


@pytest.fixture(scope="module")
def documents(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_pdf(tmp_path_factory.mktemp("documents") / "d.pdf", 2).parent


@st.composite
def spoilt(draw: st.DrawFn, name: str) -> Values:
    """A good row with some of its values, or those one level down, made anything or taken away."""

    def changed(row: Mapping[str, object]) -> Values:
        found = dict(row)
        for column in draw(st.lists(st.sampled_from(sorted(row)), max_size=3)):
            inner = row[column]
            if isinstance(inner, dict) and draw(st.booleans()):
                found[column] = changed(inner)
            elif draw(st.booleans()):
                found[column] = draw(ANYTHING)
            else:
                found.pop(column, None)
        return found

    return changed(GOOD[name])


def load(name: str, content: bytes, suffix: str, documents: Path) -> None:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / f"questions{suffix}"
        file.write_bytes(content)
        benchmark = read(name, annotations=file, documents=documents)
    ids = [question.id for question in benchmark.questions]
    assert len(set(ids)) == len(ids)
    for question in benchmark.questions:
        assert question.text
        assert question.references[0]
        "".join([question.id, question.text, *question.references, *question.sources, question.hop, *question.items]).encode()
        assert question.gold <= {f"{name}_p{number}" for name in ("d", "d.pdf") for number in (1, 2)}
    json.dumps(dict(benchmark.facts)).encode()


@pytest.mark.parametrize("name", list(GOOD))
@given(data=st.data())
@settings(max_examples=150, deadline=None)
def test_a_row_loads_or_is_named(name: str, documents: Path, data: st.DataObject) -> None:
    rows = [GOOD[name], data.draw(spoilt(name))]
    said = "row 1"
    try:
        load(name, json.dumps(rows).encode(), ".json", documents)
    except UsageError as error:
        said = str(error)
    assert "row 1" in said


@pytest.mark.parametrize("suffix", [".json", ".jsonl", ".csv", ".tsv", ".parquet"])
@given(content=st.one_of(st.binary(max_size=40), st.text(alphabet='{}[],:"\n\t\r;a1\x00\u2028', max_size=40).map(str.encode)))
@settings(max_examples=60, deadline=None)
def test_a_file_of_noise_is_refused(suffix: str, documents: Path, content: bytes) -> None:
    with pytest.raises(UsageError):
        load("mmlongbench", content, suffix, documents)
