#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A comparison as a profile of pprof: the base below 0, with the label by which "go tool pprof" knows it, so that it shows
# differences in percent of the base.
. "$GPROFX_SOURCE/tests/cli/lib.sh"
need python3
python3 -c 'import comparedcases; comparedcases.write()' || fail 'no profiles were made'

# compared NAME WORD...: such a file, NAME.pb.gz.
compared() {
	local name=$1
	shift
	expect_status 0 "$GPROFX" diff --no-findings "--output=pprof:$name.pb.gz" "$@"
	expect_undiagnosed
	expect_empty out
}
compared one program base after
compared runs before runs faster
compared stacks stacks slower
compared flat --output-option=pprof.flat=true program base after

python3 - <<'END' || fail 'the file says something else'
import collections
import comparedcases as cases
from pprofreader import Pprof

def sums(name, index):
    """Of each leaf, what the base and the new side have."""
    p, found = Pprof(name + '.pb.gz'), collections.defaultdict(lambda: [0, 0])
    for frames, values in p.samples:
        found[p.names(frames)[0]][values[index] >= 0] += values[index]
    return p, found

p, one = sums('one', 1)
assert ['/'.join(t) for t in p.types] == ['samples/count', 'cpu/nanoseconds'], p.types
assert any(c.startswith('61.3 % ± 5.1 % slower') for c in p.comments) and 'Profile: base' in p.comments, p.comments
assert one['work'] == [-30 * 10**9, 15 * 10**9], one['work']
assert sum(base for base, _ in one.values()) == -round(sum(cases.BASE.values()) / 100 * 1e9)
assert sum(new for _, new in one.values()) == round(sum(cases.AFTER.values()) / 100 * 1e9)
_, runs = sums('runs', 1)
assert runs['called'] == [-4080000000, 2920000000], runs
_, stacks = sums('stacks', 1)
assert sum(base for base, _ in stacks.values()) == -6 * 10**9 and sum(new for _, new in stacks.values()) == 8 * 10**9
p, flat = sums('flat', 0)
assert p.types[0] == ('calls', 'count') and flat['work'] == [-10, 20], (p.types, flat['work'])
END

# The consumer, where it is installed.
if command -v go >/dev/null && go tool pprof -h >/dev/null 2>&1; then
	expect_status 0 go tool pprof -top -nodecount=2000 stacks.pb.gz
	expect_match out '^Showing nodes accounting for 2s, 33\.33% of 6s total'
	expect_status 0 go tool pprof -top -nodecount=2000 one.pb.gz
	expect_match out '^ +-15s .* work$'
fi

# The reader of this format leaves out what is below 0, and says so.
expect_status 0 "$GPROFX" -b -p one.pb.gz
expect_in err '[pprof.negative'
