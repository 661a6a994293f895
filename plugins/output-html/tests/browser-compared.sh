#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The page of a comparison in Chromium: rows that differ and, if asked for, the others; both sides of callers and callees;
# the flame graph; names that are markup stay text. Starts the browser seven times.
. "$GPROFX_SOURCE/plugins/output-html/tests/lib.sh"

PYTHONPATH=$GPROFX_SOURCE/tests/tools python3 -c 'import comparedcases; comparedcases.write()' || fail 'no profiles were made'
mkdir 'a<' && cp base 'a</script><img src=x onerror=alert(1)>'
"$GPROFX" diff --no-findings --output=html:page.html program 'a</script><img src=x onerror=alert(1)>' after 2>messages ||
	fail "gprofx: $(cat messages)"
"$GPROFX" diff --no-findings --output=html:stacks.html stacks slower 2>messages || fail "gprofx: $(cat messages)"
"$GPROFX" diff --no-findings --output=html:builds.html --base-image=before then earlier later 2>messages ||
	fail "gprofx: $(cat messages)"

# text: the text of the page in one line, with a blank between elements.
text() {
	tr '\n' ' ' <dom | sed 's/<script.*//; s/.*<div id="app">//; s/<[^>]*>/ /g; s/&nbsp;/ /g; s/\xc2\xa0/ /g; s/  */ /g'
}

# has TEXT...: the page has these texts.
has() {
	text >text
	for words in "$@"; do
		grep -qF -- "$words" text || fail "the page lacks \"$words\""
	done
}

# lacks TEXT...: it does not.
lacks() {
	text >text
	for words in "$@"; do
		! grep -qF -- "$words" text || fail "the page has \"$words\""
	done
}

# Estimates are marked everywhere, and their paths have the colors of tested values.
look ''
has '26 functions · 2 others without a difference that can be shown' '30.000 15.000 −15.000 1.315 0.500 faster work ~30.000 ~15.000 ~−15.000' \
	'1.230 3.460 +2.230 0.424 2.813 slower café' 'Estimate. A side has no call paths' 'less in self, up to'
grep -q '<option value="function">' dom || fail 'there is no choice of colors'
lacks ' none shown same ' 'more, up to'
look 'all=1&q=same'
has '1 function ' '5.000 5.100 +0.100' ' none shown same '
node=$(grep -o 'href="#f=[0-9]*"[^>]*>work<' dom | sed 's/[^0-9]*\([0-9]*\).*/\1/' | head -n 1)
look "color=path&f=$node"
lacks 'chance explains'
has 'self: 30.000 s → 15.000 s , −15.000 s (95 %: −16.315 to −13.685 s), faster' 'total: ~30.000 s → ~15.000 s' \
	'called by ~30.000 ~15.000 ~−15.000 0.500 10 20 main ~30.000' 'calls: none known' 'not tested: the error is not known'
look 'sort=name&q=/^[%20!%23$]/'
names=$(grep -o 'class="name"[^>]*>[^<]*' dom | sed 's/.*>//' | head -n 4 | tr '\n' '_')
[ "$names" = ' edges _![a](b)_#1_$x$_' ] || fail "the table is sorted in another order: $names"

# Measured paths: tested, and neutral where chance explains the difference.
look 'f=0' stacks.html
has 'total: 2.000 s → 4.000 s , +2.000 s' 'chance explains the difference' 'more, up to 2.000 s'
lacks '~' 'less, up to' 'Estimate.'
shows flame '<canvas'
look 'width=larger&zoom=2' stacks.html
has 'Widths are the larger side' 'Show all'

# What only one side has, and what has another name.
look 'width=new' builds.html
has 'Paths that only the base has take 2.000 s of it' 'renamed (was called)' 'added (only in the new profile)' 'gone (only in the base)'
