# SPDX-License-Identifier: Apache-2.0
#
# Makes a page about settings complete: a manual page or the file with all defaults.
#
#   awk -f doc/settings.awk engine/settings.def plugins/*/settings.yaml PAGE >COMPLETE-PAGE
#
# What a page says of a setting stays. Rows of settings.def that it says nothing of are added where a comment
# says "@settings SECTION" (without a section: at the top), as far as the settings above it are not among them.
# "@plugins" is where the settings of plugins go.

FNR == 1 {
	finish_row()
	kind = FILENAME ~ /\.def$/ ? "rows" : FILENAME ~ /\/settings\.yaml$/ ? "plugin" : "page"
	has_begun = 0
}
kind == "rows" {
	if (/^ENGINE_/)
		finish_row()
	if ($0 == "")
		finish_row()
	else if (row != "" || /^ENGINE_(KEY|OPTION)\(/) {
		sub(/^[ \t]+/, "")
		row = row $0 " "
	}
	next
}
kind == "plugin" {
	# The first comment is about the file.
	has_begun = has_begun || !/^#/
	if (has_begun)
		plugins = plugins "  " $0 "\n"
	next
}
/^ *# @settings( |$)/ { add_rows($3, "yaml"); next }
/^\.\\" @settings( |$)/ { add_rows($3, "mdoc"); next }
/^ *# @plugins$/ { printf "%s", plugins; next }
/^ *[a-z-]+:/ { key = $1; sub(/:.*/, "", key); said[key] = 1 }
/^\.It Cm [a-z-]+$/ { said[$3] = 1 }
{ print }

# The next argument of the row under way; of a string what is between the quotes.
function argument(    text, end) {
	sub(/^[ ,]+/, "", rest)
	if (rest !~ /^"/) {
		end = match(rest, /^[A-Z]+\([^)]*\)/) ? RLENGTH : index(rest, ",") - 1
		text = substr(rest, 1, end)
		rest = substr(rest, end + 1)
		return text
	}
	match(rest, /^"([^"\\]|\\.)*"/)
	text = substr(rest, 2, RLENGTH - 2)
	rest = substr(rest, RLENGTH + 1)
	gsub(/\\"/, "\"", text)
	gsub(/\\\\/, "\\", text)
	return text
}

function finish_row() {
	if (row == "")
		return
	gsub(/" +"/, "", row)
	match(row, /[ ,]KEY\(/)
	rest = substr(row, RSTART + RLENGTH)
	count++
	section[count] = argument()
	if (section[count] == "NULL")
		section[count] = ""
	word[count] = argument()
	argument()
	initial[count] = argument()
	help[count] = argument()
	if (match(row, /[ ,]OPTION\(/)) {
		rest = substr(row, RSTART + RLENGTH)
		option[count] = argument()
	}
	row = ""
}

function sentence(text) {
	return toupper(substr(text, 1, 1)) substr(text, 2) "."
}

# A comment of lines that are not too long.
function put_comment(indent, text,    words, n, i, line) {
	n = split(text, words, " ")
	line = indent "#"
	for (i = 1; i <= n; i++) {
		if (length(line) + 1 + length(words[i]) > 100) {
			print line
			line = indent "#"
		}
		line = line " " words[i]
	}
	print line
}

function put_mdoc(i,    text) {
	text = sentence(help[i])
	gsub(/\\/, "\\e", text)
	print ".It Cm " word[i]
	print text
	if (option[i] != "")
		print "As\n.Fl -" option[i] " ."
}

function put_yaml(i,    indent) {
	indent = section[i] == "" ? "" : "  "
	put_comment(indent, sentence(help[i]) (option[i] == "" ? "" : " As --" option[i] "."))
	print indent word[i] ": " (initial[i] == "" ? "\"\"" : initial[i])
}

function add_rows(of, form,    i) {
	for (i = 1; i <= count; i++) {
		if (section[i] != of)
			continue
		has_place[i] = 1
		if (word[i] in said)
			continue
		if (form == "mdoc")
			put_mdoc(i)
		else
			put_yaml(i)
	}
	split("", said)
}

END {
	for (i = 1; i <= count; i++)
		if (!has_place[i]) {
			print FILENAME ": no \"@settings " section[i] "\" for " word[i] >"/dev/stderr"
			status = 1
		}
	exit status
}
