"""Runs the program at a terminal of its own, as a person would: how wide answers are, what is paged, what is asked, how
long work is shown, what a replay does with keys, and what Ctrl-C does.

    python3 Tests/Terminal/check_terminal.py DAYBOOK

If PyPI's wcwidth is installed, the columns of tables are checked against it. No check depends on speed: what it waits for
comes, or the check fails after a minute.
"""
import codecs, fcntl, json, os, pty, re, select, shutil, stat, struct, subprocess, sys, tempfile, termios, time, unicodedata
import xml.etree.ElementTree

try:
    from wcwidth import wcswidth
except ImportError:
    wcswidth = None

DAYBOOK = os.path.abspath(sys.argv[1])
PATIENCE = 60
ADA = "00000000-0000-4000-8000-00000000000a"
work = tempfile.mkdtemp()


def environment(**more):
    kept = {name: value for name, value in os.environ.items()
            if name not in ("COLUMNS", "LINES", "NO_COLOR", "PAGER", "LESS", "DAYBOOK", "DAYBOOK_AS", "DAYBOOK_PEPPER")}
    return {**kept, "TERM": "xterm-256color", "TZ": "UTC", "LC_ALL": "C.UTF-8", **more}


def plain(*words, given="", status=0):
    """Runs the program in pipes; returns what it prints."""
    run = subprocess.run([DAYBOOK, *words], cwd=work, env=environment(), input=given, capture_output=True, text=True)
    assert run.returncode == status, (words, run.returncode, run.stdout, run.stderr)
    return run.stdout


class Terminal:
    """A run at a terminal with this many columns and rows. `pipes` names the streams that are not a terminal."""

    def __init__(self, *words, columns=80, rows=24, pipes=(), **more):
        self.words, self.text = words, ""
        # A letter may come in two pieces.
        self.decoder = codecs.getincrementaldecoder("utf-8")()
        self.master, slave = pty.openpty()
        # This comes before the program runs, because the program may set a mode of its own at once.
        self.former = termios.tcgetattr(slave)
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

        def own():
            os.setsid()
            fcntl.ioctl(slave, termios.TIOCSCTTY, 0)

        stream = lambda name: subprocess.PIPE if name in pipes else slave
        self.process = subprocess.Popen(
            [DAYBOOK, *words], cwd=work, env=environment(**more), stdin=stream("stdin"), stdout=stream("stdout"),
            stderr=stream("stderr"), preexec_fn=own)
        os.close(slave)

    def read(self, seconds):
        """Reads the output within some time; returns whether more may follow."""
        if not select.select([self.master], [], [], seconds)[0]:
            return True
        try:
            bytes = os.read(self.master, 65536)
        except OSError:
            return False
        self.text += self.decoder.decode(bytes)
        return bool(bytes)

    def await_text(self, text):
        end = time.monotonic() + PATIENCE
        while text not in self.text:
            assert self.read(0.1) and time.monotonic() < end, (self.words, "never said", text, self.text)

    def send(self, text):
        os.write(self.master, text.encode())

    def finish(self):
        """Returns what the terminal was sent, and the exit code."""
        end = time.monotonic() + PATIENCE
        while self.read(0.1):
            assert time.monotonic() < end, (self.words, "never ends", self.text)
        status = self.process.wait(PATIENCE)
        os.close(self.master)
        return self.text.replace("\r\n", "\n"), status


def shown(*words, **more):
    text, status = Terminal(*words, **more).finish()
    assert status == 0, (words, status, text)
    return text


def without_styles(text):
    return re.sub("\x1b\\[[0-9;]*m", "", text)


def width(text):
    """How many columns a terminal gives a line."""
    text = without_styles(text).replace("\u2068", "").replace("\u2069", "")
    if wcswidth:
        return wcswidth(text)
    # This is close enough for the texts in the book.
    return sum(
        0 if unicodedata.category(letter) in ("Mn", "Me", "Cf") else
        2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in text)


def make_book():
    plain("init", "--name", "Ada", "--timezone", "Europe/London", "--key", ADA, "--at", "2026-03-01T08:00:00Z")
    names = ["Read", "読書の時間を毎日すこしずつ増やす", "قراءة كتاب قبل النوم كل ليلة", "🧘‍♀️ Meditate a little while", "नमस्ते"]
    for place, name in enumerate(names):
        plain("habits", "add", name, "--key", f"00000000-0000-4000-8000-00000000000{place + 1}",
              "--at", f"2026-03-01T08:01:0{place}Z")
    lines = [{"do": "log_habit", "as": ADA, "habit": f"00000000-0000-4000-8000-00000000000{habit}", "value": 1,
              "day": f"2026-03-0{day}", "note": "a note that is longer than a line of any terminal is wide " * 3,
              "at": f"2026-03-08T21:00:{day * 5 + habit:02}Z"}
             for day in range(1, 9) for habit in range(1, 6) if day % habit == 0]
    plain("apply", given="".join(json.dumps(line) + "\n" for line in lines))


# MARK: What is shown

VIEWS = [["replay", "Read", "--no-motion"], ["today"], ["streaks"], ["habits"], ["stats"], ["insights"], ["heatmap", "Read"], ["history", "Read"],
         ["audit", "Read"], ["feed"], ["awards"], ["focus"], ["profile"], ["accounts"], ["metrics"]]


def check_widths():
    for columns in (40, 80, 200):
        for view in VIEWS:
            answer = shown(*view, "--no-pager", columns=columns)
            for line in answer.splitlines():
                assert width(line) <= columns, (view, columns, width(line), line)
        # The terminal's width is the one that can be asked for; and COLUMNS goes before the terminal.
        asked = shown("history", "Read", "--no-pager", "--width", str(columns), columns=66)
        assert asked == shown("history", "Read", "--no-pager", columns=columns)
        assert asked == shown("history", "Read", "--no-pager", columns=66, COLUMNS=str(columns))
    assert max(map(len, plain("history", "Read").splitlines())) > 200


def check_signs():
    answer = shown("streaks", "--no-pager")
    assert "\x1b[" in answer
    assert "\x1b[" not in shown("streaks", "--no-pager", NO_COLOR="1")
    assert "\x1b[" not in shown("streaks", "--no-pager", "--color", "never")
    assert "\x1b[" in shown("streaks", "--no-pager", "--color", "always", NO_COLOR="1")
    comb = shown("heatmap", "Read", "--no-pager", "--color", "never", columns=200)
    assert "⬢ done" in comb and "# done" in plain("heatmap", "Read")


def check_columns_of_letters():
    """Every letter is in the first column of some row: the second letter begins where wcwidth says the first ends."""
    if not wcswidth:
        return print("skipped: wcwidth is not installed")
    letters = [chr(code) for code in range(0xA1, 0x20000) if unicodedata.category(chr(code))[0] in "LMNPS"]
    # Each mark is on a letter, as in texts.
    letters = ["o" + letter if unicodedata.category(letter)[0] == "M" else letter for letter in letters]
    letters += ["🧑‍🚀", "👨‍👩‍👧‍👦", "🇬🇧", "1️⃣", "❤️", "👍🏽", "क्ष", "กำ", "각", "e\u0301", "☎️", "한"]
    names = [" ".join(letters[place:place + 30]) for place in range(0, len(letters), 30)]
    plain("init", "--name", "Ada", "--timezone", "UTC", "--key", ADA, "--book", "letters")
    plain("apply", "--book", "letters", given="".join(
        json.dumps({"do": "create_habit", "as": ADA, "name": f"<{name}>"}) + "\n" for name in names))
    rows = plain("habits", "--book", "letters", "--width", "1000").splitlines()[1:]
    assert len(rows) == len(names), len(rows)
    columns = {}
    for row in rows:
        columns.setdefault(width(row.partition("  daily  ")[0]), []).append(row)
    usual = max(columns, key=lambda column: len(columns[column]))
    strange = [row for column in columns if column != usual for row in columns[column]]
    assert not strange, (usual, len(strange), strange[:3])


def check_pager():
    marker = work + "/pager"
    with open(marker, "w") as file:
        file.write("#!/bin/sh\necho paged\ncat\n")
    os.chmod(marker, stat.S_IRWXU)
    assert shown("history", "Read", rows=5, PAGER=marker).startswith("paged\n")
    assert not shown("history", "Read", rows=5, PAGER=marker).endswith("paged\n")
    assert "paged" not in shown("history", "Read", "--no-pager", rows=5, PAGER=marker)
    assert "paged" not in shown("history", "Read", rows=500, PAGER=marker), "what fits is not paged"
    assert "paged" not in shown("history", "Read", "--json", rows=2, PAGER=marker)
    assert "HabitCreated" in shown("history", "Read", rows=5, PAGER="no-such-pager")
    if shutil.which("less"):
        run = Terminal("history", "Read", rows=5)
        run.await_text("#")
        run.send("q")
        _, status = run.finish()
        assert status == 0, status


# MARK: What plays

SPAN = ["--from", "2026-03-08T00:00:00Z", "--to", "2026-03-11T12:00:00Z"]


class Player(Terminal):
    """A replay, paused at its beginning."""

    def __init__(self, *words, **more):
        super().__init__("replay", "Read", *SPAN, "--paused", *words, **more)
        self.await_text("q")

    def press(self, keys, until):
        """Presses keys; returns the screen that shows the expected text."""
        self.text = ""
        self.send(keys)
        self.await_text(until)
        while "\x1b[J" not in self.text.partition(until)[2]:
            self.read(0.1)
        return self.text

    def screens(self):
        """The screens that were drawn, without the output before and after them."""
        return [screen.split("\r\n") for screen in self.text.split("\x1b[H")[1:] if "\x1b[J" in screen]

    def await_end(self):
        """Waits for the end; the terminal is as it was."""
        end = time.monotonic() + PATIENCE
        while self.process.poll() is None:
            self.read(0.05)
            assert time.monotonic() < end, (self.words, "never ends", self.text)
        while select.select([self.master], [], [], 0.2)[0] and self.read(0.1):
            pass
        try:
            now = termios.tcgetattr(self.master)
        except termios.error:
            now = self.former
        assert now[:4] == self.former[:4], ("another mode", now, self.former)
        assert self.text.count("\x1b[?1049h") <= self.text.count("\x1b[?1049l"), repr(self.text[-300:])
        assert self.text.rindex("\x1b[?25h") > self.text.rfind("\x1b[?25l"), "the cursor is shown again"
        return self.process.returncode


def check_replay():
    # Pause, step there and back, go to the end and to the start, and on from the end.
    run = Player()
    raw = termios.tcgetattr(run.master)
    assert not raw[3] & termios.ICANON and not raw[3] & termios.ECHO, "keys come one by one"
    assert "step 0 of " in run.text and "held" in run.text, run.text
    count = int(re.search("step 0 of ([0-9]+)", run.text)[1])
    assert count >= 4
    assert "a day begins" in run.press("n", "step 1 of")
    assert "HabitLogged from manual" in run.press("\x1b[C", "step 2 of")
    run.press("\x1bOC", "step 3 of")
    run.press("\x1b[D", "step 2 of")
    run.press("p", "step 1 of")
    assert "the beginning" in run.press("pp", "step 0 of")
    run.press("x?\x1b[200~7n", "step 1 of")
    run.press("\x1b[H", "step 0 of")
    assert "the end" in run.press("G", f"step {count} of")
    run.press("g", "step 0 of")
    run.press("\x1b[F", f"step {count} of")
    run.press("++++++ ", "plays")
    run.await_text(f"step {count} of {count}, the end")
    run.text = "\x1b[?1049h\x1b[?25l" + run.text
    run.send("q")
    assert run.await_end() == 0
    # The last screen stays visible.
    text = run.text.rpartition("\x1b[?1049l")[2]
    assert "Read" in text and "As it was known at" in text, text
    os.close(run.master)
    # It plays by itself, until it is paused.
    run = Terminal("replay", "Read", *SPAN, "--speed", "64")
    run.await_text("the end")
    run.send("q")
    assert run.finish()[1] == 0


def check_replay_widths():
    for columns in (40, 80, 200):
        for rows in (5, 12, 24, 60):
            run = Player(columns=columns, rows=rows)
            run.press("n", "step 1 of")
            run.press("G", "the end")
            screens = run.screens()
            assert screens, run.text
            for screen in screens:
                lines = [without_styles(line).replace("\x1b[K", "").replace("\x1b[J", "") for line in screen]
                assert len(lines) <= rows, (columns, rows, len(lines), lines)
                for line in lines:
                    assert width(line) <= columns, (columns, width(line), line)
            assert any("⬢" in line for line in screens[-1]) or rows < 12, (columns, rows, screens[-1])
            run.text = "\x1b[?1049h\x1b[?25l"
            run.send("Q")
            assert run.await_end() == 0
            os.close(run.master)


def check_replay_ends():
    """However it ends, the terminal is as it was."""
    for way, status in (("\x03", 130), ("\x04", 0), (15, -15), (3, -3), (1, -1)):
        run = Player()
        run.press(" ", "plays")
        run.text = "\x1b[?1049h\x1b[?25l" + run.text
        run.send(way) if isinstance(way, str) else run.process.send_signal(way)
        assert run.await_end() == status, (way, run.process.returncode)
        assert "Interrupted" not in run.text
        os.close(run.master)
    # Ctrl-Z and Ctrl-S do not leave it behind.
    run = Player()
    run.press("\x1a\x13n", "step 1 of")
    run.text = "\x1b[?1049h\x1b[?25l"
    run.send("q")
    assert run.await_end() == 0
    os.close(run.master)
    # A terminal that is closed ends it.
    run = Player()
    os.close(run.master)
    run.process.wait(PATIENCE)


def check_replay_elsewhere():
    """Nothing moves where nobody could pause it."""
    plainly = plain("replay", "Read", *SPAN)
    assert "\x1b" not in plainly and "the beginning" in plainly and "HabitLogged" in plainly
    assert plain("replay", "Read", *SPAN, "--no-motion") == plainly
    for more in ({"pipes": ("stdin",)}, {"TERM": "dumb"}):
        text = shown("replay", "Read", *SPAN, "--no-pager", "--color", "never", columns=200, **more)
        assert "\x1b" not in text and "the beginning" in text, text
    text = shown("replay", "Read", *SPAN, "--no-pager", "--no-motion", columns=200)
    assert "\x1b[?" not in text and "\x1b[H" not in text and "the beginning" in text
    # A span without any entries has nothing to play.
    assert "0 steps." in shown("replay", "Read", "--from", "2026-03-08T21:30:00Z", "--to", "2026-03-08T21:31:00Z", "--no-pager")


def check_moving_pictures():
    """They are XML with few elements, refer only to defined ids, and are the same each time."""
    space = "{http://www.w3.org/2000/svg}"
    for theme in ("auto", "light", "dark"):
        for habit in ("Read", "読書", "قراءة"):
            pictures = []
            for name in ("first.svg", "second.svg"):
                plain("heatmap", habit, *SPAN, "--svg", name, "--theme", theme)
                with open(f"{work}/{name}", "rb") as file:
                    pictures.append(file.read())
            assert pictures[0] == pictures[1], "it differs each time"
            root = xml.etree.ElementTree.fromstring(pictures[0])
            elements = list(root.iter())
            kinds = {element.tag.removeprefix(space) for element in elements}
            assert kinds <= {"svg", "title", "desc", "style", "defs", "g", "path", "rect", "text", "use"}, kinds
            defined = {element.get("id") for element in elements}
            for element in root.iter(space + "use"):
                assert element.get("href").removeprefix("#") in defined, element.attrib
            moving = [element for element in elements if element.get("class") in ("t", "f")]
            assert moving and all(re.fullmatch(
                r"animation-delay:[0-9.]+s(;animation-duration:[0-9.]+s)?", element.get("style")) for element in moving)
            assert all(("duration" in element.get("style")) == (element.get("class") == "t") for element in moving)
            assert "@media print,(prefers-reduced-motion:reduce)" in root.find(space + "style").text


# MARK: What is asked

def check_prompts():
    def answered(*words, answer):
        run = Terminal(*words)
        run.await_text("[y/N]")
        run.send(answer + "\n")
        return run.finish()

    count = lambda: len(json.loads(plain("habits", "--json")))
    before = count()
    text, status = answered("habits", "add", "read", answer="n")
    assert status == 1 and 'There is a habit "Read" already. Another one?' in text and "Nothing was recorded." in text, text
    text, status = answered("habits", "add", "read", answer="")
    assert status == 1 and count() == before
    text, status = answered("habits", "add", "Read", "--key", "00000000-0000-4000-8000-0000000000ff", answer="y")
    assert status == 0 and count() == before + 1, text
    text, status = answered("habits", "delete", "00000000-0000-4000-8000-000000000001", answer="no")
    assert status == 1 and 'This will delete "Read" with 8 logged days. Continue?' in text, text
    text, status = answered("habits", "delete", "00000000-0000-4000-8000-000000000001", answer="yes")
    assert status == 0 and count() == before, text
    # An empty entity is deleted without a question, and without a terminal nobody is asked.
    assert "[y/N]" not in shown("habits", "delete", "00000000-0000-4000-8000-0000000000ff")
    plain("habits", "delete", "नमस्ते", status=1)
    run = Terminal("habits", "add", "नमस्ते")
    run.await_text("[y/N]")
    run.send("\x03")
    text, status = run.finish()
    assert status == 130 and "Interrupted. The book is whole" in text, (status, text)
    assert count() == before - 1


# MARK: Long work

def line(number):
    return json.dumps({"do": "create_task", "as": ADA, "title": f"Task {number}"}).encode() + b"\n"


def check_progress():
    # It lasts for as long as its standard input is open.
    run = Terminal("apply", pipes=("stdin", "stdout"))
    run.process.stdin.write(line(1))
    run.process.stdin.flush()
    run.await_text("Applying")
    run.process.stdin.close()
    text, status = run.finish()
    assert status == 0 and text.endswith("\r\x1b[K"), "the bar is taken away"
    answer = run.process.stdout.read()
    assert answer.count(b"\n") == 1 and b"Applying" not in answer
    # In pipes, and among answers on a terminal, there is none.
    for pipes in (("stdin", "stdout", "stderr"), ("stdin",)):
        run = Terminal("apply", pipes=pipes)
        run.process.stdin.write(line(2))
        run.process.stdin.flush()
        time.sleep(1)
        run.process.stdin.close()
        text, status = run.finish()
        assert status == 0 and "Applying" not in text
        if "stderr" in pipes:
            assert run.process.stderr.read() == b""


def check_interruption():
    count = lambda: plain("export").count('"event":"TaskCreated"')
    before = count()
    run = Terminal("apply", pipes=("stdin", "stdout"))
    run.process.stdin.write(b"".join(line(100 + number) for number in range(50)))
    run.process.stdin.flush()
    answers = [json.loads(run.process.stdout.readline()) for _ in range(50)]
    assert all("ok" in answer for answer in answers), answers[0]
    run.send("\x03")
    text, status = run.finish()
    assert status == 130, (status, text)
    assert "Interrupted. The book is whole, with all that was answered.\n" in text, text
    assert count() == before + 50, (before, count())
    assert json.loads(plain("verify", "--deep", "--json"))["whole"] is True
    # A book that was made for nothing is removed again.
    run = Terminal("apply", "--book", work + "/new", pipes=("stdin", "stdout"))
    run.await_text("Made a new book")
    run.send("\x03")
    text, status = run.finish()
    assert status == 130 and not os.path.exists(work + "/new"), (status, text)
    # An interruption is the normal end of `tail`.
    run = Terminal("tail")
    run.await_text("TaskCreated")
    run.send("\x03")
    text, status = run.finish()
    assert status == 130 and "Interrupted" not in text, (status, text)


try:
    make_book()
    for name, check in list(globals().items()):
        if name.startswith("check_"):
            check()
            print(f"{name.removeprefix('check_').replace('_', ' ')}: as it should be", flush=True)
finally:
    shutil.rmtree(work)
