"""Deduplicate on a Spark cluster of two executors, one of which is killed in mid-shuffle.

Called with a folder of Parquet files; prints, as JSON, the rows that survived and what Spark says
of the executor and of the stages.
"""

from __future__ import annotations

import json
import sys
import time
import urllib.request
from functools import partial
from threading import Thread

from processes import command_lines, kill_while
from pyspark.sql import SparkSession

import fenpack.spark

PARTITIONS = 24


def main() -> None:
    spark = (
        SparkSession.builder.master("local-cluster[2,1,1200]")
        .config("spark.executor.memory", "1g")
        .config("spark.ui.port", "0")
        .config("spark.ui.showConsoleProgress", "false")
        .config("spark.sql.adaptive.coalescePartitions.enabled", "false")
        .config("spark.sql.files.maxPartitionBytes", "1m")
        .config("spark.sql.shuffle.partitions", str(PARTITIONS))
        .getOrCreate()
    )
    context = spark.sparkContext
    killed: list[dict[str, int]] = []
    watch = Thread(target=kill_an_executor, args=(context, killed))
    frame = spark.read.parquet(sys.argv[1])
    watch.start()
    survivors = fenpack.spark.deduplicate(frame, "fen", order_by="row").select("row").collect()
    watch.join()
    base = f"{context.uiWebUrl}/api/v1/applications/{context.applicationId}"
    executors = [
        executor.get("removeReason")
        for executor in read(f"{base}/allexecutors")
        if not executor["isActive"]
    ]
    again = [
        [stage["stageId"], stage["attemptId"], stage["numFailedTasks"] + stage["numKilledTasks"]]
        for stage in read(f"{base}/stages")
        if stage["attemptId"] or stage["numFailedTasks"]
    ]
    rows = sorted(row.row for row in survivors)
    print(json.dumps({"rows": rows, "killed": killed, "lost": executors, "again": again}))
    spark.stop()


def kill_an_executor(context, killed: list[dict[str, int]]) -> None:
    """Wait until tasks have read what others wrote, then end an executor that runs one."""
    tracker = context.statusTracker()
    deadline = time.monotonic() + 120
    while not killed and time.monotonic() < deadline:
        for number in tracker.getActiveStageIds():
            stage = tracker.getStageInfo(number)
            reads = stage is not None and stage.numTasks == PARTITIONS
            if not reads or not 0 < stage.numCompletedTasks < PARTITIONS // 2:
                continue
            executors = [
                pid
                for pid, line in command_lines()
                if "CoarseGrainedExecutorBackend" in line and context.applicationId in line
            ]
            if executors and kill_while(executors[0], partial(active, tracker, number)):
                killed.append({"stage": number, "completed": stage.numCompletedTasks})
                break
        time.sleep(0.01)


def active(tracker, number: int) -> bool:
    stage = tracker.getStageInfo(number)
    return stage is not None and stage.numActiveTasks > 1 and number in tracker.getActiveStageIds()


def read(url: str):
    with urllib.request.urlopen(url) as response:
        return json.load(response)


if __name__ == "__main__":
    main()
