#!/usr/bin/env python3
"""Daybook beside DuckDB and SQLite, on this machine, in one run; figures as ratios.

    pip install duckdb duckdb-cli
    swift build -c release --product daybook
    python3 Examples/compare/compare.py .build/release/daybook [LOGS]

DuckDB computes the streaks of all habits from a Parquet file (zstd) with the logs of a book in their order, on two
threads; Daybook replays its sealed segments, on one core and on all. Both must find the same streaks.
Then both are run as programs, started afresh, to answer the same question in JSON: `daybook streaks --json`
of the sealed book, and DuckDB's own program of the Parquet file. Daybook also answers with the habits' names and strength.
SQLite (WAL, synchronous=FULL) commits rows one by one and a thousand at a time, as Daybook does.
"""

import json
import os
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time

PARQUET = """
COPY (
  SELECT position::BIGINT AS position, epoch_ms("at"::TIMESTAMP) AS "at",
         dense_rank() OVER (ORDER BY actor)::INTEGER AS actor,
         dense_rank() OVER (ORDER BY data.habit)::INTEGER AS habit,
         (data.day::DATE - DATE '1970-01-01')::INTEGER AS day,
         data.value::INTEGER AS value, data.source AS source
  FROM read_json('{export}', columns = {{position: 'BIGINT', "at": 'VARCHAR', actor: 'VARCHAR', event: 'VARCHAR',
       data: 'STRUCT(habit VARCHAR, day VARCHAR, value DOUBLE, source VARCHAR)'}}, format = 'newline_delimited')
  WHERE event = 'HabitLogged' ORDER BY position
) TO '{parquet}' (FORMAT parquet, COMPRESSION zstd)"""

# A habit's runs of full days: days minus their row number are the same within a run. Counters have a target of 8.
STREAKS = """
WITH kinds AS (SELECT habit, max(value) > 1 AS counts FROM '{parquet}' GROUP BY habit),
full_days AS (SELECT l.habit, day FROM '{parquet}' l JOIN kinds USING (habit)
              WHERE value >= CASE WHEN counts THEN 8 ELSE 1 END),
groups AS (SELECT habit, day, day - row_number() OVER (PARTITION BY habit ORDER BY day) AS run FROM full_days),
runs AS (SELECT habit, run, count(*) AS length, max(day) AS last FROM groups GROUP BY habit, run)
SELECT habit, max(length) AS longest,
       max(CASE WHEN last >= {today} - 1 THEN length ELSE 0 END) AS current FROM runs GROUP BY habit"""


# The whole answer but the strength: every day from the first one to yesterday is due, and today if it is done.
ANSWER = """
WITH logs AS (SELECT habit, day, value FROM '{parquet}'),
targets AS (SELECT habit, CASE WHEN max(value) > 1 THEN 8 ELSE 1 END AS target FROM logs GROUP BY habit),
full_days AS (SELECT habit, day FROM logs JOIN targets USING (habit) WHERE value >= target),
groups AS (SELECT habit, day, day - row_number() OVER (PARTITION BY habit ORDER BY day) AS run FROM full_days),
runs AS (SELECT habit, run, count(*) AS length, min(day) AS first, max(day) AS last FROM groups GROUP BY habit, run)
SELECT habit, max(CASE WHEN last >= {today} - 1 THEN length ELSE 0 END) AS current, max(length) AS longest,
       max(CASE WHEN last >= {today} - 1 THEN DATE '1970-01-01' + first END) AS current_start,
       DATE '1970-01-01' + arg_max(first, (length, last)) AS longest_start,
       DATE '1970-01-01' + arg_max(last, (length, last)) AS longest_end,
       sum(length)::BIGINT AS full_days,
       round(sum(length) / ({today} - {created} + max(CASE WHEN last = {today} THEN 1 ELSE 0 END)), 6) AS completion
FROM runs GROUP BY habit ORDER BY habit"""


def seconds(work):
    start = time.perf_counter()
    result = work()
    return time.perf_counter() - start, result


def median_seconds(work, rounds=3):
    times = [seconds(work) for _ in range(rounds)]
    return statistics.median(t for t, _ in times), times[-1][1]


def bench(daybook, *words):
    out = subprocess.run([daybook, "bench", *words, "--json"], check=True, capture_output=True, text=True).stdout
    return json.loads(out)


def line(name, value, unit=""):
    print(f"{name:<62} {value:>12} {unit}".rstrip())


def streaks(daybook, work, logs):
    try:
        import duckdb
    except ImportError:
        print("DuckDB is not installed (pip install duckdb); its part is left out.")
        return
    book, export, parquet = (os.path.join(work, name) for name in ("book", "export.jsonl", "logs.parquet"))
    bench(daybook, "query", "--entries", str(logs), "--dir", book)
    subprocess.run([daybook, "seal", "--book", book], check=True, capture_output=True)
    subprocess.run([daybook, "export", "--book", book, "--output", export], check=True, capture_output=True)
    connection = duckdb.connect()
    connection.execute("SET threads = 2")
    connection.execute(PARQUET.format(export=export, parquet=parquet))
    os.remove(export)
    # The accounts in Tokyo have the latest today; the comparison is about longest streaks.
    today = connection.execute(f"SELECT max(day) FROM '{parquet}'").fetchone()[0]
    query = STREAKS.format(parquet=parquet, today=today)
    theirs, rows = median_seconds(lambda: connection.execute(query).fetchall())
    ours = bench(daybook, "replay", "--entries", str(logs), "--dir", book)
    found = json.loads(subprocess.run(
        [daybook, "streaks", "--book", book, "--json"],
        check=True, capture_output=True, text=True).stdout)
    longest = sorted(row["longest"] for row in found if row["full_days"] > 0)
    same = longest == sorted(row[1] for row in rows)
    print(f"\nStreaks of {len(rows)} habits from {logs} logs: {'the same' if same else 'NOT THE SAME'} by both")
    line("DuckDB from Parquet, two threads", f"{theirs:.3f}", "s")
    line("Daybook from sealed segments, one core", f"{ours['streaks_seconds']:.3f}", "s")
    line("Daybook from sealed segments, all cores", f"{ours['streaks_on_all_cores_seconds']:.3f}", "s")
    line("Daybook on all cores is faster by", f"{theirs / ours['streaks_on_all_cores_seconds']:.2f}", "×")
    line("Parquet bytes a log", f"{os.path.getsize(parquet) / logs:.2f}")
    line("Daybook bytes an entry, sealed", f"{ours['bytes_per_entry']:.2f}")
    if not same:
        sys.exit(1)
    first_day = connection.execute(f"SELECT min(day) FROM '{parquet}'").fetchone()[0]
    connection.close()
    whole_question(daybook, book, parquet, first_day)


def answer(*words):
    return subprocess.run(words, check=True, capture_output=True).stdout


def whole_question(daybook, book, parquet, first_day):
    """Asks both programs for the streaks of all habits, in turns, because the speed of the machine varies."""
    program = shutil.which("duckdb")
    if program is None:
        print("DuckDB's program is not installed (pip install duckdb-cli); the question to it is left out.")
        return
    today = int(time.time() // 86_400)
    sql = ANSWER.format(parquet=parquet, today=today, created=first_day)
    ours, theirs = [], []
    for _ in range(5):
        elapsed, found = seconds(lambda: answer(daybook, "streaks", "--book", book, "--json"))
        ours.append(elapsed)
        elapsed, rows = seconds(lambda: answer(program, "-json", "-c", "SET threads = 2; " + sql))
        theirs.append(elapsed)
    names = ["longest", "longest_start", "longest_end", "full_days"]
    told = [[row[name] for name in names] for row in json.loads(found) if row["full_days"] > 0]
    same = told == [[row[name] for name in names] for row in json.loads(rows)]
    print(f"\nThe whole question as a program, {len(told)} habits: {'the same' if same else 'NOT THE SAME'} by both")
    line("duckdb -json, two threads", f"{statistics.median(theirs):.3f}", "s")
    line("daybook streaks --json", f"{statistics.median(ours):.3f}", "s")
    line("Daybook is faster by", f"{statistics.median(theirs) / statistics.median(ours):.2f}", "×")
    for name in ("today", "habits", "stats"):
        elapsed, _ = median_seconds(lambda: answer(daybook, name, "--book", book, "--json"))
        line(f"daybook {name} --json", f"{elapsed:.3f}", "s")
    if not same:
        sys.exit(1)


def sqlite_commits(path, commits, rows_each):
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("CREATE TABLE IF NOT EXISTS logs (position INTEGER PRIMARY KEY, at INTEGER, actor INTEGER,"
                       " habit INTEGER, day INTEGER, value INTEGER, source INTEGER, note TEXT)")
    start = time.perf_counter()
    for number in range(commits):
        rows = [(1_700_000_000_000 + number, 1, number % 5 + 1, 19_000 + row, 1, 0, None) for row in range(rows_each)]
        connection.execute("BEGIN IMMEDIATE")
        connection.executemany(
            "INSERT INTO logs (at, actor, habit, day, value, source, note) VALUES (?, ?, ?, ?, ?, ?, ?)", rows)
        connection.execute("COMMIT")
    return commits / (time.perf_counter() - start)


def commits(daybook, work):
    print("\nDurable commits a second")
    # In turns, because the speed of the disk varies.
    for name, count, rows in (("one entry each", 2000, 1), ("a thousand entries each", 200, 1000)):
        theirs, ours = [], []
        for turn in range(3):
            theirs.append(sqlite_commits(os.path.join(work, f"{rows}-{turn}.sqlite"), count, rows))
            words = ["append", "--entries", str(count)]
            if rows > 1:
                words += ["--batch", str(rows)]
            ours.append(bench(daybook, *words)["commits_per_second"])
        line(f"SQLite (WAL, synchronous=FULL), {name}", f"{statistics.median(theirs):.0f}")
        line(f"Daybook, {name}", f"{statistics.median(ours):.0f}")
        line("Daybook does more by", f"{statistics.median(ours) / statistics.median(theirs):.2f}", "×")


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    daybook = os.path.abspath(sys.argv[1])
    logs = int(sys.argv[2]) if len(sys.argv) == 3 else 10_000_000
    with tempfile.TemporaryDirectory() as work:
        streaks(daybook, work, logs)
        commits(daybook, work)


if __name__ == "__main__":
    main()
