"""Log layouts of brokers and Java pods, and the logging configuration that makes them.

A layout is named for where it is met: `kafka` (brokers), `boot` and `boot2` (Spring Boot 3 and 2),
`quarkus`, `logback` (logback's default in a Dropwizard or plain service: time without a date), `iso`,
`level-first`, `epoch`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from lab.cache import release

# In Log4j 2 spelling; log4j 1.2 (reload4j) and logback differ in a few conversions, translated below.
LAYOUTS: dict[str, str] = {
    "kafka": "[%d] %p %m (%c)%n",
    "boot": "%d{yyyy-MM-dd'T'HH:mm:ss.SSSXXX}  %-5p 1 --- [%15.15t] %-40.40c{1.} : %m%n",
    "boot2": "%d{yyyy-MM-dd HH:mm:ss.SSS}  %-5p 1 --- [%15.15t] %-40.40c{1.} : %m%n",
    "quarkus": "%d{yyyy-MM-dd HH:mm:ss,SSS} %-5p [%c{3.}] (%t) %m%n",
    "logback": "%d{HH:mm:ss.SSS} [%t] %-5p %c{36} - %m%n",
    "logback-dated": "%d{yyyy-MM-dd HH:mm:ss.SSS} [%t] %-5p %c{36} - %m%n",
    "iso": "%d{ISO8601} %-5p [%t] %c:%L - %m%n",
    "level-first": "%-5p [%d{yyyy-MM-dd HH:mm:ss,SSS}] [%t] %c: %m%n",
    "short-name": "%d{yyyy-MM-dd HH:mm:ss,SSS} %p %c{1} [%t] %m%n",
    # Connect's own configuration: its context in front of the message (KIP-449).
    "connect": "[%d] %p %X{connector.context}%m (%c:%L)%n",
    "epoch": "%r %d{UNIX_MILLIS} %p %c %m%n",
}
JSON = "json"  # one JSON object a line (logback cannot do it without more jars; Log4j 2 patterns can)
_JSON_PATTERN = (
    '{"ts":"%d{yyyy-MM-dd\'T\'HH:mm:ss.SSSXXX}","level":"%p","thread":"%enc{%t}{JSON}",'
    '"logger":"%c","msg":"%enc{%m}{JSON}","stack":"%enc{%xEx}{JSON}"}%n'
)
_TO_THE_END = ' shutdownHook="disable"'


def names() -> list[str]:
    """Return the names of all layouts."""
    return [*LAYOUTS, JSON]


def write_config(
    folder: Path,
    stem: str,
    version: str,
    layout: str,
    *,
    file: Path | None = None,
    level: str = "INFO",
    loggers: Mapping[str, str] | None = None,
    logback: bool = False,
    last_words: bool = True,
) -> str:
    """Write the logging configuration of one JVM and return the option that points to it (`file` None:
    stdout).

    With `last_words=False` Log4j 2 stops as soon as the JVM is told to, before the consumer has left its
    group: so do plain applications, while Spring Boot, Quarkus and Kafka's brokers log to their end.
    """
    if logback:
        return _logback(folder / f"{stem}-logback.xml", layout, level, loggers or {})
    if release(version) >= (4, 0):
        path = folder / f"{stem}-log4j2.xml"
        return _log4j2(path, layout, file, level, loggers or {}, last_words=last_words)
    return _log4j1(folder / f"{stem}-log4j.properties", layout, file, level, loggers or {})


def _log4j2(
    path: Path,
    layout: str,
    file: Path | None,
    level: str,
    loggers: Mapping[str, str],
    *,
    last_words: bool,
) -> str:
    pattern = _JSON_PATTERN if layout == JSON else LAYOUTS[layout]
    inner = f"<PatternLayout><Pattern><![CDATA[{pattern}]]></Pattern></PatternLayout>"
    if layout == JSON:
        inner = inner.replace("<PatternLayout>", '<PatternLayout alwaysWriteExceptions="false">')
    appender = (
        f'<File name="A" fileName="{file}">{inner}</File>' if file else f'<Console name="A">{inner}</Console>'
    )
    own = "".join(f'<Logger name="{name}" level="{of}"/>' for name, of in loggers.items())
    path.write_text(
        f"<Configuration{_TO_THE_END if last_words else ''}><Appenders>{appender}</Appenders>"
        f'<Loggers>{own}<Root level="{level}"><AppenderRef ref="A"/></Root></Loggers></Configuration>'
    )
    return f"-Dlog4j2.configurationFile={path}"


def _log4j1(path: Path, layout: str, file: Path | None, level: str, loggers: Mapping[str, str]) -> str:
    if layout in (JSON, "epoch"):
        raise ValueError(f"log4j 1.2 (Kafka before 4.0) has no pattern for the layout {layout!r}")
    # log4j 1.2 counts name parts from the right, knows no zone of ISO form but Z, and calls a category %c
    # all the same.
    pattern = LAYOUTS[layout].replace("SSSXXX", "SSSZ").replace("%c{36}", "%c")
    pattern = re.sub(r"c\{(\d)\.\}", r"c{\1}", pattern)
    kind = "FileAppender" if file else "ConsoleAppender"
    lines = [
        f"log4j.rootLogger={level}, A",
        *(f"log4j.logger.{name}={of}" for name, of in loggers.items()),
        f"log4j.appender.A=org.apache.log4j.{kind}",
        "log4j.appender.A.layout=org.apache.log4j.PatternLayout",
        f"log4j.appender.A.layout.ConversionPattern={pattern}",
    ]
    if file:
        lines.append(f"log4j.appender.A.File={file}")
    path.write_text("\n".join(lines) + "\n")
    return f"-Dlog4j.configuration=file:{path}"


def _logback(path: Path, layout: str, level: str, loggers: Mapping[str, str]) -> str:
    pattern = LAYOUTS[layout].replace("%c{1.}", "%c{39}").replace("%p", "%level").replace("%-5p", "%-5level")
    pattern = re.sub(r"c\{(\d)\.\}", "c{30}", pattern)
    own = "".join(f'<logger name="{name}" level="{of}"/>' for name, of in loggers.items())
    path.write_text(
        '<configuration><appender name="A" class="ch.qos.logback.core.ConsoleAppender">'
        f"<encoder><pattern>{pattern}</pattern></encoder></appender>{own}"
        f'<root level="{level}"><appender-ref ref="A"/></root></configuration>'
    )
    return f"-Dlogback.configurationFile={path}"
