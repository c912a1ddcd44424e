# ruff: noqa: E501 - one wrapper a line
"""Wraps real lines the way tools, stores and pastes do of which the product knows no name, or only the kind."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta, timezone, tzinfo

from tests.envelopes.wrapping import (
    CONTAINER,
    NAMESPACE,
    NODE,
    POD,
    Wrap,
    csv_of,
    document,
    dumps,
    each,
    rfc3339,
)

INDIA = timezone(timedelta(hours=5, minutes=30))


def _moment(at: int, zone: tzinfo = UTC) -> datetime:
    return datetime.fromtimestamp(at / 1e6, zone)


def _ms(at: int) -> str:
    return f"{at // 1000 % 1000:03d}"


def _local(at: int, zone: tzinfo) -> str:
    there = _moment(at, zone)
    offset = there.strftime("%z")
    return f"{there:%Y-%m-%dT%H:%M:%S}.{at % 10**6:06d}000{offset[:3]}:{offset[3:]}"


def _stamped_once(lines: Sequence[str], times: Sequence[int]) -> str:
    """S3 exports stamp an event's first line only."""
    out = ""
    for line, at in zip(lines, times, strict=True):
        out += (line if line[:1] in ("", " ", "\t") else f"{rfc3339(at, 3)} {line}") + "\n"
    return out


def _yaml(lines: Sequence[str], times: Sequence[int]) -> str:
    out = ""
    for line, at in zip(lines, times, strict=True):
        text = f"|-\n  {line}" if line.strip() and line[:1] not in (" ", "\t") else json.dumps(line)
        out += (
            f"---\ninsertId: k3j4\nlabels:\n  k8s-pod/app: orders\nlogName: projects/p/logs/stdout\nreceiveTimestamp: '{rfc3339(at + 900)}'\n"
            f"resource:\n  labels:\n    container_name: {CONTAINER}\n    namespace_name: {NAMESPACE}\n    pod_name: {POD}\n  type: k8s_container\n"
            f"severity: INFO\ntextPayload: {text}\ntimestamp: '{rfc3339(at)}'\n"
        )
    return out


def _delimited(delimiter: str, names: Sequence[str], begin: str = "") -> Wrap:
    def wrap(lines: Sequence[str], times: Sequence[int]) -> str:
        out = io.StringIO()
        writer = csv.writer(out, delimiter=delimiter, lineterminator="\r\n")
        writer.writerow(names)
        writer.writerows([rfc3339(at, 3), POD, line] for line, at in zip(lines, times, strict=True))
        return begin + out.getvalue()

    return wrap


def _numbered(form: str) -> Wrap:
    return lambda lines, times: "".join(form.format(n, line) for n, line in enumerate(lines, 1))


def _kusto(pairs: list[tuple[str, int]]) -> object:
    columns = [
        {"name": "TimeGenerated", "type": "datetime"},
        {"name": "PodName", "type": "string"},
        {"name": "LogMessage", "type": "dynamic"},
    ]
    return {
        "tables": [
            {
                "name": "PrimaryResult",
                "columns": columns,
                "rows": [[rfc3339(at, 7), POD, line] for line, at in pairs],
            }
        ]
    }


STRANGE: dict[str, Wrap] = {
    'kubectl ts +05:30': each(lambda line, at: f"{_local(at, INDIA)} {line}"),
    'stern tmpl pipe': each(lambda line, at: f"{POD} | {line}"),
    'stern tmpl ns/pod/cont:': each(lambda line, at: f"{NAMESPACE}/{POD}/{CONTAINER}: {line}"),
    'stern tmpl [pod]': each(lambda line, at: f"[{POD}] {line}"),
    'kail': each(lambda line, at: f"{NAMESPACE}/{POD}[{CONTAINER}]: {line}"),
    'kubetail': each(lambda line, at: f"[{POD} {CONTAINER}] {line}"),
    'kubetail pod': each(lambda line, at: f"[{POD}] {line}"),
    'tilt': each(lambda line, at: f"     orders │ {line}"),
    'skaffold': each(lambda line, at: f"[orders] {line}"),
    'compose -t': each(lambda line, at: f"orders-1  | {rfc3339(at)} {line}"),
    'podman -t': each(lambda line, at: f"{rfc3339(at,9,'+00:00')} {line}"),
    'podman-compose': each(lambda line, at: f"[orders]     | {line}"),
    'podman --names': each(lambda line, at: f"orders {line}"),
    'podman pod logs': each(lambda line, at: f"3f8a2b1c9e77 {line}"),
    'aws tail short': each(lambda line, at: f"{rfc3339(at,0,'')} {line}"),
    'aws tail ecs': each(lambda line, at: f"{rfc3339(at,6,'+00:00')} ecs/orders/3f8a2b1c9e774d0e8c7e9f0a5d3b2a1c {line}"),
    'awslogs': each(lambda line, at: f"/ecs/orders ecs/orders/3f8a2b1c9e77 {line}"),
    'awslogs ts': each(lambda line, at: f"/ecs/orders ecs/orders/3f8a2b1c9e77 {rfc3339(at,3)} {line}"),
    'firelens': each(lambda line, at: dumps({"source":"stdout","log":line,"container_id":"abc-1","container_name":"/ecs-orders-1-orders-9c","ecs_cluster":"prod","ecs_task_arn":"arn:aws:ecs:eu-west-1:1:task/prod/3f8a","ecs_task_definition":"orders:7"})),
    'firelens date': each(lambda line, at: dumps({"date":rfc3339(at,6),"container_id":"abc-1","container_name":"orders","source":"stdout","log":line})),
    'insights console json': document(lambda pairs: [{"@timestamp":rfc3339(at,3,'').replace('T',' '),"@message":line,"@logStream":POD,"@log":"1:g"} for line,at in pairs],2),
    'cw console csv': csv_of(["timestamp","message"],lambda line, at: [str(at//1000),line]),
    'insights csv msg first': csv_of(["@message","@timestamp"],lambda line, at: [line,rfc3339(at,3,'').replace('T',' ')]),
    's3 export, bare continuation': _stamped_once,
    'gcloud csv': csv_of(["timestamp","textPayload"],lambda line, at: [rfc3339(at),line+'\n']),
    'gcloud csv full': csv_of(["insertId","labels.k8s-pod/app","logName","receiveTimestamp","resource.labels.pod_name","resource.labels.container_name","resource.type","severity","textPayload","timestamp"],lambda line, at: ["x1","orders","projects/p/logs/stdout",rfc3339(at+9000),POD,CONTAINER,"k8s_container","INFO",line,rfc3339(at)]),
    'gcloud value(ts,text)': each(lambda line, at: f"{rfc3339(at)}\t{line}"),
    'gcs ndjson': each(lambda line, at: dumps({"insertId":"i","labels":{},"logName":"projects/p/logs/stdout","receiveTimestamp":rfc3339(at+9),"resource":{"labels":{"pod_name":POD,"namespace_name":NAMESPACE,"container_name":CONTAINER},"type":"k8s_container"},"severity":"INFO","textPayload":line,"timestamp":rfc3339(at)})),
    'gcloud yaml': _yaml,
    'azure rows': document(_kusto, None),
    'azure rows pretty': document(_kusto, 2),
    'azure container apps': csv_of(["TimeGenerated","ContainerAppName_s","ContainerGroupName_s","Log_s"],lambda line, at: [rfc3339(at,7),"orders",POD,line]),
    'az containerapp logs': each(lambda line, at: dumps({"TimeStamp":rfc3339(at,5,'+00:00'),"Log":line})),
    'azure diag': each(lambda line, at: dumps({"time":rfc3339(at,7),"category":"ContainerLogs","resourceId":"/SUB","properties":{"log":line,"stream":"stdout","pod":POD}})),
    'datadog json list': document(lambda pairs: [{"id":"A","content":{"timestamp":rfc3339(at,3),"tags":[f"pod_name:{POD}","source:kafka"],"host":NODE,"service":CONTAINER,"message":line,"attributes":{}}} for line,at in pairs],2),
    'splunk results': document(lambda pairs: {"preview":False,"results":[{"_raw":line,"_time":rfc3339(at,3,'+00:00'),"host":NODE,"source":"x"} for line,at in pairs]},None),
    'splunk json_rows': document(lambda pairs: {"preview":False,"fields":["_time","host","_raw"],"rows":[[rfc3339(at,3,'+00:00'),NODE,line] for line,at in pairs]},None),
    'newrelic json': document(lambda pairs: [{"timestamp":at//1000,"message":line,"pod_name":POD,"container_name":CONTAINER,"newrelic.source":"api.logs","entity.guid":"x"} for line,at in pairs],2),
    'newrelic csv': csv_of(["timestamp","message","pod_name","cluster_name"],lambda line, at: [str(at//1000),line,POD,"c"]),
    'nrql': document(lambda pairs: {"data":{"actor":{"account":{"nrql":{"results":[{"timestamp":at//1000,"message":line,"pod_name":POD} for line,at in pairs]}}}}},2),
    'sumo csv': csv_of(["_messagetimems","_messagetime","_raw","_sourcehost","_sourcename"],lambda line, at: [str(at//1000),_moment(at).strftime('%m/%d/%Y %H:%M:%S.')+_ms(at)+' +0000',line,NODE,"orders"]),
    'sumo api': document(lambda pairs: {"fields":[{"name":"_raw"}],"messages":[{"map":{"_raw":line,"_messagetime":str(at//1000),"_sourcehost":NODE}} for line,at in pairs]},2),
    'papertrail tsv': each(lambda line, at: f"594242{at%10**10}\t{rfc3339(at,0)}\t{rfc3339(at,0)}\t1234\t{NODE}\t10.0.0.1\tLocal0\tInfo\torders\t{line}"),
    'papertrail cli': each(lambda line, at: f"{_moment(at):%b %d %H:%M:%S} {NODE} orders: {line}"),
    'betterstack': each(lambda line, at: dumps({"dt":rfc3339(at,6,' UTC').replace('T',' '),"message":line,"platform":"Kubernetes","kubernetes":{"pod_name":POD}})),
    'betterstack csv raw': csv_of(["dt","raw"],lambda line, at: [rfc3339(at,6,'').replace('T',' '),dumps({"dt":rfc3339(at),"message":line})]),
    'graylog csv': csv_of(["timestamp","source","message"],lambda line, at: [rfc3339(at,3),NODE,line]),
    'graylog csv pod': csv_of(["timestamp","source","pod_name","full_message"],lambda line, at: [rfc3339(at,3),NODE,POD,line]),
    'gelf full': each(lambda line, at: dumps({"version":"1.1","host":NODE,"short_message":line[:20],"full_message":line,"timestamp":at/1e6,"level":6,"_container_name":"orders"})),
    'gelf docker': each(lambda line, at: dumps({"version":"1.1","host":NODE,"short_message":line,"timestamp":at/1e6,"level":6,"_container_id":"ab","_container_name":"orders","_image_name":"x","_tag":"ab"})),
    'loki push': each(lambda line, at: dumps({"streams":[{"stream":{"pod":POD,"namespace":NAMESPACE},"values":[[str(at*1000),line]]}]})),
    'logcli no labels': each(lambda line, at: f"{rfc3339(at,0,'Z')} {line}"),
    'logcli {}': each(lambda line, at: f"{rfc3339(at,0,'Z')} {{}} {line}"),
    'grafana csv labels first': csv_of(["labels","Time","Line","tsNs","id"],lambda line, at: [dumps({"pod":POD}),rfc3339(at,3,'').replace('T',' '),line,str(at*1000),"1"]),
    'grafana df': document(lambda pairs: {"results":{"A":{"status":200,"frames":[{"schema":{"name":"x","fields":[{"name":"labels","type":"other"},{"name":"Time","type":"time"},{"name":"Line","type":"string"},{"name":"tsNs","type":"string"}]},"data":{"values":[[{"pod":POD} for _ in pairs],[at//1000 for line,at in pairs],[line for line,at in pairs],[str(at*1000) for line,at in pairs]]}}]}}},None),
    'es _source only': each(lambda line, at: dumps({"@timestamp":rfc3339(at,3),"message":line,"kubernetes":{"pod":{"name":POD}}})),
    'es ts+msg only': each(lambda line, at: dumps({"@timestamp":rfc3339(at,3),"message":line})),
    'es bulk': each(lambda line, at: dumps({"index":{"_index":"logs","_id":"1"}})+"\n"+dumps({"@timestamp":rfc3339(at,3),"message":line,"kubernetes":{"pod":{"name":POD}}})),
    'es bulk create': each(lambda line, at: dumps({"create":{}})+"\n"+dumps({"@timestamp":rfc3339(at,3),"log":line,"kubernetes":{"pod_name":POD}})),
    'kibana csv order': csv_of(["message","@timestamp","kubernetes.pod.name"],lambda line, at: [line,f"{_moment(at):%b} {_moment(at).day}, {_moment(at):%Y @ %H:%M:%S}.{_ms(at)}",POD]),
    'esql': document(lambda pairs: {"took":1,"columns":[{"name":"@timestamp","type":"date"},{"name":"message","type":"text"},{"name":"kubernetes.pod.name","type":"keyword"}],"values":[[rfc3339(at,3),line,POD] for line,at in pairs]},None),
    'opensearch ppl': document(lambda pairs: {"schema":[{"name":"@timestamp","type":"timestamp"},{"name":"message","type":"string"}],"datarows":[[rfc3339(at,3,'').replace('T',' '),line] for line,at in pairs],"total":3,"size":3},None),
    'fluentd stdout': each(lambda line, at: f"{rfc3339(at,9,' +0000').replace('T',' ')} kube.orders: {dumps({'log':line,'stream':'stdout'})}"),
    'fluentd file log only': each(lambda line, at: f"{rfc3339(at,0,'+00:00')}\tkube.orders\t{dumps({'log':line})}"),
    'fluentbit plain json': each(lambda line, at: dumps({"date":at/1e6,"log":line})),
    'rubydebug': each(lambda line, at: "{\n"+f"    \"@timestamp\" => {rfc3339(at,9)},\n      \"@version\" => \"1\",\n         \"event\" => {{\n        \"original\" => {json.dumps(line)}\n    }},\n       \"message\" => {json.dumps(line)},\n          \"host\" => {{\n        \"name\" => \"{NODE}\"\n    }}\n}}"),
    'rubydebug 7': each(lambda line, at: "{\n"+f"       \"message\" => {json.dumps(line)},\n    \"@timestamp\" => {rfc3339(at,3)},\n          \"host\" => \"{NODE}\",\n      \"@version\" => \"1\"\n}}"),
    'vector file': each(lambda line, at: dumps({"file":"/var/log/x.log","host":NODE,"message":line,"source_type":"file","timestamp":rfc3339(at)})),
    'vector docker': each(lambda line, at: dumps({"container_created_at":rfc3339(at),"container_id":"a","container_name":"orders","host":NODE,"image":"x","label":{},"message":line,"source_type":"docker_logs","stream":"stdout","timestamp":rfc3339(at)})),
    'syslog-ng json': each(lambda line, at: dumps({"PROGRAM":"orders","PRIORITY":"info","PID":"1","MESSAGE":line,"HOST":NODE,"FACILITY":"user","DATE":f"{_moment(at):%b %e %H:%M:%S}"})),
    'rsyslog json': each(lambda line, at: dumps({"@timestamp":rfc3339(at,6,'+00:00'),"host":NODE,"severity":"info","facility":"user","syslog-tag":"orders:","message":line})),
    'rsyslog trad tz': each(lambda line, at: f"{rfc3339(at,6,'+00:00')} {NODE} orders {line}"),
    'short-full': each(lambda line, at: f"{_moment(at):%a %Y-%m-%d %H:%M:%S} UTC {NODE} orders[4312]: {line}"),
    'with-unit': each(lambda line, at: f"{_moment(at):%a %Y-%m-%d %H:%M:%S} UTC {NODE} orders.service[4312]: {line}"),
    'short-iso-precise': each(lambda line, at: f"{rfc3339(at,6,'+00:00')} {NODE} orders[4312]: {line}"),
    'short-monotonic': each(lambda line, at: f"[{(at-1796080000*10**6)/1e6:12.6f}] {NODE} orders[4312]: {line}"),
    'short no-hostname': each(lambda line, at: f"{_moment(at):%b %d %H:%M:%S} orders[4312]: {line}"),
    'json-pretty': each(lambda line, at: json.dumps({"__CURSOR":"s=1","__REALTIME_TIMESTAMP":str(at),"__MONOTONIC_TIMESTAMP":"1","_HOSTNAME":NODE,"SYSLOG_IDENTIFIER":"orders","MESSAGE":line},indent=8)),
    'json-sse': each(lambda line, at: "data: "+dumps({"__REALTIME_TIMESTAMP":str(at),"_HOSTNAME":NODE,"SYSLOG_IDENTIFIER":"orders","MESSAGE":line})+"\n"),
    'json-seq': each(lambda line, at: "\x1e"+dumps({"__REALTIME_TIMESTAMP":str(at),"_HOSTNAME":NODE,"SYSLOG_IDENTIFIER":"orders","MESSAGE":line})),
    'journal export': each(lambda line, at: f"__CURSOR=s=1;i=2\n__REALTIME_TIMESTAMP={at}\n__MONOTONIC_TIMESTAMP=1\n_BOOT_ID=ab\nPRIORITY=6\nSYSLOG_IDENTIFIER=orders\n_PID=4312\n_HOSTNAME={NODE}\nMESSAGE={line}\n"),
    'journal verbose': each(lambda line, at: f"{_moment(at):%a %Y-%m-%d %H:%M:%S}.{at%10**6:06d} UTC [s=1;i=2;b=3;m=4;t=5;x=6]\n    PRIORITY=6\n    SYSLOG_IDENTIFIER=orders\n    _HOSTNAME={NODE}\n    _PID=4312\n    MESSAGE={line}\n    _SOURCE_REALTIME_TIMESTAMP={at}"),
    'cf logs': each(lambda line, at: f"   {rfc3339(at,2,'+0000')} [APP/PROC/WEB/0] OUT {line}"),
    'fly': each(lambda line, at: f"{rfc3339(at,0)} app[3d8d9014b04028] fra [info]{line}"),
    'foreman': each(lambda line, at: f"{_moment(at):%H:%M:%S} web.1   | {line}"),
    'gh run': each(lambda line, at: f"build\tRun tests\t{rfc3339(at,7)} {line}"),
    'gitlab': each(lambda line, at: f"{rfc3339(at,6)} 01O {line}"),
    'jenkins ts': each(lambda line, at: f"[{rfc3339(at,3)}] {line}"),
    'jenkins short': each(lambda line, at: f"{_moment(at):%H:%M:%S}  {line}"),
    'svlogd': each(lambda line, at: f"{_moment(at):%Y-%m-%d_%H:%M:%S}.{at%10**6//10:05d} {line}"),
    'tai64n': each(lambda line, at: f"@40000000{at//10**6+37:08x}{at%10**6*1000:08x} {line}"),
    'cat -n': _numbered("{:6d}\t{}\n"),
    'less -N': _numbered("{:7d} {}\n"),
    'rg vimgrep': _numbered("logs/" + POD + ".log:{}:1:{}\n"),
    'pdsh': each(lambda line, at: f"{NODE}: {line}"),
    'concurrently': each(lambda line, at: f"[0] {line}"),
    'turbo': each(lambda line, at: f"orders:dev: {line}"),
    'bullets': each(lambda line, at: f"- {line}" if line[:1] not in ' \t' else f"  {line}"),
    'fence in quote': lambda lines, times: "> ```\n"+''.join('> '+line+'\n' for line in lines)+"> ```\n",
    'jira noformat': lambda lines, times: "{noformat}\n"+''.join(line+'\n' for line in lines)+"{noformat}\n",
    'nbsp indent': each(lambda line, at: '\u00a0\u00a0'+line),
    'md table': each(lambda line, at: f"| {line} |"),
    'double quoted lines': each(lambda line, at: '"'+line.replace('"','""')+'"'),
    'backticked lines': each(lambda line, at: '`'+line+'`'),
    'script': lambda lines, times: "Script started on 2026-12-01 02:09:20+00:00 [TERM=\"xterm-256color\" TTY=\"/dev/pts/0\" COLUMNS=\"211\" LINES=\"50\"]\n\x1b[?2004h\x1b]0;root@h: ~\x07root@h:~# kubectl logs x\r\n\x1b[?2004l\r"+''.join(line+'\r\n' for line in lines)+"\x1b[?2004hroot@h:~# exit\r\n\nScript done on 2026-12-01 02:10:20+00:00 [COMMAND_EXIT_CODE=\"0\"]\n",
    'csv other names': csv_of(["when","service","text"],lambda line, at: [rfc3339(at,3),"orders",line]),
    'csv container,log,ts': csv_of(["container","log","ts"],lambda line, at: ["orders",line,str(at*1000)]),
    'tsv': _delimited("\t", ["_time", "host", "_raw"]),
    'json array strings': document(lambda pairs: [line for line,at in pairs],1),
    'json array compact': document(lambda pairs: [{"ts":rfc3339(at,3),"line":line} for line,at in pairs],None),
    'json nested odd': each(lambda line, at: dumps({"meta":{"env":"p"},"k8s":{"pod":{"name":POD}},"payload":{"text":line},"eventTime":at//1000})),
    'json data.log': each(lambda line, at: dumps({"time":rfc3339(at),"data":{"log":line,"pod":POD}})),
    'json body str': each(lambda line, at: dumps({"Timestamp":rfc3339(at),"Body":line,"ResourceAttributes":{"k8s.pod.name":POD},"SeverityText":"INFO"})),
    'clickhouse compact': document(lambda pairs: {"meta":[{"name":"Timestamp","type":"DateTime64"},{"name":"Body","type":"String"},{"name":"PodName","type":"String"}],"data":[[rfc3339(at,9,'').replace('T',' '),line,POD] for line,at in pairs],"rows":3},None),
    'clickhouse TSVWithNames': lambda lines, times: "Timestamp\tPodName\tBody\n"+''.join(f"{rfc3339(at,9,'').replace('T',' ')}\t{POD}\t"+line.replace('\\','\\\\').replace('\t','\\t')+"\n" for line,at in zip(lines, times, strict=True)),
    'otlp debug': lambda lines, times: ''.join(f"2026-12-01T02:09:21.123Z\tinfo\tLogsExporter\t{{\"kind\": \"exporter\"}}\nResourceLog #0\nResource SchemaURL: \nResource attributes:\n     -> k8s.pod.name: Str({POD})\n     -> k8s.namespace.name: Str({NAMESPACE})\nScopeLogs #0\nScopeLogs SchemaURL: \nInstrumentationScope  \n"+''.join(f"LogRecord #{i}\nObservedTimestamp: {rfc3339(at,9,'').replace('T',' ')} +0000 UTC\nTimestamp: {rfc3339(at,9,'').replace('T',' ')} +0000 UTC\nSeverityText: INFO\nSeverityNumber: Info(9)\nBody: Str({line})\nAttributes:\n     -> log.iostream: Str(stdout)\nTrace ID: \nSpan ID: \nFlags: 0\n" for i,(line,at) in enumerate(zip(lines, times, strict=True))) for _ in (0,)),
    'testcontainers': each(lambda line, at: f"{_moment(at):%H:%M:%S}.{_ms(at)} [docker-java-stream--123] INFO  tc.confluentinc/cp-kafka:7.5.0 - STDOUT: {line}"),
    'promtail json': each(lambda line, at: dumps({"entry":line,"ts":rfc3339(at),"labels":'{pod="'+POD+'"}'})),
    'heroku': each(lambda line, at: f"{rfc3339(at,6,'+00:00')} app[web.1]: {line}"),
    'compose nested cri': each(lambda line, at: f"node-1  | {rfc3339(at)} stdout F {line}"),
    'kubectl prefix in journald': each(lambda line, at: f"{_moment(at):%b %d %H:%M:%S} {NODE} kubelogs[1]: [pod/{POD}/{CONTAINER}] {line}"),
    'docker json in kubectl ts': each(lambda line, at: f"{rfc3339(at)} {dumps({'log':line+chr(10),'stream':'stdout','time':rfc3339(at)})}"),
    'cri in syslog in json': each(lambda line, at: dumps({"message":f"<134>1 {rfc3339(at,6)} {NODE} orders 4312 - - {rfc3339(at)} stdout F {line}","@timestamp":rfc3339(at,3),"@version":"1"})),
    'json str in json': each(lambda line, at: dumps({"ts":rfc3339(at),"message":dumps({"time":rfc3339(at),"log":line,"stream":"stdout"})})),
    'loki of cri': each(lambda line, at: dumps({"labels":{"pod":POD},"line":f"{rfc3339(at)} stdout F {line}","timestamp":rfc3339(at)})),
    "csv with semicolons": _delimited(";", ["time", "pod", "message"], "\ufeff"),
    "non-breaking blanks": each(lambda line, at: line.replace(" ", "\u00a0")),
}  # fmt: skip
