#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# gcov.*: files of gcov, plain and compressed, alone and beside a profile; sums over files; which function is
# which; and what is reported about damaged files.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
need python3

python3 - <<-'END' || fail 'cannot write the files'
	from elfimage import GLOBAL, LOCAL
	from gcovfile import Source, gcov_document, packed
	from profiled import Program
	program = Program(['main', 'work', '~local', 'idle'])
	program.lines({'main': [(0, 10)], 'work': [(0, 20)], 'local': [(0, 30)], 'idle': [(0, 40)]},
	              'a.c', '/src')
	open('program', 'wb').write(program.bytes())
	profile = program.profile({'main': 10, 'work': 30}, [('main', 'work', 7), ('main', 'idle', 2)])
	open('gmon.out', 'wb').write(profile.bytes())
	open('samples', 'wb').write(program.profile({'main': 10, 'work': 30}).bytes())
	def save(name, data):
	    open(name, 'wb').write(data)
	a = Source('a.c', {10: 1, 11: 7, 20: 7, 21: 0, 22: 1 << 40, 30: 3},
	           [('main', 10, 12, 1), ('work', 20, 23, 7), ('local', 30, 31, 3)])
	b = Source('../src/./b.h', {5: 4, 6: 8}, [('inlined', 5, 6, 4)])
	first, second = gcov_document([a, b]), gcov_document([b], '/src/deep/')
	save('plain', first)
	save('packed', packed(first))
	save('members', packed(first[:100]) + packed(first[100:]))
	save('second', second)
	save('spaces', first.replace(b': ', b' :\n').replace(b', "', b' ,\t"'))
	save('version2', gcov_document([a, b], version='2'))
	save('twice', gcov_document([Source('a.c', {10: 1}), Source('./a.c', {10: 2})]))
	save('nothing', gcov_document([]))
	# Damage.
	save('cut', first[:-30])
	save('tail', first + b'x')
	save('version3', gcov_document([a], version='3'))
	save('noversion', first.replace(b'"format_version": "1", ', b''))
	save('nofiles', first.replace(b'"files"', b'"filed"'))
	save('noname', first.replace(b'"file": "a.c"', b'"fill": "a.c"'))
	save('emptyname', first.replace(b'"file": "a.c"', b'"file": ""'))
	save('negative', first.replace(b'"count": 7', b'"count": -7'))
	save('huge', first.replace(b'"count": 7', b'"count": 99999999999999999999'))
	save('real', first.replace(b'"count": 7', b'"count": 7.0'))
	save('nocount', first.replace(b'"count": 7, ', b''))
	save('line0', first.replace(b'"line_number": 20', b'"line_number": 0'))
	save('line33', first.replace(b'"line_number": 20', b'"line_number": 4294967296'))
	save('noend', first.replace(b'"end_line": 12', b'"end_lime": 12'))
	save('functionname', first.replace(b'"name": "work"', b'"name": 5'))
	save('row', first.replace(b'"lines": [{', b'"lines": [5, {', 1))
	save('comma', first.replace(b'}, {', b'} {', 1))
	save('colon', first.replace(b'"files": ', b'"files" '))
	save('quote', first.replace(b'"work"', b'"wo\nrk"'))
	save('latin', first.replace(b'"work"', b'"w\xf6rk"'))
	save('deep', first.replace(b'"branches": []', b'"branches": ' + b'[' * 100000, 1))
	save('long', first.replace(b'"branches": []', b'"branches": [' + b'5,' * 2500000 + b'5]', 1))
	data = packed(first)
	save('short', data[:-9])
	save('garbage', data + b'garbage')
	save('flipped', data[:-6] + bytes([data[-6] ^ 255]) + data[-5:])
	save('bomb', packed(b'{"gcc_version": "' + b' ' * 50000000 + b'"}'))
END

# counts FILE...: what -l -C shows, in the file counts.
counts() {
	expect_status 0 "$GPROFX" -b -l -C "$@"
	expect_undiagnosed
	cp out counts
}

# Lines, by file and number, whatever the form of the file; those that did not run only with -z.
cat >expected <<-'END'
	/src/a.c:10: 1 executions
	/src/a.c:11: 7 executions
	/src/a.c:20: 7 executions
	/src/a.c:22: 1099511627776 executions
	/src/a.c:30: 3 executions
	/src/b.h:5: 4 executions
	/src/b.h:6: 8 executions
END
for file in plain packed members spaces version2; do
	counts program $file
	expect_same expected counts
	"$GPROFX" -b -l -C -O gcov program - <$file >counts 2>err || fail "$file is not read from standard input"
	expect_same expected counts
done
counts -z program packed
expect_match counts '^/src/a.c:21: 0 executions$'
# A function that was not counted keeps its calls, in its place.
counts program gmon.out packed
sed '/30: /a /src/a.c:40: (idle:0x401300) 2 executions' expected >merged
expect_same merged counts
counts program packed gmon.out
expect_same merged counts
# Sums: the same file again, the same source from elsewhere, the same path in two spellings.
counts program plain packed
expect_match counts '^/src/a.c:22: 2199023255552 executions$'
counts program plain second
expect_match counts '^/src/b.h:6: 8 executions$'
expect_match counts '^/src/src/b.h:6: 8 executions$'
counts program twice
[ "$(cat counts)" = '/src/a.c:10: 3 executions' ] || fail 'spellings of a path are distinguished'

# Functions: with the count of the source in place of calls; one without a symbol has no address.
cat >expected <<-'END'
	/src/a.c:10: (main:0x401000) 1 executions
	/src/a.c:20: (work:0x401100) 7 executions
	/src/a.c:30: (local:0x401200) 3 executions
	/src/b.h:5: (inlined) 4 executions
END
expect_status 0 "$GPROFX" -b program packed
expect_undiagnosed
expect_same expected out
expect_not_in err 'finding['
expect_status 0 "$GPROFX" -b -C program gmon.out packed
sed '/local/a /src/a.c:40: (idle:0x401300) 2 executions' expected >merged
expect_same merged out
expect_not_in err 'finding[calls.source-differs]'
expect_status 0 "$GPROFX" -b -C program gmon.out packed plain
expect_match out 'work:0x401100. 14 executions$'
expect_in err 'finding[calls.source-differs]'
# Beside samples alone, which are reported as they are.
expect_status 0 "$GPROFX" -b -C program samples packed
expect_same expected out
expect_status 0 "$GPROFX" -b program samples
cp out without
expect_status 0 "$GPROFX" -b program packed samples
expect_same without out
# The other tables are not touched.
for listing in -p -q '-l -p'; do
	expect_status 0 "$GPROFX" -b $listing program gmon.out
	cp out without
	expect_status 0 "$GPROFX" -b $listing program gmon.out packed
	expect_same without out
done
# Symspecs select functions and the lines within them.
expect_status 0 "$GPROFX" -b -Cwork program packed
[ "$(cat out)" = "$(grep work expected)" ] || fail 'not just the function that was asked for'
expect_status 0 "$GPROFX" -b -l -Cwork program packed
[ "$(cut -d: -f2 out | tr '\n' ' ')" = '20 22 ' ] || fail 'not just its lines'
expect_status 0 "$GPROFX" -b -l -Zwork program packed
[ "$(cut -d: -f2 out | tr '\n' ' ')" = '10 11 30 5 6 ' ] || fail 'not all other lines'

# What the files are.
expect_status 0 "$GPROFX" -i program gmon.out plain packed
expect_match out '^  format      gcov, version 1$'
expect_match out '^  format      gcov, compressed, version 1$'
expect_match out '^  source      8 lines in 2 files; 7 of them \(87.50%\) ran; 4 functions$'
expect_match out '^  samples     40, 0.40 seconds; all of them in known functions; 40 in each file$'
expect_status 0 "$GPROFX" -i program nothing
expect_match out '^  format      gcov, version 1$'
expect_status 0 "$GPROFX" --output=csv --output-option=csv.table=lines program packed
[ "$(sed -n 2p out | tr -d '\r')" = '"/src/a.c",10,1' ] || fail 'not the first line'
expect_status 1 "$GPROFX" --output=csv --output-option=csv.table=lines program gmon.out
expect_in err 'error[report.no-line-counts]'

# They are of no single run, and a sum has no place for them.
expect_status 0 "$GPROFX" -b --per-file program gmon.out gmon.out
cp out without
expect_status 0 "$GPROFX" -b --per-file program gmon.out packed gmon.out
expect_same without out
expect_status 1 "$GPROFX" --sum=sum program gmon.out packed
expect_match err '^gprofx: error\[sum.source-counts\]: sum: the format cannot store source counts, which 2 files have'
[ ! -e sum ] || fail 'a sum was written'
expect_status 1 "$GPROFX" -b -l -C --keep-going program cut packed
expect_in err 'error[gcov.bad-json]'
cp out kept
counts program packed
expect_same counts kept

# In GNU mode they are no profiles.
expect_status 1 "$GPROFX" --gnu program plain
expect_not_in err gcov.

# damaged FILE ID PLACE TEXT: the file is refused; PLACE is empty, or ":0x" for any offset.
damaged() {
	expect_status 1 "$GPROFX" -b -C program "$1"
	sed -E 's/:0x[0-9a-f]+: /:0x: /' err >said
	expect_in said "gprofx: error[$2]: $1$3: $4"
	expect_match err '^  hint: .'
	[ "$(grep -c 'error\[' err)" -eq 1 ] || fail 'more than one error'
	expect_empty out
}

damaged cut gcov.bad-json ':0x' "expected"
damaged tail gcov.bad-json ':0x' "expected the end of the text, found 'x'"
damaged version3 gcov.bad-version ':0x' 'expected version "1" or "2" of the format'
damaged noversion gcov.bad-value ':0x' 'expected a member "format_version", found none'
damaged nofiles gcov.bad-value ':0x' 'expected a member "files", found none'
damaged noname gcov.bad-value ':0x' 'expected a file with its name'
damaged emptyname gcov.bad-value ':0x' 'expected a text'
damaged negative gcov.bad-value ':0x' 'expected a whole number as count, found an impossible one'
damaged huge gcov.bad-value ':0x' 'expected numbers below 2^63'
damaged real gcov.bad-value ':0x' 'expected a whole number as count, found something else'
damaged nocount gcov.bad-value ':0x' 'expected a whole number as count, found none'
damaged line0 gcov.bad-value ':0x' 'expected a whole number as line_number'
damaged line33 gcov.bad-value ':0x' 'expected a whole number as line_number'
damaged noend gcov.bad-value ':0x' 'expected a whole number as end_line, found none'
damaged functionname gcov.bad-value ':0x' 'expected a text as the name'
damaged row gcov.bad-value ':0x' 'expected an object'
damaged comma gcov.bad-json ':0x' "expected ',' or ']', found '{"
damaged colon gcov.bad-json ':0x' "expected ':', found '["
damaged quote gcov.bad-json ':0x' 'expected'
damaged latin gcov.bad-json ':0x' 'expected UTF-8'
damaged deep gcov.bad-json ':0x' 'expected less deeply nested values'
damaged long gcov.large-value ':0x' 'expected a value of at most 1048576 bytes'
damaged short gcov.bad-gzip ':0x' 'expected compressed data, found the end of the file'
damaged garbage gcov.bad-gzip ':0x' 'expected compressed data, found other data after it'
damaged flipped gcov.bad-gzip ':0x' 'expected compressed data'
damaged bomb gcov.too-large ':0x' 'expected at most'
expect_status 1 "$GPROFX" -b -C program line0
expect_match err "^gprofx: error\\[gcov.bad-value\\]: line0:0x$(printf %x "$(grep -bo '"line_number": 0' line0 |
	head -n 1 | cut -d: -f1 | awk '{ print $1 - 29 }')"): "
# In the text of a compressed file the place is given in words.
python3 -c 'from gcovfile import packed; open("inside", "wb").write(packed(open("line0", "rb").read()))'
damaged inside gcov.bad-value '' 'expected a whole number as line_number at byte'
