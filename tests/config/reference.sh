#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# config/gprofx.yaml shows every setting there is, those of plugins included, with the default that it
# has in the tables of the program, each explained by a comment; read as it stands it changes nothing.
. "$GPROFX_SOURCE/tests/config/lib.sh"

file="$GPROFX_SOURCE/config/gprofx.yaml"
# A plugin is left out where its library is not there.
for plugin in "$GPROFX_SOURCE"/plugins/*/plugin.yaml; do
	plugin=$(basename "$(dirname "$plugin")")
	"$GPROFX" --list-plugins | grep -q "^$plugin " || skip "$plugin was not built"
done
# Two blanks for each level, one key on each line.
awk '/^ *(#|$)/ { next }
	{ depth = (match($0, /[^ ]/) - 1) / 2; key = $1; sub(/:$/, "", key); path[depth] = key
	  value = $0; sub(/^[^:]*:/, "", value)
	  if (value == "") next
	  whole = path[0]; for (i = 1; i <= depth; i++) whole = whole "." path[i]
	  print whole ":" value }' "$file" | sort >in-file
expect_status 0 "$GPROFX" --list-settings
expect_empty err
sed -n 's/^[^ ]/&/p' out | sort >in-program
[ "$(wc -l <in-program)" -gt 10 ] || fail 'hardly any settings are listed'
diff in-program in-file >out || fail 'settings of the program only (<) or of config/gprofx.yaml only (>)'

# Each value has a comment right above it, which starts a new block for each key.
awk '/^ *#/ { comment = 1; next } /: ./ && !comment { print FNR ": " $0; bad = 1 } { comment = 0 }
	END { exit bad }' "$file" >out || fail 'settings without a comment'

# The same bytes with and without the file, in several forms of report.
for options in '' -b '-T' '-p -z' '-q -w 40' -C '-b --no-demangle' '--inline-file-names -L'; do
	# shellcheck disable=SC2086
	expect_same_as --no-config $options -- --config="$file" $options
	# shellcheck disable=SC2086
	expect_same_as --no-config $options -- --no-config --config="$file" $options
done
cp "$file" "$user"
expect_same_as --no-config --
# The values are the defaults also where nothing would show it.
"$GPROFX" --no-config --list-corrections >expected
"$GPROFX" --list-corrections >out
expect_same expected out
