# ruff: noqa: E501 - one wrapper a line
"""Wraps real lines the way transports, shippers and stores do, so that tests can ask for the same records back."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Sequence
from datetime import UTC, datetime

Wrap = Callable[[Sequence[str], Sequence[int]], str]

POD, CONTAINER, NAMESPACE, NODE = "orders-7c9d8b6f5-x2k4q", "orders", "shop", "node-3"


def rfc3339(micros: int, digits: int = 9, zone: str = "Z") -> str:
    text = datetime.fromtimestamp(micros // 1_000_000, UTC).strftime("%Y-%m-%dT%H:%M:%S")
    fraction = f"{micros % 1_000_000:06d}000"[:digits]
    return f"{text}{'.' + fraction if digits else ''}{zone}"


def each(make: Callable[[str, int], str], end: str = "\n") -> Wrap:
    return lambda lines, times: "".join(make(line, at) + end for line, at in zip(lines, times, strict=True))


def dumps(value: object) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def _cri(lines: Sequence[str], times: Sequence[int]) -> str:
    out = []
    for line, at in zip(lines, times, strict=True):
        size = 100
        parts = [line[i : i + size] for i in range(0, len(line), size)] or [""]
        for part in parts[:-1]:
            out.append(f"{rfc3339(at)} stdout P {part}\n")
        out.append(f"{rfc3339(at)} stdout F {parts[-1]}\n")
    return "".join(out)


def _docker(lines: Sequence[str], times: Sequence[int]) -> str:
    out = []
    for line, at in zip(lines, times, strict=True):
        parts = [line[i : i + 200] for i in range(0, len(line), 200)] or [""]
        parts[-1] += "\n"
        out += [dumps({"log": part, "stream": "stdout", "time": rfc3339(at)}) + "\n" for part in parts]
    return "".join(out)


def csv_of(header: Sequence[str], row: Callable[[str, int], Sequence[str]]) -> Wrap:
    def wrap(lines: Sequence[str], times: Sequence[int]) -> str:
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(header)
        for line, at in zip(lines, times, strict=True):
            writer.writerow(row(line, at))
        return out.getvalue()

    return wrap


def document(make: Callable[[list[tuple[str, int]]], object], indent: int | None = 4) -> Wrap:
    return lambda lines, times: json.dumps(make(list(zip(lines, times, strict=True))), indent=indent) + "\n"


KUBERNETES = {
    "pod_name": POD, "namespace_name": NAMESPACE, "pod_id": "0b0e7f1c-8d0e-4c7e-9f0a-5d3b2a1c9e77",
    "labels": {"app.kubernetes.io/name": "orders"}, "host": NODE, "container_name": CONTAINER,
}  # fmt: skip
BEATS = {
    "@metadata": {"beat": "filebeat", "type": "_doc", "version": "8.15.0"},
    "log": {"offset": 1234, "file": {"path": f"/var/log/containers/{POD}_{NAMESPACE}_{CONTAINER}-{'0a' * 32}.log"}},
    "stream": "stdout",
    "kubernetes": {
        "pod": {"name": POD, "uid": "0b0e"}, "namespace": NAMESPACE, "node": {"name": NODE},
        "container": {"name": CONTAINER}, "labels": {"app": "orders"},
    },
    "host": {"name": NODE}, "ecs": {"version": "8.0.0"}, "agent": {"type": "filebeat"}, "input": {"type": "container"},
}  # fmt: skip
RESOURCE = {
    "attributes": [
        {"key": "k8s.pod.name", "value": {"stringValue": POD}},
        {"key": "k8s.namespace.name", "value": {"stringValue": NAMESPACE}},
        {"key": "k8s.container.name", "value": {"stringValue": CONTAINER}},
    ]
}


def _otlp(pairs: list[tuple[str, int]]) -> object:
    return {
        "resourceLogs": [
            {
                "resource": RESOURCE,
                "scopeLogs": [
                    {
                        "scope": {},
                        "logRecords": [
                            {
                                "timeUnixNano": str(at * 1000), "observedTimeUnixNano": str(at * 1000 + 5),
                                "severityNumber": 9, "severityText": "INFO", "body": {"stringValue": line},
                                "attributes": [{"key": "log.iostream", "value": {"stringValue": "stdout"}}],
                                "traceId": "", "spanId": "",
                            }
                            for line, at in pairs
                        ],
                    }
                ],
            }
        ]
    }  # fmt: skip


def _us(at: int) -> str:
    moment = datetime.fromtimestamp(at / 1e6, UTC)
    return f"{moment.month}/{moment.day}/{moment.year}, {moment.strftime('%I:%M:%S').lstrip('0')}.{at // 1000 % 1000:03d} {moment:%p}"


def _hits(pairs: list[tuple[str, int]]) -> object:
    hits = [
        {"_index": "logs", "_id": str(i), "_score": None, "_source": {"@timestamp": rfc3339(at, 3), "message": line, **BEATS}, "sort": [at // 1000]}
        for i, (line, at) in enumerate(pairs)
    ]  # fmt: skip
    return {
        "took": 5,
        "timed_out": False,
        "hits": {"total": {"value": len(hits), "relation": "eq"}, "hits": hits},
    }


def _firehose(lines: Sequence[str], times: Sequence[int]) -> str:
    out = []
    for start in range(0, len(lines), 7):
        events = [
            {"id": str(i), "timestamp": at // 1000, "message": line}
            for i, (line, at) in enumerate(
                zip(lines[start : start + 7], times[start : start + 7], strict=True)
            )
        ]
        out.append(
            dumps(
                {
                    "messageType": "DATA_MESSAGE",
                    "owner": "1",
                    "logGroup": "g",
                    "logStream": POD,
                    "subscriptionFilters": ["f"],
                    "logEvents": events,
                }
            )
        )
    return "".join(out)


WRAPPERS: dict[str, Wrap] = {
    "plain": each(lambda line, at: line),
    "crlf": each(lambda line, at: line, "\r\n"),
    "coloured": each(lambda line, at: f"\x1b[38;5;6m{line}\x1b[0m"),
    "kubectl --timestamps": each(lambda line, at: f"{rfc3339(at)} {line}"),
    "kubectl --prefix": each(lambda line, at: f"[pod/{POD}/{CONTAINER}] {line}"),
    "kubectl --prefix --timestamps": each(lambda line, at: f"[pod/{POD}/{CONTAINER}] {rfc3339(at)} {line}"),
    "stern": each(lambda line, at: f"{POD} {CONTAINER} {line}"),
    "stern coloured": each(lambda line, at: f"\x1b[32m{POD}\x1b[0m \x1b[36m{CONTAINER}\x1b[0m {line}"),
    "stern -A": each(lambda line, at: f"{NAMESPACE} {POD} {CONTAINER} {line}"),
    "stern -t": each(lambda line, at: f"{POD} {CONTAINER} {rfc3339(at, zone='+00:00')} {line}"),
    "stern -o json": each(
        lambda line, at: dumps({"message": line, "nodeName": NODE, "namespace": NAMESPACE, "podName": POD, "containerName": CONTAINER, "labels": {}, "annotations": {}})
    ),
    "stern -o extjson": each(lambda line, at: dumps({"pod": POD, "container": CONTAINER, "message": line})),
    "cri": _cri,
    "docker json-file": _docker,
    "docker logs -t": each(lambda line, at: f"{rfc3339(at)} {line}"),
    "compose v2": each(lambda line, at: f"orders-1  | {line}"),
    "compose v1 coloured": each(lambda line, at: f"\x1b[36morders_1     |\x1b[0m {line}"),
    "docker service logs": each(lambda line, at: f"shop_orders.1.k2j4h5@{NODE}    | {line}"),
    "journalctl": each(lambda line, at: f"{datetime.fromtimestamp(at / 1e6, UTC):%b %d %H:%M:%S} {NODE} orders[4312]: {line}"),
    "journalctl -o short-precise": each(lambda line, at: f"{datetime.fromtimestamp(at // 10**6, UTC):%b %d %H:%M:%S}.{at % 10**6:06d} {NODE} orders[4312]: {line}"),
    "journalctl -o short-iso": each(lambda line, at: f"{rfc3339(at, 0, '+0000')} {NODE} orders[4312]: {line}"),
    "journalctl -o short-unix": each(lambda line, at: f"{at // 10**6}.{at % 10**6:06d} {NODE} orders[4312]: {line}"),
    "journalctl -o json": each(
        lambda line, at: dumps({"__REALTIME_TIMESTAMP": str(at), "_HOSTNAME": NODE, "SYSLOG_IDENTIFIER": "orders", "_PID": "4312", "PRIORITY": "6", "MESSAGE": line})
    ),
    "syslog 3164": each(lambda line, at: f"<134>{datetime.fromtimestamp(at / 1e6, UTC):%b %e %H:%M:%S} {NODE} orders[4312]: {line}"),
    "syslog 5424": each(lambda line, at: f'<134>1 {rfc3339(at, 6)} {NODE} orders 4312 ID47 [meta@32473 pod="{POD}"] {line}'),
    "syslog 5424, escaped": each(lambda line, at: f"<134>1 {rfc3339(at, 6)} {NODE} orders 4312 - - {line}".replace("\t", "#011")),
    "rsyslog file": each(lambda line, at: f"{rfc3339(at, 6, '+00:00')} {NODE} orders[4312]: {line}"),
    "fluent-bit json_lines": each(lambda line, at: dumps({"date": at / 1e6, "time": rfc3339(at), "stream": "stdout", "_p": "F", "log": line, "kubernetes": KUBERNETES})),
    "fluent-bit file": each(lambda line, at: f"kube.var.log: [{at // 10**6}.{at % 10**6:06d}, {dumps({'log': line, 'stream': 'stdout'})}]"),
    "fluent-bit stdout": each(
        lambda line, at: f"[0] kube.var.log: [[{at // 10**6}.{at % 10**6:06d}, {{}}], {{\"log\"=>{json.dumps(line)}, \"stream\"=>\"stdout\"}}]"
    ),
    "fluentd file": each(lambda line, at: f"{rfc3339(at, 0, '+00:00')}\tkube.orders\t{dumps({'log': line + chr(10), 'stream': 'stdout', 'kubernetes': KUBERNETES})}"),
    "vector": each(
        lambda line, at: dumps({"file": f"/var/log/pods/{NAMESPACE}_{POD}_0b0e7f1c-8d0e-4c7e-9f0a-5d3b2a1c9e77/{CONTAINER}/0.log", "kubernetes": {"pod_name": POD, "pod_namespace": NAMESPACE, "container_name": CONTAINER, "pod_node_name": NODE}, "message": line, "source_type": "kubernetes_logs", "stream": "stdout", "timestamp": rfc3339(at)})
    ),
    "filebeat": each(lambda line, at: dumps({"@timestamp": rfc3339(at, 3), "message": line, **BEATS})),
    "logstash": each(lambda line, at: dumps({"@timestamp": rfc3339(at, 3), "@version": "1", "message": line, "host": {"name": NODE}, "event": {"original": line}})),
    "gelf": each(lambda line, at: dumps({"version": "1.1", "host": NODE, "short_message": line, "timestamp": at / 1e6})),
    "logcli": each(lambda line, at: f'{rfc3339(at, 0, "+00:00")} {{app="orders", pod="{POD}", container="{CONTAINER}"}}   {line}'),
    "logcli -o jsonl": each(lambda line, at: dumps({"labels": {"app": "orders", "pod": POD, "container": CONTAINER, "namespace": NAMESPACE}, "line": line, "timestamp": rfc3339(at)})),
    "loki api": document(
        lambda pairs: {"status": "success", "data": {"resultType": "streams", "result": [{"stream": {"pod": POD, "namespace": NAMESPACE}, "values": [[str(at * 1000), line] for line, at in pairs]}]}},
        None,
    ),
    "grafana txt": each(lambda line, at: f"{at // 1000}\t{rfc3339(at, 3)}\t{line}"),
    "grafana txt, older": each(lambda line, at: f"{rfc3339(at, 3, '').replace('T', ' ')}\t{line}"),
    "grafana json": document(lambda pairs: [{"line": line, "timestamp": str(at * 1000), "date": rfc3339(at, 3), "fields": {"pod": POD, "namespace": NAMESPACE}} for line, at in pairs], 2),
    "grafana csv": csv_of(["Date", "Line", "tsNs", "labels", "id"], lambda line, at: [rfc3339(at, 3), line, str(at * 1000), dumps({"pod": POD}), "1"]),
    "cloudwatch filter-log-events": document(
        lambda pairs: {"events": [{"logStreamName": POD, "timestamp": at // 1000, "message": line, "ingestionTime": at // 1000 + 700, "eventId": str(i)} for i, (line, at) in enumerate(pairs)], "searchedLogStreams": []}
    ),
    "cloudwatch get-log-events": document(
        lambda pairs: {"events": [{"timestamp": at // 1000, "message": line + "\n", "ingestionTime": at // 1000 + 700} for line, at in pairs], "nextForwardToken": "f/1", "nextBackwardToken": "b/1"}
    ),
    "cloudwatch insights csv": csv_of(["@timestamp", "@message", "@logStream", "@log"], lambda line, at: [rfc3339(at, 3, "").replace("T", " "), line, POD, "1:g"]),
    "cloudwatch get-query-results": document(
        lambda pairs: {"results": [[{"field": "@timestamp", "value": rfc3339(at, 3, "").replace("T", " ")}, {"field": "@message", "value": line}, {"field": "@ptr", "value": "x"}] for line, at in pairs], "statistics": {"recordsMatched": 1.0}, "status": "Complete"}
    ),
    "aws logs tail": each(lambda line, at: f"{rfc3339(at, 6, '+00:00')} {POD} {line}"),
    "cloudwatch s3 export": each(lambda line, at: f"{rfc3339(at, 3)} {line}"),
    "cloudwatch firehose": _firehose,
    "gcp": document(
        lambda pairs: [
            {"insertId": str(i), "textPayload": line + "\n", "logName": "projects/p/logs/stdout", "receiveTimestamp": rfc3339(at + 900_000), "resource": {"type": "k8s_container", "labels": {"container_name": CONTAINER, "namespace_name": NAMESPACE, "pod_name": POD}}, "severity": "ERROR", "timestamp": rfc3339(at)}
            for i, (line, at) in enumerate(pairs)
        ],
        2,
    ),
    "azure csv": csv_of(
        ["TimeGenerated [UTC]", "Computer", "ContainerId", "ContainerName", "PodName", "PodNamespace", "LogMessage", "LogSource"],
        lambda line, at: [_us(at), NODE, "abc", CONTAINER, POD, NAMESPACE, line, "stdout"],
    ),
    "azure json": document(lambda pairs: [{"TimeGenerated": rfc3339(at, 7), "Computer": NODE, "PodName": POD, "ContainerName": CONTAINER, "PodNamespace": NAMESPACE, "LogMessage": line, "LogSource": "stdout", "TableName": "PrimaryResult"} for line, at in pairs], 2),
    "datadog csv": csv_of(["Date", "Host", "Service", "Pod Name", "Message"], lambda line, at: [rfc3339(at, 3), NODE, CONTAINER, POD, line]),
    "datadog api": document(
        lambda pairs: {"data": [{"id": "A", "type": "log", "attributes": {"timestamp": rfc3339(at, 3), "host": NODE, "service": CONTAINER, "status": "info", "message": line, "tags": [f"pod_name:{POD}", f"kube_namespace:{NAMESPACE}"], "attributes": {}}} for line, at in pairs], "meta": {"page": {}}}
    ),
    "datadog archive": each(lambda line, at: dumps({"_id": "A", "date": rfc3339(at, 3), "service": CONTAINER, "host": NODE, "source": "kafka", "message": line, "status": "info", "tags": [f"pod_name:{POD}"], "attributes": {}})),
    "splunk csv": csv_of(["_raw", "_time", "host", "index", "linecount", "source", "sourcetype", "splunk_server"], lambda line, at: [line, rfc3339(at, 3, "+0000"), NODE, "main", "1", "/var/log/x.log", "kafka", "s1"]),
    "splunk json": each(lambda line, at: dumps({"preview": False, "offset": 0, "result": {"_raw": line, "_time": rfc3339(at, 3, " UTC").replace("T", " "), "host": NODE, "source": "stdout", "pod": POD}})),
    "splunk hec": each(lambda line, at: dumps({"time": at / 1e6, "host": NODE, "source": "stdout", "sourcetype": "kafka", "event": line, "fields": {"pod": POD}})),
    "elasticsearch _search": document(_hits, None),
    "elasticsearch _search, pretty": document(_hits, 2),
    "elasticdump": each(lambda line, at: dumps({"_index": "logs", "_id": "1", "_score": 1, "_source": {"@timestamp": rfc3339(at, 3), "message": line, **BEATS}})),
    "kibana csv": csv_of(
        ["@timestamp", "kubernetes.pod.name", "message"],
        lambda line, at: [f"{datetime.fromtimestamp(at // 10**6, UTC):%b} {datetime.fromtimestamp(at // 10**6, UTC).day}, {datetime.fromtimestamp(at // 10**6, UTC):%Y @ %H:%M:%S}.{at // 1000 % 1000:03d}", POD, line],
    ),
    "kibana copy json": document(lambda pairs: [{"_index": "logs", "_id": "1", "_version": 1, "_source": {}, "fields": {"@timestamp": [rfc3339(at, 3)], "message": [line], "kubernetes.pod.name": [POD]}} for line, at in pairs], 2),
    "kibana table": each(lambda line, at: f"Dec 1, 2026 @ 05:54:14.704\t{line}"),
    "otlp": document(_otlp, None),
    "otlp, pretty": document(_otlp, 2),
    "grep -n": lambda lines, times: "".join(f"{n}:{line}\n" for n, line in enumerate(lines, 20591)),
    "grep -H": each(lambda line, at: f"logs/{POD}.log:{line}"),
    "quoted": each(lambda line, at: f"> {line}"),
    "indented": each(lambda line, at: f"    {line}"),
    "github actions": each(lambda line, at: f"{rfc3339(at, 7)} {line}"),
    "cri in fluent-bit": each(lambda line, at: dumps({"date": at / 1e6, "log": f"{rfc3339(at)} stdout F {line}", "kubernetes": KUBERNETES})),
    "docker json in filebeat in elasticdump": each(
        lambda line, at: dumps({"_source": {"@timestamp": rfc3339(at, 3), "message": dumps({"log": line + "\n", "stream": "stdout", "time": rfc3339(at)}), **BEATS}})
    ),
    "container insights": document(
        lambda pairs: {"events": [{"logStreamName": "x", "timestamp": at // 1000, "message": dumps({"time": rfc3339(at), "stream": "stdout", "_p": "F", "log": line, "kubernetes": KUBERNETES}), "ingestionTime": 1, "eventId": "1"} for line, at in pairs], "searchedLogStreams": []}
    ),
}  # fmt: skip

KNOW_POD = {
    name
    for name in WRAPPERS
    if name.startswith(("kubectl --prefix", "stern", "fluent-bit json", "fluentd", "vector", "filebeat", "logcli", "loki", "grafana json", "grafana csv", "cloudwatch f", "cloudwatch insights", "aws", "gcp", "azure", "datadog", "splunk json", "splunk hec", "elastic", "kibana c", "otlp", "cri in", "docker json in", "syslog 5424"))
} - {"syslog 5424, escaped", "splunk csv"}  # fmt: skip
