#!/usr/bin/env bash
# Fuzzes the readers of foreign bytes with libFuzzer and AddressSanitizer.
#
#   fuzz.sh [TARGETS|all] [SECONDS]   builds, and runs for so long each (default: all, 15)
#   fuzz.sh [TARGETS|all] 0           the corpus, and the same 8 000 runs each time (2 000 of zones and calendars)
#   fuzz.sh minimise [TARGETS|all]    builds, and adds to Corpus/ what reaches something new
#
# TARGETS are a single word of the shell, such as "values schema". The targets are: commands, calendars, entries, imports,
# zones, journal, recipes, query, resolution, container, values, schema. Build products go to .build-fuzz, or to
# $SWIFTPM_BUILD_DIR. Inputs that reach new code are kept there in found/; an input that fails is written to failures/.
# Docs/Fuzzing.md says more.
set -euo pipefail
cd "$(dirname "$0")/../.."
fuzzing=Tests/Fuzzing
build="${SWIFTPM_BUILD_DIR:-.build-fuzz}"
export SWIFTPM_BUILD_DIR="$build"
# The targets that take longest come first, so that none is left for a single processor at the end.
targets=(commands calendars entries imports zones journal recipes query resolution container values schema)

minimise=
if [ "${1:-}" = minimise ]; then minimise=yes; shift; fi
chosen="${1:-all}"
seconds="${2:-15}"
if [ "$chosen" != all ]; then
  for target in $chosen; do
    [[ " ${targets[*]} " == *" $target "* ]] || { echo "$target is not a target: ${targets[*]}" >&2; exit 2; }
  done
  read -ra targets <<<"$chosen"
fi
[[ $seconds =~ ^[0-9]+$ ]] || { echo "$seconds is not a number of seconds" >&2; exit 2; }

resources="$(swiftc -print-target-info | sed -n 's/.*"runtimeResourcePath": "\(.*\)".*/\1/p')"
if ! find -L "$resources/clang/lib" -name '*clang_rt.fuzzer*' 2>/dev/null | grep -q .; then
  echo "skipped: fuzzing, for this toolchain has no libFuzzer ($resources/clang/lib)"
  exit 0
fi

# The form of the flags matters: with `--sanitize=fuzzer --sanitize=address` the coverage is lost. Swift is optimised, which
# gives ten times the runs; the C code of dependencies is not, because building it would take twice as long.
log="$build/build.log"
mkdir -p "$build"
rm -f "$build/debug.yaml"  # the plan: made anew, or files that Daybook got since would be missed
if ! swift build --package-path "$fuzzing" --disable-index-store \
  --sanitize=fuzzer -Xswiftc -O -Xswiftc -sanitize=fuzzer,address >"$log" 2>&1; then
  grep -E 'error' "$log" | head -20 >&2
  echo "the fuzz targets do not build; all of it is in $log" >&2
  exit 1
fi

# libFuzzer reports crashes itself; Swift's own report of it takes minutes.
export SWIFT_BACKTRACE=enable=no
# Memory that is kept until the end is not a leak.
export ASAN_OPTIONS=detect_leaks=0
# Looking for leaks takes most of the time, and memory that grows is found by its limits: of one allocation, and of the
# process, in which AddressSanitizer keeps what was freed, and `journal` a disk. A run of ten seconds counts as a hang; the
# costliest calendar of the corpus takes almost one second here, because of AddressSanitizer.
limits=(-timeout=10 -rss_limit_mb=2048 -detect_leaks=0)

minimise() {
  local target="$1"
  "$build/debug/Fuzz${target^}" "${limits[@]}" "-artifact_prefix=$build/failures/$target/" \
    -merge=1 "$fuzzing/Corpus/$target" "$build/found/$target" 2>&1 | tail -1
}

fuzz() {
  local target="$1" program="$build/debug/Fuzz${1^}" log="$build/$1.log"
  local bound=("-max_total_time=$seconds")
  # A zone or a calendar is queried for many days, which takes ten times as long as other inputs.
  local runs=8000
  [[ $target != zones && $target != calendars ]] || runs=2000
  [ "$seconds" -gt 0 ] || bound=("-runs=$runs" -seed=1)
  if "$program" "${limits[@]}" "-artifact_prefix=$build/failures/$target/" "-dict=$fuzzing/Dictionaries/$target.dict" \
    "${bound[@]}" -print_final_stats=1 "$build/found/$target" "$fuzzing/Corpus/$target" >"$log" 2>&1; then
    runs="$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")"
    echo "$target: $runs runs, nothing found ($(grep -oE 'cov: [0-9]+' "$log" | tail -1))"
  else
    grep -E 'Fatal error|ERROR|SUMMARY|Test unit written' "$log" | sort -u >&2
    echo "$target: failed; all of it is in $log. To run that input again:" >&2
    echo "  SWIFT_BACKTRACE=enable=no $program FILE" >&2
    return 1
  fi
}

# As many run at once as there are processors.
failed=
for target in "${targets[@]}"; do
  mkdir -p "$build/found/$target" "$build/failures/$target" "$fuzzing/Corpus/$target"
  if [ "$(jobs -rp | wc -l)" -ge "$(nproc)" ]; then wait -n || failed=yes; fi
  if [ -n "$minimise" ]; then minimise "$target" & else fuzz "$target" & fi
done
while [ -n "$(jobs -p)" ]; do
  wait -n || { [ $? -eq 127 ] && break; failed=yes; }
done
[ -z "$failed" ]
