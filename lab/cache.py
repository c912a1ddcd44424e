"""What the lab fetches and builds once, kept in the folder `LAB_CACHE` (default: `loganalyst-lab` in the
user's cache).

Jars come by Maven, other clients by pip, npm and go: each by its ordinary client and its own settings.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import zipfile
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from xml.sax.saxutils import escape

SOURCES = Path(__file__).parent
_COPY = "org.apache.maven.plugins:maven-dependency-plugin:3.6.1"
_KAFKA = "org.apache.kafka"
# Kafka to 3.9 speaks SLF4J 1.7 to reload4j (log4j 1.2's successor), Kafka 4 to Log4j 2 (KIP-653).
_RELOAD4J = "org.slf4j:slf4j-reload4j:1.7.36"
_LOG4J2 = ("org.apache.logging.log4j:log4j-slf4j-impl:2.24.3", "org.apache.logging.log4j:log4j-core:2.24.3")
_LOGBACK = "ch.qos.logback:logback-classic:1.2.13"
_NOT_LOGGED_BY = (("log4j", "log4j"), ("org.slf4j", "slf4j-log4j12"))
# The tools' jar asks for Connect, which no tool of the lab needs and not every release has published.
_NOT_FOR_TOOLS = tuple((_KAFKA, f"connect-{part}") for part in ("api", "json", "transforms", "runtime"))
SPRING_BOOT = "3.5.3"


class FetchError(Exception):
    """Something could not be fetched or built; the message says what and how the tool put it."""


def cache_folder() -> Path:
    """Return the cache folder, made if needed."""
    default = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "loganalyst-lab"
    folder = Path(os.environ.get("LAB_CACHE", default)).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def release(version: str) -> tuple[int, int]:
    """Return (major, minor) of a Kafka version; raises FetchError for what is none."""
    major, _, rest = version.partition(".")
    minor = rest.partition(".")[0]
    if not (major.isdigit() and minor.isdigit()):
        raise FetchError(f"{version!r} is no Kafka version: give one like 3.9.2, or newest")
    return int(major), int(minor)


@cache
def newest_kafka() -> str:
    """Return the newest published version of Kafka's clients."""
    folder = cache_folder() / "newest"
    shutil.rmtree(folder, ignore_errors=True)
    _run(
        [
            "mvn",
            "-q",
            "-B",
            "-U",
            f"{_COPY}:copy",
            f"-Dartifact={_KAFKA}:kafka-clients:LATEST",
            f"-DoutputDirectory={folder}",
        ]
    )
    jar = next(folder.glob("kafka-clients-*.jar"))
    return jar.stem.removeprefix("kafka-clients-")


def broker_jars(version: str) -> Path:
    """Return the folder with all that a broker, a ZooKeeper and the command line tools of `version` need."""
    wanted = [f"{_KAFKA}:kafka_2.13:{version}", f"{_KAFKA}:kafka-tools:{version}"]
    return _jars(f"broker-{version}", [*wanted, *_binding(version)])


def client_jars(version: str, *, logback: bool = False) -> Path:
    """Return the folder with the consumer of `version` and its logging, compiled lab classes included."""
    binding = [_LOGBACK] if logback else _binding(version)
    folder = _jars(
        f"client-{version}{'-logback' if logback else ''}", [f"{_KAFKA}:kafka-clients:{version}", *binding]
    )
    # Group metadata in a transaction came with 2.5 (KIP-447), share consumers in their present form with 4.1.
    transfer = ["Transfer.java"] if release(version) >= (2, 5) else []
    share = ["Share.java"] if release(version) >= (4, 1) else []
    return _compiled(folder, ["Pod.java", "Zone.java", *transfer, *share])


def feeder_jars() -> Path:
    """Return the folder with the feeder: one version, whose client speaks to brokers from 2.1 to the
    newest.
    """
    return _compiled(_jars("feeder", [f"{_KAFKA}:kafka-clients:3.9.1", _RELOAD4J]), ["Feeder.java"])


def streams_jars(version: str) -> Path:
    """Return the folder with Kafka Streams of `version` and the lab's Streams app."""
    return _compiled(
        _jars(f"streams-{version}", [f"{_KAFKA}:kafka-streams:{version}", *_binding(version)]), ["Words.java"]
    )


def connect_jars(version: str) -> Path:
    """Return the folder with a Connect worker of `version` and the lab's sink connector."""
    folder = _jars(f"connect-{version}", [f"{_KAFKA}:connect-runtime:{version}", *_binding(version)])
    compiled = _compiled(folder, ["LabSink.java"])
    # Connect finds its plugins by this file (KIP-898); older workers scan the class path and need none.
    manifest = compiled / "classes" / "META-INF" / "services" / "org.apache.kafka.connect.sink.SinkConnector"
    manifest.parent.mkdir(parents=True, exist_ok=True)
    manifest.write_text("com.example.warehouse.LabSink\n")
    return compiled


def spring_jars(boot: str = SPRING_BOOT) -> Path:
    """Return the folder with a Spring Boot listener application."""
    bom = f"org.springframework.boot:spring-boot-dependencies:{boot}"
    wanted = [
        f"org.springframework.boot:spring-boot-starter:{boot}",
        "org.springframework.kafka:spring-kafka:",
        "com.fasterxml.jackson.core:jackson-databind:",
    ]
    return _compiled(_jars(f"spring-{boot}", wanted, bom=bom), ["Orders.java"])


def python_clients() -> Path:
    """Return the interpreter of a virtual environment with the Python clients."""
    wanted = (SOURCES / "clients" / "requirements.txt").read_text()

    def build(folder: Path) -> None:
        _run(["python3", "-m", "venv", str(folder)])
        _run(
            [
                str(folder / "bin/pip"),
                "install",
                "--quiet",
                "-r",
                str(SOURCES / "clients" / "requirements.txt"),
            ]
        )

    return _once("python", wanted, build) / "bin/python"


def node_clients() -> Path:
    """Return the folder in which `node kjs.js` finds kafkajs."""
    return _once(
        "node",
        _text("clients/node"),
        lambda folder: _build_from(
            "clients/node", folder, [["npm", "install", "--silent", "--no-audit", "--no-fund"]]
        ),
    )


def go_client(name: str) -> Path:
    """Return the built Go client `sarama`, `franz` or `segmentio`."""
    steps = [["go", "mod", "tidy"], ["go", "build", "-o", "./bin/", "./..."]]
    return (
        _once("go", _text("clients/go"), lambda folder: _build_from("clients/go", folder, steps))
        / "bin"
        / name
    )


def has_class(folder: Path, name: str) -> bool:
    """Say whether one of the Kafka jars in `folder` holds the class `name` (tools moved between releases)."""
    entry = name.replace(".", "/") + ".class"
    jars = [*folder.glob("kafka-tools-*.jar"), *folder.glob("kafka_2.13-*.jar")]
    return any(entry in zipfile.ZipFile(jar).namelist() for jar in jars)


def _binding(version: str) -> Sequence[str]:
    return _LOG4J2 if release(version) >= (4, 0) else [_RELOAD4J]


def _jars(name: str, artifacts: Sequence[str], bom: str = "") -> Path:
    """Fetch `artifacts` and what they need at run time; log4j 1.2 itself is left out (reload4j takes its
    place).
    """

    def build(folder: Path) -> None:
        pom = folder / "pom.xml"
        pom.write_text(_pom(artifacts, bom))
        _run(
            [
                "mvn",
                "-q",
                "-B",
                "-f",
                str(pom),
                f"{_COPY}:copy-dependencies",
                f"-DoutputDirectory={folder}",
                "-DincludeScope=runtime",
            ]
        )

    return _once(name, "\n".join([*artifacts, bom]), build)


def _pom(artifacts: Sequence[str], bom: str) -> str:
    def dependency(coordinates: str, extra: str) -> str:
        group, artifact, version = map(escape, coordinates.split(":"))
        stated = f"<version>{version}</version>" if version else ""
        name = f"<groupId>{group}</groupId><artifactId>{artifact}</artifactId>"
        return f"<dependency>{name}{stated}{extra}</dependency>"

    def exclusions(coordinates: str) -> str:
        left_out = (*_NOT_LOGGED_BY, *(_NOT_FOR_TOOLS if ":kafka-tools:" in coordinates else ()))
        return "".join(
            f"<exclusion><groupId>{group}</groupId><artifactId>{artifact}</artifactId></exclusion>"
            for group, artifact in left_out
        )

    wanted = "".join(dependency(a, f"<exclusions>{exclusions(a)}</exclusions>") for a in artifacts)
    managed = dependency(bom, "<type>pom</type><scope>import</scope>") if bom else ""
    return (
        '<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>'
        "<groupId>lab</groupId><artifactId>lab</artifactId><version>1</version>"
        f"<dependencyManagement><dependencies>{managed}</dependencies></dependencyManagement>"
        f"<dependencies>{wanted}</dependencies></project>"
    )


def _compiled(folder: Path, sources: Sequence[str]) -> Path:
    """Compile lab classes against the jars in `folder` into `folder/classes`, again when the text changed."""
    paths = [SOURCES / "java" / name for name in sources]
    text = "".join(path.read_text() for path in paths)
    stamp = folder / "classes" / "built-from"
    if not stamp.exists() or stamp.read_text() != text:
        shutil.rmtree(folder / "classes", ignore_errors=True)
        _run(
            [
                "javac",
                "-parameters",
                "-nowarn",
                "-d",
                str(folder / "classes"),
                "-cp",
                f"{folder}/*",
                *map(str, paths),
            ]
        )
        stamp.write_text(text)
    return folder


def _text(folder: str) -> str:
    return "".join(path.read_text() for path in sorted((SOURCES / folder).rglob("*")) if path.is_file())


def _build_from(sources: str, folder: Path, steps: Sequence[Sequence[str]]) -> None:
    shutil.copytree(SOURCES / sources, folder, dirs_exist_ok=True)
    for step in steps:
        _run(step, cwd=folder)


def _once(name: str, recipe: str, build: Callable[[Path], None]) -> Path:
    """Return the cache folder `name`, built when it is missing, half-built, or of another recipe."""
    folder = cache_folder() / name
    stamp = folder / "recipe"
    if not stamp.exists() or stamp.read_text() != recipe:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        build(folder)
        stamp.write_text(recipe)
    return folder


def _run(argv: Sequence[str], cwd: Path | None = None) -> None:
    try:
        done = subprocess.run(argv, cwd=cwd, capture_output=True, text=True, timeout=540, check=False)
    except FileNotFoundError as missing:
        raise FetchError(
            f"{argv[0]} is not installed: the lab needs Java 17+, Maven, and Node or Go for their clients"
        ) from missing
    except subprocess.TimeoutExpired as slow:
        raise FetchError(f"{' '.join(argv[:4])} … took longer than 9 minutes") from slow
    if done.returncode:
        said = (done.stdout + done.stderr).strip()[:1500]
        raise FetchError(f"{' '.join(argv)} failed with {done.returncode}:\n{said}")
