import os
from pathlib import Path

import pytest
from support.pdf import text_pdf

from taec.core.errors import UsageError
from taec.documents.base import Document
from taec.documents.discovery import discover
from taec.documents.hashes import sha256_of
from taec.documents.pdf import page_count


def write(root: Path, *names: str, content: bytes | None = None) -> None:
    for name in names:
        file = root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content if content is not None else f"{root.name} {name}".encode())


def names(*roots: Path) -> list[str]:
    return [document.name for document in discover(roots).documents]


def test_pdfs_are_named_by_their_path_below_the_root(tmp_path: Path) -> None:
    write(tmp_path, "b.PDF", "a b.pdf", "sub/v1.2.final.pdf", "notes.txt", ".hidden.pdf", ".git/x.pdf", "~$a.pdf", "__MACOSX/b.pdf")
    found = discover([tmp_path])
    assert [document.name for document in found.documents] == ["a b.pdf", "b.PDF", "sub/v1.2.final.pdf"]
    assert [(trouble.kind, trouble.text) for trouble in found.troubles] == [("ignored", "holds files .txt: 1")]


def test_folders_of_slides_are_documents_with_holes(tmp_path: Path) -> None:
    write(tmp_path, *(f"deck a/slide_{number}_1024.jpg" for number in (1, 3, 10)), "other/x.png", "other/a.png")
    first, second = discover([tmp_path]).documents
    assert (first.name, [number for number, _ in first.images]) == ("deck a", [1, 3, 10])
    assert (second.name, [file.name for _, file in second.images]) == ("other", ["a.png", "x.png"])
    assert page_count(first) == 10


def test_images_of_several_documents_may_lie_side_by_side(tmp_path: Path) -> None:
    write(tmp_path, "doc1.final_1.jpg", "doc1.final_2.jpg", "b_1.jpg", "b_2.jpg", "photo.png")
    assert names(tmp_path) == ["b", "doc1.final", "photo.png"]


def test_pages_from_0_are_told_and_counted_from_1(tmp_path: Path) -> None:
    write(tmp_path, "deck/page_0.png", "deck/page_1.png")
    found = discover([tmp_path])
    assert [number for number, _ in found.documents[0].images] == [1, 2]
    assert [trouble.kind for trouble in found.troubles] == ["numbering"]


def test_the_same_content_is_indexed_once(tmp_path: Path) -> None:
    write(tmp_path, "one/a.pdf", "one/copy.pdf", "two/a.pdf", content=b"same")
    found = discover([tmp_path / "one", tmp_path / "two"])
    assert [document.name for document in found.documents] == ["a.pdf"]
    assert [trouble.kind for trouble in found.troubles] == ["duplicate", "duplicate"]


def test_one_name_for_two_documents_is_refused(tmp_path: Path) -> None:
    write(tmp_path, "one/a.pdf", "two/a.pdf")
    with pytest.raises(UsageError, match=r"a\.pdf, and page ids are made .*Rename one"):
        discover([tmp_path / "one", tmp_path / "two"])
    assert names(tmp_path) == ["one/a.pdf", "two/a.pdf"]


def test_a_single_file_and_what_is_not_there(tmp_path: Path) -> None:
    write(tmp_path, "a.pdf", "b.png", "c.txt")
    assert names(tmp_path / "a.pdf", tmp_path / "b.png") == ["a.pdf", "b.png"]
    with pytest.raises(UsageError, match="there is no PDF and no page image"):
        discover([tmp_path / "c.txt"])
    with pytest.raises(UsageError, match="no such file or folder"):
        discover([tmp_path / "gone"])


def test_links_that_loop_end_and_names_without_letters_are_told(tmp_path: Path) -> None:
    write(tmp_path, "sub/a.pdf", "new\nline.pdf")
    (tmp_path / "sub/loop").symlink_to(tmp_path, target_is_directory=True)
    (tmp_path / os.fsdecode(b"\xff.pdf")).write_bytes(b"x")
    found = discover([tmp_path])
    assert [document.name for document in found.documents] == ["sub/a.pdf"]
    assert [trouble.kind for trouble in found.troubles] == ["name", "name"]


def test_digests_are_remembered_until_a_file_changes(tmp_path: Path) -> None:
    file, memory = tmp_path / "a.pdf", tmp_path / "files.sqlite"
    file.write_bytes(b"one")
    os.utime(file, (1_000_000, 1_000_000))
    first = sha256_of([file], memory)
    state = file.stat()
    file.write_bytes(b"two")
    os.utime(file, ns=(state.st_atime_ns, state.st_mtime_ns))
    assert sha256_of([file], memory) == first  # it looks the same: not read again
    os.utime(file, (1_000_001, 1_000_001))
    assert sha256_of([file], memory) != first
    assert isinstance(sha256_of([tmp_path / "gone"], memory)[tmp_path / "gone"], OSError)


def test_pages_are_counted_in_files_and_folders(tmp_path: Path) -> None:
    (tmp_path / "a.pdf").write_bytes(text_pdf(["one", "two"]))
    write(tmp_path, "b.png", "c.pdf")
    assert [page_count(tmp_path / name) for name in ("a.pdf", "b.png", "c.pdf")] == [2, 1, None]
    assert page_count(Document("a", tmp_path / "a.pdf")) == 2
