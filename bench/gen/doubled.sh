#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# doubled.sh TIMES PROGRAM [LIBRARY...] -- OBJECT-OR-ARCHIVE...
#
# Links what a program is made of into PROGRAM several times over: in each copy but the first all global names
# are changed.  For programs of real code that have to be larger than they are.
set -e

times=$1
program=$2
shift 2
libraries=
while [ $# -gt 0 ] && [ "$1" != -- ]; do
	libraries="$libraries $1"
	shift
done
[ $# -gt 1 ] || {
	echo "usage: doubled.sh TIMES PROGRAM [LIBRARY...] -- OBJECT-OR-ARCHIVE..." >&2
	exit 2
}
shift

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
ld -r -o "$folder/1.o" --whole-archive "$@"
i=2
while [ "$i" -le "$times" ]; do
	nm --defined-only -g "$folder/1.o" | awk -v i="$i" 'NF == 3 {print $3, $3 "_" i}' \
		>"$folder/names"
	objcopy --redefine-syms="$folder/names" "$folder/1.o" "$folder/$i.o"
	i=$((i + 1))
done
# shellcheck disable=SC2086
${CC:-cc} -no-pie -o "$program" "$folder"/*.o $libraries
