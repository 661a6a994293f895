#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# pprof.*: profiles that are cut, damaged, too large for their size, or not what they say. Takes about 3 seconds.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
need python3

export PYTHONPATH="$GPROFX_SOURCE/tests/tools${PYTHONPATH:+:$PYTHONPATH}"
python3 -B - <<-'END' || fail 'cannot write the profiles'
	import gzip, zlib
	from pproffile import Pprof, message, number, numbers, varint

	def new():
	    return Pprof(('samples', 'count'), ('cpu', 'nanoseconds'))

	def save(name, data):
	    open(name, 'wb').write(data)

	usual = new().sample(['f', 'main'], 3, 30)
	save('usual', usual.bytes())
	save('cut', usual.bytes()[:-3])
	save('eleven', usual.bytes() + b'\x48' + b'\x80' * 10 + b'\x01')
	save('group', usual.bytes() + b'\x0b')
	save('field-0', usual.bytes() + b'\x00\x01')
	save('type', usual.bytes() + number(2, 7))
	save('inside', usual.bytes() + message(4, message(1, b'x')))
	save('values', new().sample(['f'], 3).bytes())
	save('sample', new().sample(['f'], 3, 4).raw(message(2, varint(1 << 3 | 5) + b'abcd')).bytes())
	save('no-types', message(2, numbers(1, [1]), numbers(2, [5])) + message(4, number(1, 1)) + message(6))
	save('types', Pprof(*[('t%d' % i, 'count') for i in range(257)]).sample(['f'], *range(257)).bytes())
	save('first-text', message(6, b'main') + new().bytes())
	save('text', new().raw(message(5, number(1, 9), number(2, 77))).bytes())
	save('id-0', new().raw(message(5, number(1, 0))).bytes())
	save('twice', new().raw(message(5, number(1, 4)) + message(5, number(1, 4))).bytes())
	save('function', new().raw(message(4, number(1, 4), message(4, number(1, 99)))).bytes())
	save('mapping', new().raw(message(4, number(1, 4), number(2, 99))).bytes())
	save('location', new().sample(['f', 12345], 3, 4).bytes())
	save('damaged.gz', usual.gzip()[:-6])
	save('bits.gz', usual.gzip()[:30] + b'\xff\xff\xff' + usual.gzip()[33:])
	save('bomb.gz', gzip.compress(usual.bytes() + message(13, bytes(50 << 20))))
	# A location of 5000 lines, 20000 times in different samples.
	many = new()
	place = many.location(tuple('f%d' % i for i in range(5000)))
	for i in range(20000):
	    many.sample([many.location('g%d' % (i % 50)), place], i + 1, 1)
	save('frames', many.bytes())
	# A name of 100 kB in 100000 lines.
	names = new().sample(['f'], 1, 1)
	names.location('n' * 100000 + '@a.c:1')
	function = names.known[5, ('n' * 100000, 'a.c')]
	names.raw(message(4, number(1, 99), *[message(4, number(1, function), number(2, i)) for i in range(100000)]))
	save('names', names.bytes())
	save('labels', new().sample(['f', 'main'], 3, 30, labels=[('user', 'ann'), ('job', 7), ('job', 8)]).bytes())
	save('label-type', new().raw(message(2, numbers(1, []), numbers(2, [1, 1]), number(3, 5))).bytes())
	save('label-field', new().raw(message(2, numbers(2, [1, 1]), message(3, message(1, b'x')))).bytes())
	save('label-cut', new().raw(message(2, numbers(2, [1, 1]), message(3, b'\x08'))).bytes())
	save('label-text', new().raw(message(2, numbers(2, [1, 1]), message(3, number(2, 77)))).bytes())
	# A value of 100 kB in 20000 labels.
	long = new()
	for i in range(200):
	    long.sample(['f'], 1, 10, labels=[('user', 'n' * 100000)] * 100)
	save('label-long', long.bytes())
	save('label-addresses', new().sample([7], 4, 40, labels=[('user', 'ann')]).raw(message(4, number(1, 7), number(3, 0x1234))).bytes())
	save('negative', new().sample(['f', 'main'], -3, -30).sample(['g', 'main'], 4, 40).bytes())
	drop = new().sample(['malloc', 'main'], 4, 40)
	save('drop', drop.raw(number(7, drop.text('mall.c'))).bytes())
	save('empty', new().bytes())
	save('mixed', new().sample([7, 'main'], 4, 40).raw(message(4, number(1, 7), number(2, 3), number(3, 0x1234))).raw(
	    message(3, number(1, 3), number(2, 0x1000), number(3, 0x2000))).bytes())
	deep = new()
	save('deep', deep.sample([deep.location('f')] * 100000 + [deep.location('main')], 5, 50).bytes())
END
expect_refused_file() {
	expect_status 1 "$GPROFX" -O pprof -b -p "$1"
	expect_in err "error[$2]: $1"
	expect_in err "$3"
	expect_match err '^  hint: .'
	expect_empty out
}

# Whatever is cut off, it is noticed, and where: the texts come last, so each of them is needed.
for file in cut eleven group field-0; do
	expect_refused_file $file pprof.damaged 'expected fields of a message, found'
	expect_match err "$file:0x[0-9a-f]+: expected|$file: (offset|byte)|$file"
done
expect_refused_file cut pprof.damaged 'found the end within a field'
expect_refused_file eleven pprof.damaged 'a number of more than ten bytes'
expect_refused_file group pprof.damaged 'a field of an unknown type'
expect_refused_file field-0 pprof.damaged 'a field whose number cannot be'
expect_refused_file type pprof.damaged 'expected the type that the field has'
expect_refused_file inside pprof.damaged 'expected the type that the field has'
expect_refused_file sample pprof.damaged 'expected numbers of locations and values in a sample'
expect_refused_file values pprof.bad-values 'expected a value of each type in a sample, found fewer'
expect_refused_file no-types pprof.bad-values 'expected 1 to 256 types of values, found 0'
expect_refused_file types pprof.bad-values 'expected 1 to 256 types of values, found 257'
expect_refused_file first-text pprof.bad-reference 'expected the empty text as the first one'
expect_refused_file text pprof.bad-reference 'expected numbers of texts of the profile'
for file in id-0 twice; do
	expect_refused_file $file pprof.bad-reference 'expected an id of its own, other than 0'
done
expect_refused_file function pprof.bad-reference 'expected lines of functions of the profile'
expect_refused_file mapping pprof.bad-reference 'expected locations in mappings of the profile'
expect_refused_file location pprof.bad-reference 'found 12345, which is none'
for file in damaged.gz bits.gz; do
	expect_refused_file $file pprof.bad-gzip 'expected compressed data, found'
done
expect_refused_file bomb.gz pprof.too-large 'found more'
expect_refused_file frames pprof.too-many-frames 'expected at most 64 frames for each byte'
expect_refused_file names pprof.too-large 'expected at most 1000 bytes of names'
head -c 60 usual >short
for bytes in $(seq 1 60); do
	head -c "$bytes" short >part
	status=0
	"$GPROFX" -O pprof -b -p part >out 2>err || status=$?
	[ "$status" -le 1 ] || fail "status $status for $bytes bytes"
done

# Labels are read where one of them is wanted, and only then.
for file in label-type label-field label-cut; do
	expect_status 0 "$GPROFX" -O pprof -b -p $file
done
expect_label_refused() {
	expect_status 1 "$GPROFX" -O pprof --set=input-pprof.label=user -b -p "$1"
	expect_in err "error[$2]: $1"
	expect_in err "$3"
}
expect_label_refused label-type pprof.damaged 'expected labels in a sample, found another type of field'
expect_label_refused label-field pprof.damaged 'expected a label of numbers, found another field'
expect_label_refused label-cut pprof.damaged 'expected fields of a label, found the end within a field'
expect_label_refused label-text pprof.bad-reference 'expected texts of the profile in a label, found a larger number'
expect_label_refused label-long pprof.too-large 'expected at most 1000 bytes of labels for each byte of the file'
expect_status 0 "$GPROFX" -O pprof --set=input-pprof.label=user -b -p label-addresses
expect_in err 'warning[pprof.label-of-addresses]: label-addresses: expected names of functions beside the label "user"'
expect_status 0 "$GPROFX" --set=input-pprof.label=users -b -p labels
expect_in err 'warning[pprof.no-label]: labels: expected samples with the label "users", found "user", "job"'
expect_match out ' \[no users\]$'
expect_status 0 "$GPROFX" --set=input-pprof.label=users -b -p negative
expect_in err 'warning[pprof.no-label]: negative: expected samples with the label "users", found none'
expect_status 0 "$GPROFX" --set=input-pprof.label=job -b -p labels
expect_empty err
expect_match out ' job=7,8$'

# Values below 0 are left out, which is said.
expect_status 0 "$GPROFX" -b -p negative
expect_in err 'warning[pprof.negative]: negative: expected values from 0 on, left out 2 negative ones'
expect_match out '^100\.00 .* g$'
! grep -q ' f$' out || fail 'a function without values has a row'
# What pprof hides is shown.
expect_status 0 "$GPROFX" -b -p drop
expect_in err 'warning[pprof.drop-frames]: drop: the file asks to hide functions like "mall.c", which are shown'
expect_match out '^100\.00 .* malloc$'
# Nothing was measured.
expect_status 0 "$GPROFX" -O pprof --output=json empty
# Code without names is one row for each mapping.
expect_status 0 "$GPROFX" --no-findings -b -p mixed
expect_empty err
expect_match out '^100\.00 .* \[unknown\]$'
# A stack of 100000 frames.
expect_status 0 "$GPROFX" --no-findings -b -p deep
expect_match out '^100\.00 .* f$'

# The explanation says how the totals of the other metrics are known.
expect_status 0 "$GPROFX" --no-findings -p usual
expect_in out 'that including the functions it called, as measured from call stacks. Rows'
expect_not_in out 'is an estimate'
