#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The Jetscope authors
# SPDX-License-Identifier: Apache-2.0
"""Compares two builds of a fleet on Spark (3.4 and newer). Written by Spark's documentation, not tried.

    spark-submit packaging/fleet/spark.py DIR --a commit=1.2 --b commit=1.3

Spark runs the statements of "jetscope fleet sql", which are those that DuckDB runs; what they find goes as lines of
JSON into "jetscope fleet compare": it is the method, and its exit code is the one of this script. Options that are not
listed go there, too.
"""

import argparse
import json
import subprocess
import sys


def rows_of(spark, folder, columns):
    """Every line as it was written: the folders' names say nothing that the rows do not."""
    reader = spark.read.schema(columns).option("mode", "FAILFAST")
    reader = reader.option("recursiveFileLookup", "true").option("pathGlobFilter", "*.jsonl.gz")
    return reader.json(folder.rstrip("/") + "/runs/schema=1")


def feed(spark, statements, method):
    for statement in statements:
        if statement["name"] in ("begin", "end"):
            method.write(statement["line"].encode() + b"\n")
        elif statement["name"] == "wrong":
            wrong = spark.sql(statement["sql"]).first()["wrong"]
            if wrong:
                raise SystemExit(f"jetscope: no verdict: {wrong} rows lack a field, or have one of another type")
        elif statement["name"] == "chosen":
            spark.sql(statement["sql"]).createOrReplaceTempView("chosen")
            spark.catalog.cacheTable("chosen")
        elif "sql" in statement and statement["name"] != "columns":
            for line in spark.sql(statement["sql"]).toJSON().toLocalIterator():
                method.write(line.encode() + b"\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", metavar="DIR", help="the folder of the fleet, as Spark reads it")
    parser.add_argument("--a", required=True, help="the old runs, such as commit=1.2")
    parser.add_argument("--b", required=True, help="the new runs")
    parser.add_argument("--metric", help="figures to compare")
    parser.add_argument("--program", default="jetscope", help="Jetscope on this machine")
    options, further = parser.parse_known_args()
    sides = ["--a", options.a, "--b", options.b] + (["--metric", options.metric] if options.metric else [])
    said = subprocess.run([options.program, "fleet", "sql", options.folder, *sides], stdout=subprocess.PIPE, check=False)
    if said.returncode != 0:
        return said.returncode
    statements = [json.loads(line) for line in said.stdout.splitlines()]
    columns = next(each["sql"] for each in statements if each["name"] == "columns")

    from pyspark.sql import SparkSession

    spark = SparkSession.builder.appName("jetscope fleet").getOrCreate()
    rows_of(spark, options.folder, columns).createOrReplaceTempView("runs")
    with subprocess.Popen([options.program, "fleet", "compare", "-", *sides, *further], stdin=subprocess.PIPE) as method:
        try:
            feed(spark, statements, method.stdin)
            method.stdin.close()
        except BrokenPipeError:
            pass  # It has said why.
        except SystemExit as stop:
            method.kill()
            print(stop, file=sys.stderr)
            return 3
        return method.wait()


if __name__ == "__main__":
    sys.exit(main())
