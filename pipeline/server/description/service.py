"""What the service is doing, and whether it is well."""

from __future__ import annotations

from pipeline.server.description.model import TEXT, Answer, Operation, json_answer

OPERATIONS = (
    Operation(
        method="get",
        path="/v1/document-types",
        id="listDocumentTypes",
        tag="Service",
        summary="List kinds of documents",
        description="With their fields, and what people call them in English and Chinese.",
        answers={200: json_answer("DocumentTypes", "All there are.")},
    ),
    Operation(
        method="get",
        path="/v1/statistics",
        id="getStatistics",
        tag="Service",
        summary="Look at the stages",
        description="Batches, queues and lanes of every stage, at most about a second old.",
        answers={200: json_answer("Statistics", "The figures.")},
        errors=("not_found", "not_ready"),
    ),
    Operation(
        method="get",
        path="/metrics",
        id="getMetrics",
        tag="Service",
        summary="Get metrics for Prometheus",
        answers={200: Answer(description="The metrics.", content={"text/plain": TEXT})},
        errors=("not_found",),
    ),
    Operation(
        method="get",
        path="/health",
        id="getHealth",
        tag="Health",
        summary="Health in words",
        answers={
            200: json_answer("Health", "Documents are taken."),
            503: json_answer("Health", "They are not: the service is starting or stopping."),
        },
    ),
    Operation(
        method="get",
        path="/v2/health/live",
        id="isLive",
        tag="Health",
        summary="Is the service alive?",
        answers={200: Answer(description="It is.")},
    ),
    Operation(
        method="get",
        path="/v2/health/ready",
        id="isReady",
        tag="Health",
        summary="Does the service take documents?",
        answers={200: Answer(description="It does."), 503: Answer(description="Not now.")},
    ),
)
