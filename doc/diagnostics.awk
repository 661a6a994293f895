# SPDX-License-Identifier: Apache-2.0
#
# Puts the diagnostics of all manual pages together: the body of gprofx-diagnostics(7).
#
#   awk -f doc/diagnostics.awk doc/gprofx-diagnostics.7.in PAGE... >gprofx-diagnostics.7
#
# In the section DIAGNOSTICS or FINDINGS of a page each is an ".It Li NAME"; those without a text share that of
# the next one. The line "@diagnostics@" of the first file is where they go, in alphabetical order.

FNR == 1 { file++; section = ""; title = ""; titles = ""; names = 0; open = 0 }
file == 1 { template[++template_lines] = $0; next }
/^\.Dt / { page = tolower($2) " " $3; next }
/^\.Sh / { finish(); section = $2; next }
section != "DIAGNOSTICS" && section != "FINDINGS" { next }
/^\.It Li [a-z0-9]+\.[a-z0-9-]+$/ {
	if (text != "")
		finish()
	waiting[++names] = $3
	next
}
/^\.(It|El|Ss|Pp)/ { finish(); next }
names > 0 {
	# Sections of the page that the text is taken from.
	sub(/^\.Sx /, ".Em ")
	text = text $0 "\n"
}

function finish(    i) {
	for (i = 1; i <= names; i++) {
		if (!(waiting[i] in meaning))
			order[++count] = waiting[i]
		meaning[waiting[i]] = text
		origin[waiting[i]] = page
	}
	names = 0
	text = ""
}

function print_all(    i, k, moved) {
	for (i = 2; i <= count; i++) {
		moved = order[i]
		for (k = i; k > 1 && order[k - 1] > moved; k--)
			order[k] = order[k - 1]
		order[k] = moved
	}
	for (i = 1; i <= count; i++)
		printf ".It Li %s\n%s.Pq Xr %s\n", order[i], meaning[order[i]], origin[order[i]]
}

END {
	finish()
	for (line = 1; line <= template_lines; line++)
		if (template[line] == "@diagnostics@")
			print_all()
		else
			print template[line]
}
