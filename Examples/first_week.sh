#!/usr/bin/env bash
# A first week with Daybook, from nothing: make a book, add two habits, log, ask why, look back.
#
#     bash Examples/first_week.sh [DAYBOOK]
set -euo pipefail
daybook="${1:-daybook}"
DAYBOOK="$(mktemp -d)/week.daybook"
export DAYBOOK
trap 'rm -rf "$(dirname "$DAYBOOK")"' EXIT

# --at makes a week pass in a second; without it, the book uses this machine's clock.
"$daybook" init --name Ada --timezone Europe/London --at 2026-03-02T08:00:00Z
"$daybook" habits add Read --at 2026-03-02T08:01:00Z
"$daybook" habits add Run --target 2.5 --unit km --schedule 3/7 --at 2026-03-02T08:02:00Z

"$daybook" log Read --at 2026-03-02T21:00:00Z
"$daybook" log Read --at 2026-03-03T21:00:00Z
"$daybook" log Run 3 --note "along the river" --at 2026-03-03T18:00:00Z 2>/dev/null ||
  echo "(a book's clock never runs backwards: give entries in the order in which they happen)"
"$daybook" log Run 2.5 --at 2026-03-04T18:00:00Z
"$daybook" skip Read --note "a fever" --at 2026-03-05T21:00:00Z
"$daybook" log Read --day 2026-03-04 --at 2026-03-05T21:05:00Z
"$daybook" log Read --at 2026-03-06T21:00:00Z

"$daybook" today --as-of 2026-03-06T22:00:00Z
"$daybook" streaks --as-of 2026-03-06T22:00:00Z
"$daybook" audit Read --as-of 2026-03-06T22:00:00Z
"$daybook" history Read
echo "What did it say on Wednesday evening?"
"$daybook" streaks --as-of 2026-03-04
