"""Compares Daybook's recurrence with python-dateutil's, over random rules and starts.

    python3 compare_recurrence.py DAYBOOK [RULES] [SEED]

Both list the first occurrences of each rule. Where they differ, one of the reasons in Docs/Recurrence.md must apply: each is
a test of the rule's parts. Rules that pass such a test are counted separately and need not agree; all others must.
"""

import collections
import datetime
import itertools
import json
import random
import signal
import subprocess
import sys
import time
import warnings

from dateutil import rrule

COUNT = 12
WEEKDAYS = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]
FREQUENCIES = ["YEARLY", "MONTHLY", "WEEKLY", "DAILY", "HOURLY", "MINUTELY", "SECONDLY"]


def numbers(dice, low, high, signed=False, most=3):
    found = [dice.randint(low, high) for _ in range(dice.randint(1, most))]
    return ",".join(str(-n if signed and dice.random() < 0.4 else n) for n in found)


def weekdays(dice, counted, last):
    """Weekdays that are all counted, or none of them, or some."""
    number = lambda: dice.choice(["", "-"]) + str(dice.randint(1, dice.choice([5, last])))
    is_mixed = counted and dice.random() < 0.1
    is_counted = lambda: counted and not (is_mixed and dice.random() < 0.5)
    return ",".join((number() if is_counted() else "") + dice.choice(WEEKDAYS) for _ in range(dice.randint(1, 4)))


def random_rule(dice):
    frequency = dice.choice(FREQUENCIES)
    parts = {"FREQ": frequency}
    fine = frequency in ("HOURLY", "MINUTELY", "SECONDLY")
    chance = lambda share: dice.random() < share
    if chance(0.4):
        parts["INTERVAL"] = dice.choice([2, 3, 4, 5, 7, 12, 90 if fine else 6])
    if chance(0.3):
        parts["BYMONTH"] = numbers(dice, 1, 12)
    weeks = frequency == "YEARLY" and chance(0.25)
    if weeks:
        parts["BYWEEKNO"] = numbers(dice, 1, 53, signed=True)
    if (frequency == "YEARLY" or fine) and chance(0.15):
        parts["BYYEARDAY"] = numbers(dice, 1, 366, signed=True, most=20)
    if frequency != "WEEKLY" and chance(0.25):
        parts["BYMONTHDAY"] = numbers(dice, 1, 31, signed=True, most=8)
    if chance(0.45):
        counted = frequency in ("YEARLY", "MONTHLY") and not weeks and chance(0.5)
        parts["BYDAY"] = weekdays(dice, counted, 53 if frequency == "YEARLY" else 5)
    for name, high, share in (("BYHOUR", 23, 0.15), ("BYMINUTE", 59, 0.15), ("BYSECOND", 59, 0.1)):
        if chance(share):
            parts[name] = numbers(dice, 0, high)
    if any(name.startswith("BY") for name in parts) and chance(0.2):
        parts["BYSETPOS"] = numbers(dice, 1, 6, signed=True)
    if chance(0.3):
        parts["WKST"] = dice.choice(WEEKDAYS)
    start = datetime.datetime(1995, 1, 1) + datetime.timedelta(
        days=dice.randint(0, 4000), seconds=dice.choice([0, 32400, 45296, 86399]))
    if chance(0.2):
        parts["COUNT"] = dice.randint(1, 10)
    elif chance(0.2):
        parts["UNTIL"] = (start + datetime.timedelta(days=dice.randint(0, 3000))).strftime(
            dice.choice(["%Y%m%dT%H%M%S"] * 4 + ["%Y%m%d"]))
    return parts, start


def reason(parts):
    """Why dateutil may answer differently, if it may (Docs/Recurrence.md, "Against dateutil")."""
    frequency, has = parts["FREQ"], parts.__contains__
    if has("UNTIL") and len(parts["UNTIL"]) == 8:
        return "UNTIL as a date holds to the end of its day"
    counted = [day[:-2] != "" for day in parts.get("BYDAY", "").split(",")]
    if any(counted) and not all(counted):
        return "BYDAY with and without numbers names what either names"
    if frequency == "WEEKLY" and has("BYSETPOS"):
        return "BYSETPOS counts in the whole first week, not from the start on"
    if has("BYWEEKNO"):
        if not (has("BYDAY") or has("BYMONTHDAY") or has("BYYEARDAY")):
            return "BYWEEKNO alone means the start's weekday, not seven days"
        weeks = [int(number) for number in parts["BYWEEKNO"].split(",")]
        if any(week <= -52 for week in weeks):
            return "the last days of a year may be in week -52 or -53 of the next"
        if any(week >= 52 for week in weeks):
            return "the first days of a year may be in week 52 or 53 of the one before"
    return None


class TooSlow(Exception):
    pass


def too_slow(*_):
    raise TooSlow


def dateutil_answer(text, start):
    """The first occurrences by dateutil, and whether these are all."""
    found = []
    # The alarm may still ring while it is being turned off.
    try:
        return dateutil_found(text, start, found)
    except TooSlow:
        return found, False


def dateutil_found(text, start, found):
    signal.setitimer(signal.ITIMER_VIRTUAL, 0.02)
    try:
        for occurrence in itertools.islice(rrule.rrulestr(text, dtstart=start), COUNT):
            found.append(occurrence.isoformat())
        return found, True
    except TooSlow:
        return found, False
    except ValueError:
        # It refuses rules below DAILY that never occur.
        return [], True
    except IndexError:
        # Its mistake: an ordinal that a year or month does not have.
        return found, False
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


def main():
    warnings.simplefilter("ignore")
    signal.signal(signal.SIGVTALRM, too_slow)
    daybook, rules = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 2000
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else random.SystemRandom().randrange(1 << 32)
    dice, begun = random.Random(seed), time.monotonic()
    worlds = [random_rule(dice) for _ in range(rules)]
    texts = [";".join(f"{name}={value}" for name, value in parts.items()) for parts, _ in worlds]
    questions = "".join(
        json.dumps({"rule": text, "start": start.isoformat(), "count": COUNT}) + "\n"
        for text, (_, start) in zip(texts, worlds))
    done = subprocess.run([daybook, "rrule", "-"], input=questions, capture_output=True, text=True)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    if len(answers) != rules:
        sys.exit(f"{len(answers)} answers to {rules} questions: {done.stderr}")
    own, tally = time.monotonic() - begun, collections.Counter()
    for text, (parts, start), answer in zip(texts, worlds, answers):
        if "error" in answer:
            sys.exit(f"refused: {text}: {answer['error']['message']}")
        (other, is_whole), explained = dateutil_answer(text, start), reason(parts)
        if other == answer["occurrences"][:None if is_whole else len(other)]:
            tally["agree" if is_whole else "unfinished"] += 1
            tally["with occurrences"] += is_whole and bool(other)
        elif explained:
            tally[explained] += 1
        else:
            sys.exit(f"seed {seed}: {text} from {start.isoformat()}\n  dateutil {other}\n  daybook  {answer['occurrences']}")
    print(
        f"{rules} random rules (seed {seed}): {tally.pop('agree')} agree, {tally.pop('with occurrences')} of them with"
        f" occurrences; dateutil did not finish {tally.pop('unfinished', 0)};"
        f" {time.monotonic() - begun:.1f} s, Daybook's {own:.1f} s")
    for name, count in tally.items():
        print(f"  {count} differ: {name}")


if __name__ == "__main__":
    main()
