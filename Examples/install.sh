#!/usr/bin/env bash
# Builds `daybook` for daily use and installs it, with completions and the manual page:
#
#   Examples/install.sh             the program goes to ~/.local/bin
#   Examples/install.sh /usr/local  the program goes to /usr/local/bin
#
# The program holds Swift's libraries, so it runs where Swift is not installed. A build from nothing takes ten minutes on two
# cores. The completions and the manual page go below the home directory, where shells and `man` look for them.
set -euo pipefail
prefix="$(realpath -m "${1:-$HOME/.local}")"
cd "$(dirname "$0")/.."

.ci/setup
swift build -c release --product daybook --static-swift-stdlib
program="$(swift build -c release --show-bin-path)/daybook"
mkdir -p "$prefix/bin"
# The new program replaces the old one atomically, so that a running one is not disturbed.
strip -o "$prefix/bin/.daybook.new" "$program"
mv "$prefix/bin/.daybook.new" "$prefix/bin/daybook"
SHELL="${SHELL:-/bin/bash}" "$prefix/bin/daybook" completions install
echo "Installed $prefix/bin/daybook ($(du -h "$prefix/bin/daybook" | cut -f1))."
case ":$PATH:" in
  *":$prefix/bin:"*) ;;
  *) echo "Add $prefix/bin to PATH to run it as \`daybook\`." ;;
esac
