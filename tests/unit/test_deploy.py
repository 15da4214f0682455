"""What is in deploy/ fits together, and fits the service: names of metrics, settings, addresses, files."""

from __future__ import annotations

import re
import shlex
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson
import pytest
import yaml
from prometheus_client import CollectorRegistry
from prometheus_client.core import Metric

from pipeline.server.app import make_app
from pipeline.server.metrics import METRICS
from pipeline.server.request_log import RequestRecord
from pipeline.server.trace_context import continue_trace
from pipeline.server.worker_metrics import WorkerCollector
from schemas.document import Document, Notice, Page
from schemas.fields import Field
from schemas.settings import Settings, load_settings
from schemas.settings_errors import unknown_variables
from schemas.settings_fields import variable, walk
from schemas.statistics import ShadowFigures, StageFigures, WorkerStatistics
from tests.factories.receipt_reader import ReceiptReader

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
DASHBOARD = orjson.loads((DEPLOY / "grafana/dashboards/inklane.json").read_bytes())
YAML = sorted([*DEPLOY.rglob("*.yaml"), *DEPLOY.rglob("*.yml")])
PARTS = {"counter": ("_total",), "gauge": ("",), "histogram": ("_bucket", "_sum", "_count"), "info": ("_info",)}
FOREIGN = {"up"}


def documents(path: Path) -> list[Any]:
    return [each for each in yaml.safe_load_all(path.read_text()) if each is not None]


def families(tmp_path: Path) -> Iterator[Metric]:
    reader = ReceiptReader(counted=WorkerStatistics())
    metrics = make_app(load_settings(server={"data_dir": tmp_path}), reader)[METRICS]
    yield from metrics.registry.collect()
    workers = CollectorRegistry()
    workers.register(WorkerCollector(WorkerStatistics))
    yield from workers.collect()


@pytest.fixture
def names(tmp_path: Path) -> set[str]:
    """Every name of a sample that /metrics may have."""
    return {family.name + part for family in families(tmp_path) for part in PARTS[family.type]}


def used_names(expression: str) -> set[str]:
    """The names of metrics in a query of Prometheus."""
    without_labels = re.sub(r"\{[^}]*\}|\[[^]]*\]|\"[^\"]*\"|by \([^)]*\)", " ", expression)
    return {
        name
        for name in re.findall(r"[a-z_]{2,}(?![a-z_(])", without_labels)
        if name not in ("le", "sum", "by", "rate", "and", "or")
    }


def wanted_labels(expression: str) -> Iterator[tuple[str, set[str]]]:
    """Each metric of a query with the labels that are looked at: its own, and those that are grouped by."""
    grouped = {name.strip() for names in re.findall(r"by \(([^)]*)\)", expression) for name in names.split(",")}
    for name, labels in re.findall(r"([a-z_]+)\{([^}]*)\}", expression):
        yield name, grouped | set(re.findall(r"(\w+)\s*[=!]~?", labels))


def labels_by_name(tmp_path: Path) -> dict[str, set[str]]:
    """The labels that samples have, from a service where one of everything has happened."""
    metrics = make_app(load_settings(server={"data_dir": tmp_path}), ReceiptReader())[METRICS]
    field = Field("text", None, "", 0.5, needs_review=True)
    failed = Page(1, 1, 1, error=Notice("damaged_file", "no"))
    metrics.count_document(Document("a", doc_type="receipt", fields={"total": field}, pages=[failed]), None, 1.0)
    trace = continue_trace(None)
    metrics.count_request(RequestRecord("a", trace, "POST", "/v1/documents", 0.0, status=422, code="damaged_file"))
    metrics.set_jobs({"done": 1})
    stage = StageFigures(Counter({1: 1}), dropped=Counter({"deadline": 1}), padded_pixels=2, content_pixels=1)
    shadows = {"recognition": ShadowFigures("unbatched", equal=1)}
    counted = WorkerStatistics({"recognition": stage}, models={"recognition": "a"}, shadows=shadows)
    found: dict[str, set[str]] = {}
    for family in [*metrics.registry.collect(), *WorkerCollector(lambda: counted).collect()]:
        for sample in family.samples:
            found.setdefault(sample.name, {"instance", "job"}).update(sample.labels)
    return found


def targets() -> list[tuple[str, str]]:
    return [(panel["title"], target["expr"]) for panel in DASHBOARD["panels"] for target in panel.get("targets", [])]


def test_the_dashboard_shows_only_what_is_measured(names: set[str]) -> None:
    assert len(targets()) > 25
    for title, expression in targets():
        used = used_names(expression)
        assert used, title
        assert used <= names, title


def test_the_dashboard_asks_for_labels_that_there_are(tmp_path: Path) -> None:
    known = labels_by_name(tmp_path)
    asked = [(title, *wanted) for title, expression in targets() for wanted in wanted_labels(expression)]
    assert len(asked) >= len(targets())
    for title, name, labels in asked:
        assert labels <= known[name], title


def test_the_dashboard_has_what_operators_ask_for(names: set[str]) -> None:
    shown = {name for _, expression in targets() for name in used_names(expression)}
    for name in (
        "inklane_documents_total",
        "inklane_document_seconds_bucket",
        "inklane_stage_batch_size_bucket",
        "inklane_stage_waiting_items",
        "inklane_stage_busy_seconds_total",
        "inklane_http_problems_total",
        "inklane_fields_needing_review_total",
    ):
        assert name in shown


def test_panels_do_not_lie_on_each_other() -> None:
    cells: set[tuple[int, int]] = set()
    for panel in DASHBOARD["panels"]:
        place = panel["gridPos"]
        own = {
            (x, y)
            for x in range(place["x"], place["x"] + place["w"])
            for y in range(place["y"], place["y"] + place["h"])
        }
        assert place["x"] + place["w"] <= 24
        assert not own & cells, panel["title"]
        cells |= own
    assert len({panel["id"] for panel in DASHBOARD["panels"]}) == len(DASHBOARD["panels"])


def test_the_dashboard_asks_the_source_that_is_provisioned() -> None:
    (sources,) = documents(DEPLOY / "grafana/provisioning/datasources/prometheus.yaml")
    uid = sources["datasources"][0]["uid"]
    assert {panel["datasource"]["uid"] for panel in DASHBOARD["panels"] if "datasource" in panel} == {uid}


def test_alerts_watch_only_what_is_measured(names: set[str]) -> None:
    (alerts,) = documents(DEPLOY / "prometheus/alerts.yml")
    rules = [rule for group in alerts["groups"] for rule in group["rules"]]
    assert rules
    for rule in rules:
        assert used_names(rule["expr"]) <= names | FOREIGN, rule["alert"]


def test_the_autoscaler_goes_by_a_metric_that_exists(names: set[str]) -> None:
    (scaler,) = documents(DEPLOY / "kubernetes/autoscaler.yaml")
    assert scaler["spec"]["metrics"][0]["pods"]["metric"]["name"] in names
    (target, *_) = documents(DEPLOY / "kubernetes/statefulset.yaml")
    assert scaler["spec"]["scaleTargetRef"]["name"] == target["metadata"]["name"]
    assert scaler["spec"]["scaleTargetRef"]["kind"] == target["kind"]


@pytest.mark.parametrize("path", YAML, ids=lambda path: path.name)
def test_every_file_is_yaml(path: Path) -> None:
    assert documents(path)


def test_the_manifests_belong_together() -> None:
    folder = DEPLOY / "kubernetes"
    (kustomization,) = documents(folder / "kustomization.yaml")
    listed = {"kustomization.yaml", *kustomization["resources"]}
    assert listed == {path.name for path in folder.iterdir()}
    objects = [each for path in folder.iterdir() for each in documents(path)]
    kinds = [each["kind"] for each in objects]
    assert {"StatefulSet", "Service", "HorizontalPodAutoscaler", "PodDisruptionBudget", "NetworkPolicy"} <= set(kinds)
    (stateful,) = (each for each in objects if each["kind"] == "StatefulSet")
    labels = stateful["spec"]["template"]["metadata"]["labels"]
    assert stateful["spec"]["selector"]["matchLabels"].items() <= labels.items()
    services = [each for each in objects if each["kind"] == "Service"]
    assert stateful["spec"]["serviceName"] in {each["metadata"]["name"] for each in services}
    for service in services:
        assert service["spec"]["selector"].items() <= labels.items()
    (budget,) = (each for each in objects if each["kind"] == "PodDisruptionBudget")
    assert budget["spec"]["selector"]["matchLabels"].items() <= labels.items()


def test_the_pods_may_do_little_and_are_asked_where_answers_are() -> None:
    (stateful,) = documents(DEPLOY / "kubernetes/statefulset.yaml")
    spec = stateful["spec"]["template"]["spec"]
    (container,) = spec["containers"]
    assert spec["securityContext"]["runAsNonRoot"]
    assert container["securityContext"] == {
        "allowPrivilegeEscalation": False,
        "readOnlyRootFilesystem": True,
        "capabilities": {"drop": ["ALL"]},
    }
    routes = served_routes()
    for probe in ("startupProbe", "readinessProbe", "livenessProbe"):
        assert container[probe]["httpGet"]["path"] in routes
    mounted = {mount["name"] for mount in container["volumeMounts"]}
    claimed = {claim["metadata"]["name"] for claim in stateful["spec"]["volumeClaimTemplates"]}
    assert mounted == claimed | {volume["name"] for volume in spec["volumes"]}
    assert spec["terminationGracePeriodSeconds"] > load_settings().server.shutdown_s


def served_routes() -> set[str]:
    app = make_app(load_settings(), ReceiptReader())
    return {resource.canonical for resource in app.router.resources()}


def test_settings_in_deploy_exist() -> None:
    known = {variable(setting.key) for setting in walk(Settings)}
    texts = [path.read_text() for path in DEPLOY.rglob("*") if path.is_file()]
    found = {name for text in texts for name in re.findall(r"\bINKLANE_[A-Z_]+", text)}
    assert len(found) >= 5
    assert found <= known
    assert not unknown_variables(Settings, dict.fromkeys(found, ""))


def test_compose_mounts_what_is_there() -> None:
    (compose,) = documents(DEPLOY / "compose.yaml")
    for service in compose["services"].values():
        for mount in service["volumes"]:
            source = mount.split(":")[0]
            assert (DEPLOY / source).exists() if source.startswith(".") else source in compose["volumes"]
        assert set(service["networks"]) <= set(compose["networks"])
    inklane = compose["services"]["inklane"]
    assert inklane["read_only"]
    assert (DEPLOY / inklane["build"]["context"] / inklane["build"]["dockerfile"]).is_file()
    assert all(
        port.startswith("127.0.0.1:") for service in compose["services"].values() for port in service.get("ports", [])
    )
    (prometheus,) = documents(DEPLOY / "prometheus/prometheus.yml")
    target = prometheus["scrape_configs"][0]["static_configs"][0]["targets"][0]
    assert target.split(":")[0] in compose["services"]


def test_the_image_is_made_of_files_that_are_there_and_runs_without_rights() -> None:
    lines = (DEPLOY / "Dockerfile").read_text().replace("\\\n", " ").splitlines()
    ignored = (ROOT / ".dockerignore").read_text().splitlines()
    for line in lines:
        if line.startswith("COPY ") and "--from" not in line:
            for source in shlex.split(line)[1:-1]:
                assert (ROOT / source).exists(), line
                assert f"!{source.split('/')[0]}" in ignored, line
    users = [line.split()[1] for line in lines if line.startswith("USER ")]
    assert users[-1].split(":")[0].isdigit()
    assert users[-1] != "0"
    check = next(line for line in lines if line.startswith("HEALTHCHECK"))
    assert re.findall(r"8080(/[\w/]+)", check)[0] in served_routes()
    user = users[-1].split(":")[0]
    (stateful,) = documents(DEPLOY / "kubernetes/statefulset.yaml")
    assert str(stateful["spec"]["template"]["spec"]["securityContext"]["runAsUser"]) == user


def test_the_metrics_are_documented(tmp_path: Path) -> None:
    text = (ROOT / "docs/operations.md").read_text()
    rows = set(re.findall(r"^\| `(inklane_\w+)`", text, re.MULTILINE))
    ours = {
        family.name + ("_total" if family.type == "counter" else "_info" if family.type == "info" else "")
        for family in families(tmp_path)
        if family.name.startswith("inklane_")
    }
    assert rows == ours
