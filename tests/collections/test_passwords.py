"""Encrypted documents, opened with passwords that stand neither in the configuration nor in anything that is written."""

import hashlib
import json
from itertools import cycle
from pathlib import Path

import pytest

from taec.collections.build import build_collection
from taec.collections.passwords import passwords
from taec.collections.settings import CollectionSettings, PasswordSettings
from taec.collections.store import Collection, Work
from taec.core.errors import UsageError
from taec.documents.base import Document

SECRET = "open sésame"
PADDING = bytes.fromhex("28BF4E5E4E758A4164004E56FFFA01082E2E00B6D0683E802F0CA9FE6453697A")


def rc4(key: bytes, data: bytes) -> bytes:
    state, j = list(range(256)), 0
    for i, letter in zip(range(256), cycle(key), strict=False):
        j = (j + state[i] + letter) % 256
        state[i], state[j] = state[j], state[i]
    i = j = 0
    found = bytearray()
    for letter in data:
        i = (i + 1) % 256
        j = (j + state[i]) % 256
        state[i], state[j] = state[j], state[i]
        found.append(letter ^ state[(state[i] + state[j]) % 256])
    return bytes(found)


def locked_pdf(password: str) -> bytes:
    """One empty page behind a user password (PDF 1.7, 7.6.3, revision 2)."""
    padded = (password.encode("latin-1") + PADDING)[:32]
    identity, permissions = b"0123456789abcdef", -4
    owner = rc4(hashlib.md5(padded).digest()[:5], padded)
    key = hashlib.md5(padded + owner + permissions.to_bytes(4, "little", signed=True) + identity).digest()[:5]
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] >>",
        f"<< /Filter /Standard /V 1 /R 2 /O <{owner.hex()}> /U <{rc4(key, PADDING).hex()}> /P {permissions} >>",
    ]
    body, offsets = "%PDF-1.4\n", []
    for number, content in enumerate(objects, start=1):
        offsets.append(len(body))
        body += f"{number} 0 obj\n{content}\nendobj\n"
    table = "".join(f"{offset:010d} 00000 n \n" for offset in offsets)
    trailer = f"<< /Size 5 /Root 1 0 R /Encrypt 4 0 R /ID [<{identity.hex()}> <{identity.hex()}>] >>"
    return f"{body}xref\n0 5\n0000000000 65535 f \n{table}trailer {trailer}\nstartxref\n{len(body)}\n%%EOF".encode()


@pytest.fixture
def locked(tmp_path: Path) -> Path:
    path = tmp_path / "locked v1.pdf"
    path.write_bytes(locked_pdf(SECRET))
    return path


def build(path: Path, settings: CollectionSettings, **where: object) -> Collection:
    chosen = PasswordSettings.model_validate({"variables": None, "file": None, **where})
    changed = settings.model_copy(update={"passwords": chosen})
    return build_collection([Document(path.name, path)], path.parent / "cache", changed, lambda _: [], lambda *_: None)


def test_a_locked_document_is_opened_once_its_password_is_there(
    locked: Path, settings: CollectionSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    without = build(locked, settings)
    assert [trouble.kind for trouble in without.report.troubles] == ["locked"]
    assert "collection.passwords.variables" in without.report.documents[0]
    monkeypatch.setenv("LOCKED_PASSWORD", "wrong")
    assert "cannot be opened with the password" in build(locked, settings, variables={"*": "LOCKED_PASSWORD"}).report.documents[0]
    monkeypatch.setenv("LOCKED_PASSWORD", SECRET)
    opened = build(locked, settings, variables={locked.name: "LOCKED_PASSWORD"})
    assert (opened.work, opened.report.documents) == (Work(1, 0), ())
    assert opened.digest != without.digest
    assert build(locked, settings).digest == opened.digest  # what is rendered is rendered
    written = [path for path in (locked.parent / "cache").glob("**/*") if path.is_file() and SECRET.encode() in path.read_bytes()]
    assert written == []


def test_passwords_may_stand_in_a_file(locked: Path, settings: CollectionSettings) -> None:
    secrets = locked.parent / "secrets.json"
    secrets.write_text(json.dumps({locked.name: SECRET}))
    assert len(build(locked, settings, file=secrets).pages) == 1
    for content in ("{", "[]", '{"a": 1}'):
        secrets.write_text(content)
        with pytest.raises(UsageError, match="<password>"):
            build(locked, settings, file=secrets)


def test_what_looks_like_a_password_is_refused_and_not_repeated(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ValueError, match="NAME of an environment variable"):
        PasswordSettings(variables={"a.pdf": "hunter2"}, file=None)
    monkeypatch.delenv("NOT_SET", raising=False)
    with pytest.raises(UsageError, match="NOT_SET is not set"):
        passwords(PasswordSettings(variables={"a.pdf": "NOT_SET"}, file=None), ["a.pdf"])
    assert passwords(PasswordSettings(variables={"a.pdf": "NOT_SET"}, file=None), ["b.pdf"]) == {}
