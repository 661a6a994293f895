#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Self and inclusive values of both sides are those of the JSON report, as callgrind_annotate shows them and gprofx reads
# them, also where sides have cycles, no calls, or other kinds of profiles. Takes about three seconds.
. "$GPROFX_SOURCE/tests/tools/compared.sh"
need python3
"$GPROFX" --list-plugins | grep -cE '^(output-json|input-callgrind) ' | grep -qx 2 || skip 'plugins are not installed'
python3 -c 'import comparedcases; comparedcases.write(); comparedcases.write_cycles()' || fail 'no profiles were made'

# compared NAME WORD...: the comparison in the format of callgrind, and as JSON.
compared() {
	compared_as callgrind "$@"
}
compared one program base after
compared shares --normalize=total program base after
compared builds --base-image=before then earlier later
compared runs before runs faster
compared stacks stacks slower
compared folded old.folded new.folded
# Stacks of the program whose base has none.
sed "s/deep/leaf/; s/middle/called/; s/flat/gone/; s,/bin/p,$PWD/before," slower >stacked
compared mixed before earlier stacked
compared cycle prog cycle more
compared calls --normalize=calls prog cycle more
compared silent prog silent more

cat >check.py <<'END'
import json
import os
import re
import shutil
import subprocess
import sys

def annotated(path, event, inclusive):
    """{function: value} of an event, as callgrind_annotate shows it."""
    words = ['callgrind_annotate', '--auto=no', '--threshold=100', '--show-percs=no', '--sort=' + event, '--show=' + event]
    done = subprocess.run(words + ['--inclusive=yes'] * inclusive + [path], capture_output=True, text=True, check=True, encoding='utf-8')
    assert not done.stderr and 'WARN' not in done.stdout, done
    rows = re.findall(r'(?m)^ *([\d,]+) +[^:\n]*:(.*) \[[^]\n]*\]$', done.stdout.split('file:function')[1])
    return {name: int(value.replace(',', '')) for value, name in rows}

def read_back(path, event):
    """{function: (self, total)} of an event, as gprofx reads it."""
    done = subprocess.run([os.environ['GPROFX'], '--no-findings', '--metric=' + event, '--output=json', path], capture_output=True, check=True)
    report = json.loads(done.stdout)
    assert len(report['metrics']) == 2, report['metrics']
    return {f['raw_name']: (f['self_ticks'], f['total_ticks']) for f in report['functions']}

def file_name(function):
    """The name in the file: it has no blanks at its ends, nothing that is not printable, and ends in no object."""
    name = re.sub(r'[\x00-\x1f]', lambda m: '\\x%02x' % ord(m[0]), function['name'])
    return '_' * (len(name) - len(name.lstrip(' '))) + name.strip(' ') + '_' * (len(name) - len(name.rstrip(' ')))

for name in sys.argv[1:]:
    report, path = json.load(open(name + '.json')), name + '.callgrind'
    text = open(path, encoding='utf-8').read()
    events = re.search('(?m)^events: (.*)', text)[1].split()
    times = report['metric']['unit'] == 'seconds'
    assert len(events) == 2, events
    assert 'desc: Comparison: ' + report['summary']['sentence'] in text
    estimated = report['summary']['estimates_totals']
    assert ('are estimates' in text, 'measured from call stacks' in text) == (estimated, not estimated), name
    for side, event in zip(('base', 'new'), events):
        own, whole = (annotated(path, event, inclusive) for inclusive in (False, True)) if shutil.which('callgrind_annotate') else ({}, {})
        again = read_back(path, event)
        for function in report['functions']:
            key = file_name(function)
            wanted = [function[kind][side] for kind in ('self', 'total')]
            wanted = [None if value is None else value * (1e8 if times else 1) for value in wanted]
            # Readers see the whole cycle where it is entered.
            entered = function['name'] == 'odd'
            for found in ([own.get(key, 0), whole.get(key, 0)] if own else None), again.get(key, again.get(key.removesuffix(' (p)'), (0, 0))):
                assert not found or abs(found[0] - wanted[0]) <= 1, (name, event, key, found, wanted)
                assert not found or wanted[1] is None or entered or abs(found[1] - wanted[1]) <= 8, (name, event, key, found, wanted)
END
python3 check.py one shares builds runs stacks folded mixed cycle calls silent || fail 'readers find something else'

# A call has one number: that of a run of the new side, or of the base.
# call FILE CALLEE: the line of the first call of it.
call() {
	grep -A1 "^cfn=([0-9]*) $2\$" "$1" | tail -n 1
}
expect_in builds.callgrind 'desc: Note: numbers of calls are those of a run of the new side, or of the base where it has none'
[ "$(call builds.callgrind gone)" = 'calls=1 0' ] || fail 'the call of the base is missing'
[ "$(call one.callgrind work)" = 'calls=20 12' ] || fail 'the calls are not those of the new side'
[ "$(call runs.callgrind called)" = 'calls=10 12' ] || fail 'the calls are not those of one run'
expect_not_in stacks.callgrind 'numbers of calls are'
expect_in stacks.callgrind 'calls=1 stands for unknown numbers'

# What is said of both sides is so of both.
expect_in silent.callgrind 'desc: Note: the base has no calls: only its self costs are known'
# Nothing but what main calls is added to its self costs.
expect_not_in silent.callgrind 'cfn=(1)'
expect_not_in cycle.callgrind 'has no calls'
expect_not_in cycle.callgrind '<spontaneous>'
expect_not_in cycle.callgrind 'calls=1 stands for unknown numbers'
expect_match cycle.callgrind '^desc: Note: within cycles, '

# Where calls were measured as a whole, those that are part of others are apart on both sides.
printf 'events: Ir\nfn=main\n0 10\ncfn=f\ncalls=2 0\n0 %d\nfn=f\n0 60\ncfn=g\ncalls=3 0\n0 90\nfn=g\n0 %d\ncfn=f\ncalls=4 0\n0 80\n' \
	100 40 >measured
sed 's/^0 100$/0 130/; s/^0 40$/0 70/' measured >later.measured
expect_status 0 "$GPROFX" diff --no-findings --output=callgrind:whole measured later.measured
expect_in whole 'desc: Note: costs of calls are those of the profile'
[ "$(grep -A2 "^cfn=([0-9]*) f\$" whole | tail -n 1)" = '0 100 130' ] || fail 'the calls cost something else'
[ "$(grep -A2 "^cfn=([0-9]*) f'2\$" whole | tail -n 1)" = '0 80 80' ] || fail 'the calls within others cost something else'
