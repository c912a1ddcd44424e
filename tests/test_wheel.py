"""The wheel that `pip` builds runs outside the checkout, with its parsers and queries inside."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SAMPLE = ROOT / "sample_logs" / "one-step-4.1.0" / "logs"

pytestmark = pytest.mark.xdist_group("wheel")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel with the installed build backend, without network access."""
    out = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(out), str(ROOT)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    (built,) = out.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def program(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install the wheel alone into a fresh environment that sees the dependencies of this one."""
    home = tmp_path_factory.mktemp("venv")
    venv.create(home, with_pip=False, symlinks=True)
    scripts = home / "bin"
    site = next((home / "lib").glob("python*")) / "site-packages"
    install = [
        sys.executable,
        "-m",
        "pip",
        "install",
        "--quiet",
        "--no-deps",
        "--no-index",
        "--target",
        str(site),
    ]
    subprocess.run([*install, str(wheel)], check=True)
    # A .pth file in a folder added by a .pth file is not read: an editable checkout stays out of sight.
    (site / "libraries.pth").write_text(sysconfig.get_paths()["purelib"] + "\n")
    assert (site / "loganalyst" / "cli" / "__init__.py").exists()
    return scripts / "python"


def run(program: Path, cwd: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the installed command line from another directory."""
    env = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    return subprocess.run(
        [str(program), "-m", "loganalyst", *arguments],
        cwd=cwd,
        env=env,
        capture_output=True,
        text=True,
        check=False,
    )


def test_parsers_and_queries_are_inside(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    for folder in ("parsers", "queries"):
        shipped = {path.relative_to(ROOT).as_posix() for path in (ROOT / folder).rglob("*") if path.is_file()}
        assert {f"loganalyst/{name}" for name in shipped} <= names
    assert not [name for name in names if name.startswith(("tests/", "lab/", "sample_logs/", "docs/"))]
    assert [name for name in names if name.startswith("loganalyst/") and name.endswith("layouts.toml")]


def test_the_installed_program_uses_its_own_files(program: Path, tmp_path: Path) -> None:
    code = "import loganalyst; from loganalyst.shipped import shipped; "
    code += "print(loganalyst.__file__, shipped('queries'))"
    done = subprocess.run(
        [str(program), "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert str(ROOT) not in done.stdout and "loganalyst/queries" in done.stdout


def test_the_installed_program_runs_the_main_job_anywhere(program: Path, tmp_path: Path) -> None:
    done = run(program, tmp_path, "analyze", str(SAMPLE))
    assert done.returncode == 0, done.stderr
    assert "orders-service" in done.stdout.splitlines()[0]
    assert "rebalances" in run(program, tmp_path, "queries").stdout
    line = "Group orders with generation 7 is now empty (__consumer_offsets-3)"
    explained = run(program, tmp_path, "explain", line)
    assert explained.stdout.startswith("group_empty")
