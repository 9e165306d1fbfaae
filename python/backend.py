"""Build backend (PEP 517) of this package: it needs no other package, so pip installs offline."""

import base64
import hashlib
import pathlib
import tarfile
import zipfile

NAME, VERSION = "stowage", "0.1.0"
HERE = pathlib.Path(__file__).parent
METADATA = f"""Metadata-Version: 2.1
Name: {NAME}
Version: {VERSION}
Summary: Plans where every buffer of a neural network lies in memory, with a proof.
License: Apache-2.0
Requires-Python: >=3.9
Description-Content-Type: text/markdown

{(HERE / "README.md").read_text(encoding="utf-8")}"""
WHEEL = "Wheel-Version: 1.0\nGenerator: stowage\nRoot-Is-Purelib: true\nTag: py3-none-any\n"


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    info = f"{NAME}-{VERSION}.dist-info"
    files = {f"{NAME}/{path.name}": path.read_bytes() for path in sorted((HERE / NAME).iterdir()) if path.is_file()}
    files[f"{info}/METADATA"] = METADATA.encode()
    files[f"{info}/WHEEL"] = WHEEL.encode()
    record = ""
    for name, content in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        record += f"{name},sha256={digest},{len(content)}\n"
    files[f"{info}/RECORD"] = f"{record}{info}/RECORD,,\n".encode()
    wheel = f"{NAME}-{VERSION}-py3-none-any.whl"
    with zipfile.ZipFile(pathlib.Path(wheel_directory) / wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return wheel


def build_sdist(sdist_directory, config_settings=None):
    root = f"{NAME}-{VERSION}"
    with tarfile.open(pathlib.Path(sdist_directory) / f"{root}.tar.gz", "w:gz") as archive:
        for name in ("pyproject.toml", "README.md", "backend.py", NAME, "tests"):
            archive.add(HERE / name, f"{root}/{name}", filter=lambda entry: None if "__pycache__" in entry.name else entry)
    return f"{root}.tar.gz"
