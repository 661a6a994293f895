#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Where a program can start threads, every table with numbers of calls says that these are lower bounds, and what
# counting them took is stated as one, too.
. "$GPROFX_SOURCE/tests/cli/lib.sh"
need python3

python3 - <<'END' || fail 'nothing was made'
from profiled import Program
def write(name, functions, calls):
    program = Program(['main', 'work'] + functions)
    program.image.symbol('mcount', 0, 0, section=0)
    program.image.libraries(['libc.so.6'])
    open(name, 'wb').write(program.bytes())
    open(name + '.out', 'wb').write(program.profile({'work': 300}, [('main', 'work', calls)]).bytes())
    open(name + '.alone', 'wb').write(program.profile({'work': 300}).bytes())
write('threads', ['pthread_create'], 400000000)
write('single', [], 400000000)
END
note='Calls are lower bounds if several threads ran: this program can start threads.'

# notes: how many times the last output says it.
notes() {
	grep -cF "$note" out
}
for option in --explain --no-findings; do
	expect_status 0 "$GPROFX" -b $option threads threads.out
	[ "$(notes)" -eq 2 ] || fail 'not once in each table'
	for table in -p -q '-p -T' '-q -T' '-p --set=flat.account=false' --entry=work; do
		# shellcheck disable=SC2086
		expect_status 0 "$GPROFX" -b $option $table threads threads.out
		[ "$(notes)" -eq 1 ] || fail "not once: $table"
	done
	for words in 'threads threads.alone' 'single single.out' '--gnu threads threads.out' '--correct=none threads threads.out'; do
		# shellcheck disable=SC2086
		expect_status 0 "$GPROFX" -b -p $option $words
		expect_not_in out 'threads'
	done
done

# It stands where programs that read the tables do not look: behind the flat profile's rows and an empty line, and
# before the headings of the call graph.
expect_status 0 "$GPROFX" -b -p --no-findings --set=flat.account=false threads threads.out
[ -z "$(tail -n 2 out | head -n 1)" ] || fail 'no empty line'
expect_status 0 "$GPROFX" -b -q --no-findings threads threads.out
sed '/^index % time/,$d' out | grep -qF "$note" || fail 'not above the headings'
on_terminal 0 40x24 TERM=dumb -- "$GPROFX" -b -q --no-findings threads threads.out
sed '/^index % time/,$d' out >head
expect_in head 'Calls are lower bounds if several'

# It is next to the table, before the account, whose explanation does not claim more.
expect_status 0 "$GPROFX" -p --no-findings threads threads.out
sed -n '/^Where the /q;p' out >table
expect_in table "$note"
expect_in out 'Calls are counted, but not all that several threads made at the same time.'
expect_not_in out 'Calls are counted exactly'
expect_status 0 "$GPROFX" -p --no-findings single single.out
expect_in out 'Calls are counted exactly, unless the program has threads.'

# What counting takes: at least so much, and many times that if threads wait for each other.
expect_status 0 "$GPROFX" -b --explain threads threads.out
expect_in err 'counting 400 million calls took 1.20 s or more (with threads, many times that), which is not in the 3.00 s'
tr '\n' ' ' <err | tr -s ' ' >words
expect_in words 'that is 1.20 s, and if several threads ran, 3 to 20 times as much,'
expect_status 0 "$GPROFX" -b --explain single single.out
expect_in err 'counting 400 million calls took 1.20 s or more, which is not in the 3.00 s'
expect_not_in err threads

# Of time that was not sampled, so many counted calls can be the cause if threads took turns.
expect_status 0 "$GPROFX" -b --cpu-time=27 threads threads.out
expect_in err 'since counting so many calls takes time'
expect_status 0 "$GPROFX" -b --cpu-time=27 single single.out
expect_in err 'link with -static to sample time in libraries'
