#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
#   tests/tools/kcachegrind.sh FILE PICTURE
#
# Opens a callgrind file in KCachegrind, on a display of its own, and writes what its window shows as PICTURE (PNG).
# KCachegrind has no other output: look at the picture. Needs the packages kcachegrind, xvfb, xauth, dbus, xdotool and
# imagemagick.
set -euo pipefail

[ $# -eq 2 ] || { sed -n 's/^#   /usage: /p' "$0" >&2; exit 2; }
file=$(realpath "$1")
picture=$(realpath -m "$2")
seconds=60

if [ -z "${KCACHEGRIND_SCRATCH-}" ]; then
	KCACHEGRIND_SCRATCH=$(mktemp -d "${TMPDIR:-/tmp}/kcachegrind.XXXXXX")
	export KCACHEGRIND_SCRATCH
	trap 'rm -rf "$KCACHEGRIND_SCRATCH"' EXIT
	xvfb-run -a -s '-screen 0 1600x1000x24' dbus-run-session -- "$0" "$file" "$picture"
	exit
fi

export HOME=$KCACHEGRIND_SCRATCH XDG_CONFIG_HOME=$KCACHEGRIND_SCRATCH/config
mkdir -p "$XDG_CONFIG_HOME"
printf '[TipOfDay]\nRunOnStart=false\n' >"$XDG_CONFIG_HOME/kcachegrindrc"
kcachegrind "$file" >"$KCACHEGRIND_SCRATCH/log" 2>&1 &
trap 'kill $! 2>/dev/null || true' EXIT
# It names the file in the title of its window once it has read it.
window=$(timeout "$seconds" xdotool search --sync --onlyvisible --name "$(basename "$file")" | head -n 1) || {
	cat "$KCACHEGRIND_SCRATCH/log" >&2
	printf 'kcachegrind did not open %s\n' "$file" >&2
	exit 1
}
xdotool windowsize --sync "$window" 1600 1000
sleep 2
import -window root "$picture"
