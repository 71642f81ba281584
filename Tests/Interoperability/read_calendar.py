"""Lets third-party programs read what `daybook export --format ics` writes: python3 read_calendar.py DAYBOOK

A household's calendar is filled with events of every kind, in zones on both sides of the equator, and written
out. The packages icalendar and recurring-ical-events must find in it every time that `daybook calendar` shows,
and no other.
"""

import datetime
import json
import pathlib
import subprocess
import sys
import tempfile

import icalendar
import recurring_ical_events

DAYBOOK = sys.argv[1]
ADA = "00000000-0000-4000-8000-0000000000a1"
FIRST, LAST = "2026-01-01", "2027-12-31"

IMPORTED = """\
BEGIN:VCALENDAR
BEGIN:VEVENT
UID:moved
DTSTART;TZID=America/New_York:20260302T180000
DTEND;TZID=America/New_York:20260302T193000
RRULE:FREQ=WEEKLY;BYDAY=MO,TH;UNTIL=20261231T235959Z
EXDATE;TZID=America/New_York:20260309T180000
SUMMARY:Choir; with "Grüße" 👩‍👩‍👧, and a line that is far longer than seventy-five octets of it
DESCRIPTION:one\\ntwo\\, three
END:VEVENT
BEGIN:VEVENT
UID:moved
RECURRENCE-ID;TZID=America/New_York:20260312T180000
DTSTART;TZID=America/New_York:20260313T190000
DURATION:PT45M
SUMMARY:Choir, on a Friday
END:VEVENT
BEGIN:VEVENT
UID:dates
DTSTART;VALUE=DATE:20260105
RDATE;VALUE=DATE:20260201,20260301
SUMMARY:Bins
END:VEVENT
BEGIN:VEVENT
UID:cancelled
DTSTART:20260105T120000Z
STATUS:CANCELLED
END:VEVENT
END:VCALENDAR
"""


def command(do, **fields):
    return json.dumps({"do": do, "as": ADA, "at": "2026-01-01T00:00:00Z", **fields})


def daybook(*words, text=None):
    run = subprocess.run([DAYBOOK, *words], input=text, capture_output=True, text=True, check=True)
    return run.stdout


def found_by_others(text):
    calendar = icalendar.Calendar.from_ical(text)
    last = datetime.date.fromisoformat(LAST) + datetime.timedelta(days=1)
    events = recurring_ical_events.of(calendar).between(datetime.date.fromisoformat(FIRST), last)
    return sorted((moment(e["DTSTART"].dt), moment(e["DTEND"].dt), str(e["SUMMARY"])) for e in events
                  if e.get("STATUS") != "CANCELLED")


def moment(value):
    if isinstance(value, datetime.datetime):
        return value.astimezone(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    return value.isoformat()


with tempfile.TemporaryDirectory() as directory:
    book = f"{directory}/book"
    daybook("init", "--book", book)
    lines = [
        json.dumps({"do": "create_account", "key": ADA, "timezone": "Etc/UTC",
                    "at": "2026-01-01T00:00:00Z"}),
        command("create_household", name="Home, sweet home"),
        command("create_calendar_event", title="Class", start_time="2026-02-03T09:15",
                end_time="2026-02-03T10:00", time_zone="Europe/Berlin", recurrence="FREQ=WEEKLY"),
        command("create_calendar_event", title="Surf", start_time="2026-01-31T07:00",
                time_zone="Australia/Sydney", recurrence="FREQ=MONTHLY;BYMONTHDAY=-1"),
        command("create_calendar_event", title="Fair", start_time="2026-05-01", end_time="2026-05-04"),
        command("import_calendar", ics=IMPORTED),
    ]
    for line in daybook("apply", "--book", book, text="\n".join(lines) + "\n").splitlines():
        assert "ok" in json.loads(line), line
    daybook("export", "--book", book, "--format", "ics", "--output", f"{directory}/home.ics")
    text = pathlib.Path(directory, "home.ics").read_bytes()
    assert all(len(line) <= 75 for line in text.split(b"\r\n")), "a line is too long"
    answer = json.loads(daybook("calendar", "--book", book, "--from", FIRST, "--to", LAST, "--json"))
    assert not answer["cut_off"], "an event is told in part only"
    shown = answer["occurrences"]
    ours = sorted((e["start_time"], e["end_time"], e["title"]) for e in shown)
    theirs = found_by_others(text)
    for difference in sorted(set(ours) ^ set(theirs))[:5]:
        print("only", "here" if difference in ours else "there", difference)
    if ours != theirs:
        sys.exit("other programs read the calendar differently")
    print(f"{len(ours)} times of {len({e['event'] for e in shown})} events are read alike")
