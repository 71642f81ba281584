"""Queries exports with other programs: SQL in SQLite, CSV and JSON Lines in DuckDB.

    python3 query_exports.py BINARY

The statements of `daybook export --format sql` make a database whose integrity and foreign keys hold, for the demo and for
every golden book; its tables have the rows of `daybook dump`, and its views agree with `daybook ask`. DuckDB finds in CSV and
JSON Lines what the book says. Needs `sqlite3`, and `duckdb` and `datasette` from PyPI for their parts, which say "skipped" where
they are not installed.
"""

import importlib.util
import json
import os
import pathlib
import shutil
import sqlite3
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
BINARY = str(pathlib.Path(sys.argv[1]).resolve())


def daybook(*words):
    said = subprocess.run([BINARY, *words], capture_output=True, text=True, timeout=300)
    assert said.returncode == 0, (words, said.stderr)
    return said.stdout


def database(book, path):
    """A database made of a book by the program `sqlite3`, or by Python's library where that is missing."""
    statements = daybook("export", "--format", "sql", "--book", str(book))
    if shutil.which("sqlite3"):
        made = subprocess.run(["sqlite3", "-bail", str(path)], input=statements, capture_output=True, text=True)
        assert made.returncode == 0 and not made.stderr, made.stderr
    else:
        with sqlite3.connect(path) as connection:
            connection.executescript(statements)
    return sqlite3.connect(path)


def check_tables(book, connection):
    """The number of rows, after checking that they are those of a dump."""
    assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)], book
    assert connection.execute("PRAGMA foreign_key_check").fetchall() == [], book
    count = 0
    for table, rows in json.loads(daybook("dump", "--json", "--book", str(book))).items():
        cursor = connection.execute(f'SELECT * FROM "{table}"')
        names = [column[0] for column in cursor.description]
        assert names, table
        found = sorted(map(json.dumps, (dict(zip(names, row)) for row in cursor)))
        wanted = sorted(map(json.dumps, ({name: cell(row.get(name)) for name in names} for row in rows)))
        numbers = [json.loads(row) for row in found] == [json.loads(row) for row in wanted]
        assert numbers, (book, table)
        count += len(rows)
    return count


def cell(value):
    """A value of a row as a database holds it."""
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, (list, dict)):
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return value


def check_views(book, connection):
    wanted = {row["habit"]: (row["current"], row["longest"], row["current_start"])
              for row in json.loads(daybook("ask", "--book", str(book), '{"ask":"streaks"}'))}
    found = {row[0]: row[1:] for row in connection.execute("SELECT habit_id, current, longest, current_start FROM streaks")}
    assert found == wanted
    for habit in wanted:
        days = json.loads(daybook("ask", "--book", str(book), json.dumps({"ask": "audit", "habit": habit})))["days"]
        held = connection.execute("SELECT day, mark FROM days WHERE habit_id = ? ORDER BY day", (habit,)).fetchall()
        assert held == [(day["day"], day["mark"]) for day in days], habit
    for account in json.loads(daybook("accounts", "--json", "--book", str(book))):
        question = json.dumps({"ask": "awards", "as": account["id"]})
        awards = json.loads(daybook("ask", "--book", str(book), question))
        held = connection.execute(
            "SELECT award, position, evidence FROM awards WHERE user_id = ?", (account["id"],)).fetchall()
        assert sorted(held) == sorted((row["award"], row["position"], cell(row["evidence"])) for row in awards)
    return len(wanted)


def check_datasette(path):
    if importlib.util.find_spec("datasette") is None:
        return print("skipped: datasette is not installed")
    said = subprocess.run(
        [sys.executable, "-m", "datasette", str(path), "--get", f"/{path.stem}/streaks.json?_shape=array"],
        capture_output=True, text=True, timeout=120)
    assert said.returncode == 0, said.stderr
    print(f"Datasette shows {len(json.loads(said.stdout))} rows of the view of streaks")


def check_duckdb(book, directory):
    """The queries of Docs/Analysis.md answer what the book says."""
    if importlib.util.find_spec("duckdb") is None:
        return print("skipped: duckdb is not installed")
    import duckdb
    for name, words in (("book.csv", ["--format", "csv"]), ("book.jsonl", [])):
        pathlib.Path(directory, name).write_text(daybook("export", "--book", str(book), *words), "utf-8")
    logged = {}
    for line in pathlib.Path(directory, "book.jsonl").read_text("utf-8").splitlines():
        entry = json.loads(line)
        if entry["event"] == "HabitLogged":
            logged[entry["data"]["habit"]] = logged.get(entry["data"]["habit"], 0) + 1
    page = (ROOT / "Docs/Analysis.md").read_text("utf-8")
    queries = [part.split("```")[0] for part in page.split("```sql\n")[1:] if "read_" in part.split("```")[0]]
    assert len(queries) == 2, queries
    os.chdir(directory)
    for query in queries:
        found = {str(row[0]): row[1] for row in duckdb.sql(query).fetchall()}
        assert found == logged, query
    print(f"DuckDB counts {sum(logged.values())} logs of {len(logged)} habits in CSV and in JSON Lines")


def main():
    with tempfile.TemporaryDirectory() as place:
        directory = pathlib.Path(place)
        demo = directory / "demo"
        daybook("demo", "--dir", str(demo))
        books = [demo, *sorted((ROOT / "Tests/DaybookStoreTests/Fixtures").glob("golden-*"))]
        rows = 0
        for book in books:
            connection = database(book, directory / f"{book.name}.sqlite")
            rows += check_tables(book, connection)
            if book == demo:
                print(f"the views agree about {check_views(book, connection)} habits")
            connection.close()
        print(f"SQLite holds {rows} rows of {len(books)} books, and their keys hold")
        check_datasette(directory / "demo.sqlite")
        check_duckdb(demo, directory)


main()
