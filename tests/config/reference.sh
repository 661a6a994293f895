#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# gprofx.yaml, as it is installed, shows every setting there is, those of plugins included, with the default that
# it has in the tables of the program, each explained by a comment; read as it stands it changes nothing.
# gprofx-config(5) has all but those of plugins. What a row of the table alone tells is added to both.
. "$GPROFX_SOURCE/tests/config/lib.sh"

file="$GPROFX_BUILD/gprofx.yaml"
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
diff in-program in-file >out || fail 'settings of the program only (<) or of gprofx.yaml only (>)'

# Each value has a comment right above it, which starts a new block for each key.
awk '/^ *#/ { comment = 1; next } /: ./ && !comment { print FNR ": " $0; bad = 1 } { comment = 0 }
	END { exit bad }' "$file" >out || fail 'settings without a comment'

sed -nE 's/^(([a-z-]+\.)?([a-z-]+)): .*/\3 \2/p' in-program | sed '/ \(corrections\|options\)\.$/d; s/ .*//' |
	sort -u >words
[ "$(wc -l <words)" -gt 20 ] || fail 'hardly any keys were found'
while read -r word; do
	grep -qx "\.It Cm $word" "$GPROFX_BUILD/gprofx-config.5" || fail "gprofx-config(5) does not have $word"
done <words

# A row more, with and without an option, and a setting more of a plugin.
{
	sed '/^#undef/d' "$GPROFX_SOURCE/engine/settings.def"
	cat <<-'END'
		ENGINE_KEY(NEW_TEXT, const char *, new_text,
		           KEY("symbols", "new-text", TEXT, "", "what \"N\" is: \\x"
		               " and more"))
		ENGINE_OPTION(NEW_NUMBER, uint32_t, new_number,
		              KEY(NULL, "new-number", RANGE(1, 7), "3", "how many"),
		              OPTION("new-number", VALUE("N", "a hint"), OTHER, "N of them"))
	END
} >settings.def
mkdir output-new
printf '%s\n' '# About this file.' 'output-new:' '  # What it is.' '  new: 1' >output-new/settings.yaml
complete() {
	run awk -f "$GPROFX_SOURCE/doc/settings.awk" settings.def output-new/settings.yaml "$GPROFX_SOURCE/$1"
	[ "$status" -eq 0 ] || fail "$1 cannot be completed"
	diff "$2" out | sed -n 's/^[<>]/&/p' >changes
}
complete config/gprofx.yaml "$file"
expect_in changes '> # How many. As --new-number.'
expect_in changes '> new-number: 3'
expect_in changes '>   # What "N" is: \x and more.'
expect_in changes '>   new-text: ""'
expect_in changes '>   output-new:'
expect_in changes '>     new: 1'
expect_not_in changes 'About this file'
complete doc/gprofx-config.5 "$GPROFX_BUILD/gprofx-config.5"
printf '> %s\n' '.It Cm new-number' 'How many.' As '.Fl -new-number .' '.It Cm new-text' 'What "N" is: \ex and more.' |
	diff - changes >&2 || fail 'other rows in gprofx-config(5)'
echo 'ENGINE_KEY(A, bool, a, KEY("newer", "a", TRUTH, "true", "b"))' >>settings.def
run awk -f "$GPROFX_SOURCE/doc/settings.awk" settings.def "$GPROFX_SOURCE/config/gprofx.yaml"
[ "$status" -eq 1 ] || fail 'a section that no page has is not told about'
expect_match err 'no "@settings newer" for a$'

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
