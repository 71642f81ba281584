"""A read that fails is an input/output error, and never reported as damage: each read of each command fails once.

    python3 Tests/Durability/failing_reads.py DAYBOOK [--only COMMAND] [--most 40]

Each command runs once, to count its reads below the directory of the book. Then it runs again for each read, or for about
`--most` of many, and that read fails with EIO. The command may do without the read and answer as before, or end with exit
code 1, the file and the errno. It may not report damage, or advise to salvage. Only `verify` goes on after a bad
sector, and reports it as one. After each command that writes, the book is whole.
"""
import argparse, os, pathlib, re, shutil, subprocess, sys, tempfile

from fault_sweep import ADA, Program, build_shim, make_book

# The commands, with the book at {book} and nothing at {new}. Each runs on a copy of the book.
COMMANDS = """
today --as {ada} --book {book}
habits --as {ada} --book {book}
streaks --as {ada} --book {book}
streaks --as {ada} --book {book} --as-of 2024-01-01
audit Looms --as {ada} --book {book}
audit Looms --as {ada} --book {book} --as-of 2024-01-01
history Looms --as {ada} --book {book}
heatmap Looms --as {ada} --book {book}
stats Looms --as {ada} --book {book}
insights --as {ada} --book {book}
replay Looms --as {ada} --book {book}
feed --as {ada} --book {book}
awards --as {ada} --book {book}
diff --as {ada} --book {book} --from 2024-01-01 --to 2024-02-01
tasks --as {ada} --book {book}
accounts --book {book}
export --book {book}
export --as {ada} --book {book}
backup --book {book} {new}
restore --book {book} {new}
head --book {book}
seal --book {book}
prove Looms --as {ada} --book {book} --output {new}
log Looms --as {ada} --book {book}
undo --as {ada} --book {book}
erase-account {ada} --book {book} --yes
verify --book {book}
""".strip().splitlines()
WRITERS = ("seal", "log", "undo", "erase-account", "backup")
GO_ON = ("verify",)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("daybook")
    parser.add_argument("--only")
    parser.add_argument("--most", type=int, default=40)
    options = parser.parse_args()
    directory = pathlib.Path(tempfile.mkdtemp()).resolve()
    program, failures, tried = Program(os.path.abspath(options.daybook)), [], 0
    try:
        shim = build_shim(directory)
        template = directory / "template"
        template.mkdir()
        make_book(program, template / "book")
        program.run("streaks", "--as", ADA, "--book", template / "book")

        def run(words, call=None):
            """Runs a command on a fresh copy of the book, and lets the read of that number fail, if one is given."""
            work = directory / "work"
            shutil.rmtree(work, ignore_errors=True)
            shutil.copytree(template, work)
            reads = directory / "reads"
            reads.unlink(missing_ok=True)
            environment = dict(os.environ, LD_PRELOAD=str(shim), FAULT_UNDER=str(work), FAULT_LOG=str(reads), FAULT_READS="1")
            if call:
                environment.update(FAULT_CALL=str(call), FAULT_KIND="failed")
            names = {"{book}": work / "book", "{new}": work / "new", "{ada}": ADA}
            done = program.run(*[names.get(word, word) for word in words], codes=None, environment=environment)
            return done, len(reads.read_text().splitlines()) if reads.exists() else 0

        for command in COMMANDS:
            if options.only and not command.startswith(options.only):
                continue
            words = command.split()
            whole, count = run(words)
            if whole.returncode != 0:
                failures.append(f"{command}: {whole.returncode} {whole.stderr[:300]}")
                continue
            step = max(1, -(-count // options.most))
            for call in range(1, count + 1, step):
                done, _ = run(words, call)
                tried += 1
                if words[0] in WRITERS:
                    program.verify(directory / "work" / "book")
                told = done.stderr + ("" if words[0] in GO_ON else done.stdout)
                if done.returncode == 0:
                    continue
                if words[0] in GO_ON and done.returncode == 3:
                    continue
                if done.returncode != 1 or re.search("damage|salvage", told) or "nput/output error" not in told:
                    failures.append(f"{command}: read {call} of {count}: exit {done.returncode}: {told[:300]}")
            print(f"{words[0]:<14} {count:4} reads", flush=True)
    finally:
        shutil.rmtree(directory, ignore_errors=True)
    print("\n".join(failures[:40]))
    print(f"{tried} reads failed, {len(failures)} findings")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
