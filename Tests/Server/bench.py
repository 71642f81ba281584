"""Measures a server beside PostgreSQL on this machine, in one run.

    bench.py daybook-server daybook [--only log,home,sockets,start] [--rounds 3] [--seconds 10] [--clients 32]
             [--entries 1000000] [--people 1000] [--book DIR] [--large DIR]

Needs released programs, wrk, and PostgreSQL 15 with pgbench, and root, who may act as postgres.

- log: the function log_habit, acknowledged when it is on disk; PostgreSQL runs HabitHive's function with synchronous_commit.
- home: what a person's first screen reads (habits with today's logs, hives with the number of their members); PostgreSQL
  does what PostgREST makes of the same requests, transactions and settings and all, without PostgREST.
- sockets: 2 000 live sockets while 100 changes a second are made.
- start: how soon a server is ready on a book of ten million entries (--large, as made by
  `daybook bench open --entries 10000000 --dir DIR`).

The book is made once and kept where --book says. Server and PostgreSQL take turns, each with the machine for itself:
one is stopped while the other runs, and neither logs requests. Each is warmed for two seconds. Ratios of a round are
of the same minute; what is printed last is the median of the rounds. wrk runs on the same cores as the server, as
pgbench does on PostgreSQL's.
"""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import tempfile
import time

import bench_sockets
from bench_book import HABITS, day, fill, habit_key, sign_in_all
from bench_postgres import Postgres
from served import KEY, Served

HERE = pathlib.Path(__file__).resolve().parent


def made(options):
    """The book; makes it if it does not exist."""
    book = options.book or os.path.join(tempfile.mkdtemp(prefix="daybook-bench-"), "my.daybook")
    if not os.path.exists(book):
        with Served(options.server, book) as server:
            accounts = [account for _, account in sign_in_all(server.url, options.people)]
            server.stop()
        fill(options.program, book, accounts, options.entries)
    return book


def load(server, kind, people_file, clients, seconds):
    printed = subprocess.run(
        ["wrk", "-t1", f"-c{clients}", f"-d{seconds}s", "-s", str(HERE / "bench_load.lua"), server.url, "--", kind,
         people_file, KEY, day(0)], capture_output=True, text=True, check=True).stdout
    found = json.loads(printed.strip().splitlines()[-1])
    if found["errors"] or not found["requests"]:
        raise SystemExit(f"{kind}: not all requests were answered with 200: {printed}")
    return {"rate": found["requests"] / found["seconds"], "p50": found["p50"], "p99": found["p99"]}


def people_file(people):
    file = tempfile.NamedTemporaryFile("w", prefix="daybook-bench-people-", delete=False)
    with file:
        for number, (token, _) in enumerate(people):
            file.write(" ".join([token, *(habit_key(number * HABITS + place) for place in range(HABITS))]) + "\n")
    return file.name


def told(name, figures):
    print(f"  {name:<11}{figures['rate']:>9.0f} /s   p50 {figures['p50']:>8.2f} ms   p99 {figures['p99']:>8.2f} ms",
          flush=True)


def compare(options, book, kinds):
    database = Postgres(options.people, max(1, options.entries // (options.people * HABITS)), day(0))
    ratios = {kind: [] for kind in kinds}
    try:
        database.start().fill()
        database.stop()
        for number in range(options.rounds):
            for kind in kinds:
                print(f"{kind}, round {number + 1}")
                with Served(options.server, book, DAYBOOK_LOG_LEVEL="notice") as server:
                    people = people_file(sign_in_all(server.url, options.people))
                    load(server, kind, people, options.clients, 2)
                    ours = load(server, kind, people, options.clients, options.seconds)
                    server.stop()
                os.remove(people)
                database.start()
                database.bench(kind, options.clients, 2)
                theirs = database.bench(kind, options.clients, options.seconds)
                database.stop()
                told("daybook", ours)
                told("PostgreSQL", theirs)
                ratios[kind].append((ours["rate"] / theirs["rate"], ours["p99"] / theirs["p99"], ours["p99"]))
    finally:
        database.remove()
    for kind, found in ratios.items():
        rate, late, milliseconds = (statistics.median(column) for column in zip(*found))
        print(f"{kind}: {rate:.2f} × requests per second, {late:.2f} × p99 ({milliseconds:.2f} ms)"
              f" over {len(found)} rounds")


def sockets(options, book):
    with Served(options.server, book) as server:
        found = bench_sockets.run(server, sign_in_all(server.url, options.people), seconds=options.seconds)
        server.stop()
    print(f"sockets: acknowledged to delivered p50 {found['p50']:.1f} ms, p99 {found['p99']:.1f} ms"
          f" ({found['changes']} changes); {found['memory'] / 1024:.1f} KiB a socket")


def start(options):
    times = []
    for _ in range(options.rounds + 1):
        begin = time.perf_counter()
        with Served(options.server, options.large) as server:
            times.append(time.perf_counter() - begin)
            server.stop()
    # The first start finds nothing in the system's cache.
    print(f"start: ready in {statistics.median(times[1:]):.2f} s (the first {times[0]:.2f} s)")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("server", type=os.path.abspath)
    parser.add_argument("program", type=os.path.abspath)
    parser.add_argument("--only", default="log,home,sockets,start")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=int, default=10)
    parser.add_argument("--clients", type=int, default=32)
    parser.add_argument("--entries", type=int, default=1_000_000)
    parser.add_argument("--people", type=int, default=1000)
    parser.add_argument("--book", type=os.path.abspath)
    parser.add_argument("--large", type=os.path.abspath)
    options = parser.parse_args()
    kinds = options.only.split(",")
    book = made(options) if set(kinds) & {"log", "home", "sockets"} else None
    compared = [kind for kind in ("home", "log") if kind in kinds]
    if compared:
        compare(options, book, compared)
    if "sockets" in kinds:
        sockets(options, book)
    if "start" in kinds and options.large:
        start(options)


if __name__ == "__main__":
    main()
