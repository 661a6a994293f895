#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Every reader under libFuzzer with the address sanitizer, each beginning with its seeds.
#
#   guided.sh BUILD [--seed N] [--count SECONDS]
#
# --count: seconds for each reader; 40 by default.
set -uo pipefail

seconds=40 seed=1
shift
while [ $# -gt 1 ]; do
	case $1 in
	--count) seconds=$2 ;;
	--seed) seed=$2 ;;
	esac
	shift 2
done
root=$GPROFX_SOURCE
cmake -S "$root" -B "$root/build-test/guided" -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo \
	'-DCMAKE_C_FLAGS_RELWITHDEBINFO=-O1 -g1 -DNDEBUG' -DCMAKE_C_COMPILER=clang -DGPROFX_BUILTIN_PLUGINS=ON \
	-DGPROFX_SANITIZE=fuzzer-no-link,address -DGPROFX_FUZZER=ON -DGPROFX_UNIT_TESTS=none >/dev/null &&
	cmake --build "$root/build-test/guided" --target fuzz.guided >/dev/null || exit 1
program=$root/build-test/guided/tests/programs/fuzz.guided
scratch=$(mktemp -d "${TMPDIR:-/tmp}/gprofx-guided.XXXXXX") || exit 1
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/seeds"
cd "$scratch/seeds" || exit 1
PYTHONPATH=$PYTHONPATH:$root/tests/fuzz python3 -c 'import seeds; seeds.write(".")' || exit 1
cd "$scratch" || exit 1

# one READER: what it does with what libFuzzer makes of its seeds.
one() {
	local reader=$1
	mkdir "$scratch/$reader" "$scratch/$reader-found"
	cp seeds/"$reader",* "$scratch/$reader" || return
	set -- seeds/"$reader",*
	GPROFX_FUZZ_SEED=$1 ASAN_OPTIONS=detect_leaks=0 "$program" -seed="$seed" -max_total_time="$seconds" \
		-timeout=20 -rss_limit_mb=2048 -max_len=65536 -artifact_prefix="$scratch/$reader-found/" \
		-print_final_stats=1 "$scratch/$reader" >"$scratch/$reader.log" 2>&1
}
export -f one
export scratch program seed seconds
printf '%s\n' seeds/*,* | sed 's|seeds/||; s|,.*||' | sort -u >readers
# shellcheck disable=SC2016
xargs -P "$(nproc)" -I READER bash -c 'one READER && echo READER >>passed || echo READER >>failed' <readers
while read -r reader; do
	printf '%-14s %s inputs\n' "$reader" "$(sed -n 's/^stat::number_of_executed_units: *//p' "$reader.log")"
done <readers
failed=0
[ ! -s failed ] || failed=$(wc -l <failed)
for reader in $(cat failed 2>/dev/null); do
	printf '== %s\n' "$reader"
	grep -aE '^(==|SUMMARY|ALARM)' "$reader.log" | head -n 5
	for file in "$reader"-found/*; do
		[ ! -s "$file" ] || { printf '%s in base64: ' "${file##*/}"; base64 -w 0 "$file" | head -c 2000; echo; }
	done
done
printf 'guided: %s passed, %s failed\n' "$(wc -l <passed)" "$failed"
[ "$failed" -eq 0 ]
