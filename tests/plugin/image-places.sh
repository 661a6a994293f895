#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Where frames and samples of images are: as an emitter sees their addresses; moved as all else that a file has; and
# images that come after what could be taken for theirs, or grow. Takes 3 seconds.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
need python3
make_program
module maps -DFAILURE=GPROFX_FAILED <<<'#include "maps-reader.h"'
module output-where <<'END'
#include <gprofx/emitter.h>

static enum gprofx_result
emit(struct gprofx *gx, const struct gprofx_emission *emission, const void *options)
{
	const struct gprofx_report_contexts *contexts = emission->report->contexts;

	(void)gx;
	(void)options;
	for (uint32_t i = 0; i < contexts->count; i++) {
		struct gprofx_text name = gprofx_context_name(emission->report, i);
		uint32_t place = contexts->place[i];

		gprofx_out(emission->writer, "%d %.*s", (int)contexts->parent[i], (int)name.length, name.bytes);
		if (place != GPROFX_NO_PLACE)
			gprofx_out(emission->writer, " at 0x%llx", (unsigned long long)contexts->place_address[place]);
		gprofx_out(emission->writer, "%s\n",
		           contexts->flags && contexts->flags[i] & GPROFX_CONTEXT_INLINED ? " inlined" : "");
	}
	return GPROFX_OK;
}

static const struct gprofx_needs needs = {.size = sizeof needs, .contexts = GPROFX_CONTEXTS_BY_PLACE};
static const struct gprofx_emitter emitter = {
	.size = sizeof emitter, .format = "where", .extension = "txt", .emit = emit, .needs = &needs};
GPROFX_PLUGIN = {GPROFX_ABI, .name = "output-where", .version = "1", .summary = "Places of contexts",
                 .emitter = &emitter};
END
python3 - <<'END' || fail 'cannot write the library'
from elfimage import Image, ET_DYN
image = Image('x86_64', kind=ET_DYN)
image.section('.text', 0x1000, b'\x90' * 0x200)
image.functions(['fa', 'fb'], 0x1000, 0x100)
open('libone.so', 'wb').write(image.bytes())
END

# report FILE [WORD...] <LINE...: writes ./FILE; the report of ./program and it, in ./out.
report() {
	{ echo '#maps'; sed 's,^\t*,,'; } >"$1"
	expect_status 0 "$GPROFX" --plugin=./maps.so --plugin=./output-where.so --no-findings -b "${@:2}" program "$1"
}

# An address of a place is as linked, in whatever image it is; what is in none has none. No frame is inlined.
report linked --output=where <<END
	process 0
	image 2 $PWD/libone.so -
	image 5 [jit] -
	name 2 0x10 0x10 hot
	map 1 0x7f0000000000 0x1000 1 0x1000 0
	map 1 0x10000000 0x4000 2 0 0
	map 1 0x401000 0x1000 0 0 0
	stack 1 5 0x7f0000000010 0x7f0000000110 0x10000018
	stack 1 5 0x7f0000000010 0x99990000
	stack 0 5 0x401104 0x401004
END
expect_same out - <<'END'
-1 hot ([jit]) at 0x18
0 fb (libone.so) at 0x1110
1 fa (libone.so) at 0x1010
-1 <outside any function> at 0x0
3 fa (libone.so) at 0x1010
-1 main at 0x401004
5 work at 0x401104
END

# A long name of an image is no matter, however many pieces of its code have no name.
python3 - >pieces <<'END'
print('process 0\nimage 5 /%s -\nmap 1 0x10000 0x1000000 1 0 0' % ('x' * 4000))
for i in range(2000):
    print('name 1 %d 4 f%d' % (i * 16, i))
print('stack 1 1 0x10000 0x401000\nstack 1 2 0x10004')
END
report gaps -p <pieces
expect_undiagnosed
expect_match out '^ 66\.67 +2\.00 +2\.00 +\[x{4000}\]$'
expect_match out '^ 33\.33 +3\.00 +1\.00 +f0 \(x{4000}\)$'
# Nor are names of a file that share their bytes, but to that image.
python3 - <<'END' || fail 'cannot write the library'
import struct
from elfimage import Image, ET_DYN
image = Image('x86_64', kind=ET_DYN)
image.section('.text', 0x1000, b'\x90' * 0x20000)
image.functions(['f%05d' % i for i in range(20000)], 0x1000, 4)
data = bytearray(image.bytes())
shoff, count = struct.unpack_from('<Q', data, 40)[0], struct.unpack_from('<H', data, 60)[0]
rows = [struct.unpack_from('<IIQQQQIIQQ', data, shoff + 64 * i) for i in range(count)]
symtab = next(row for row in rows if row[1] == 2)
strtab = rows[symtab[6]]
data[strtab[4] + 1:strtab[4] + strtab[5] - 1] = b'a' * (strtab[5] - 2)
for i in range(1, symtab[5] // 24):
    struct.pack_into('<I', data, symtab[4] + 24 * i, i)
open('ends.so', 'wb').write(data)
END
report ends -p <<END
	process 0
	image 2 $PWD/libone.so -
	image 2 $PWD/ends.so -
	map 1 0x10000 0x1000 1 0x1000 0
	map 1 0x20000 0x1000 2 0x1000 0
	stack 1 3 0x10110
	stack 1 1 0x20110
END
expect_in err "warning[image.bad-symtab]: $PWD/ends.so: expected function names of at most"
expect_match out '^ 75\.00 +3\.00 +3\.00 +fb \(libone\.so\)$'
expect_match out '^ 25\.00 +4\.00 +1\.00 +\[ends\.so\]$'

# An image that grows has each name once.
report grown -p -z <<END
	process 0
	image 5 jit -
	name 1 0x10 0x10 near
	map 1 0x1000 0x1000 1 0 0
	stack 1 1 0x1010
	name 1 0x100000010 0x10 next
	map 1 0x100000000 0x1000 1 0x100000000 0
	stack 1 2 0x100000010
	name 1 0x200000010 0x10 far
	map 1 0x200000000 0x1000 1 0x200000000 0
	stack 1 4 0x200000010
	map 1 0x300000000 0x1000 1 0x300000000 0
	stack 1 8 0x300000010
END
awk '/jit/ { print $3, $4 }' out >found
expect_same found - <<'END'
8.00 [jit]
4.00 far
2.00 next
1.00 near
END

# Frames of an object, or of a program that was somewhere else, are those of its functions, as samples are.
printf '%s\n' '#maps' 'stack 0 4 0x1100 0x1000' >of-object
report of-program -p --object=libone.so=of-object <<<'stack 0 1 0x401100'
expect_match out '^ 80\.00 +4\.00 +4\.00 +fb \(libone\.so\)$'
expect_match out '^ 20\.00 +5\.00 +1\.00 +work$'
report moved -p --slide=0x1000000 <<<'stack 0 4 0x1401100 0x1401000'
expect_match out '^100\.00 +4\.00 +4\.00 +work$'
# Not so in a file that says itself where its code was, be it after its frames.
report there -p --slide=0x1000000 <<-END
	stack 0 4 0x401100
	sample 0 0x401200 6
	process 0
	image 5 jit -
	map 1 0x401000 0x1000 1 0 0
	stack 1 2 0x401100
END
expect_match out '^ 50\.00 +6\.00 +6\.00 +idle$'
expect_match out '^ 33\.33 +10\.00 +4\.00 +work$'
expect_match out '^ 16\.67 +12\.00 +2\.00 +\[jit\]$'
# Where the slide is found by the arcs of the file, and from other files as well.
PYTHONPATH=$PYTHONPATH:$GPROFX_SOURCE/tests/slide python3 - <<'END' || fail 'cannot write the files'
from programs import synthetic
made = synthetic('.', 7)
for name, by in ('still', 0), ('up', 0x7000), ('down', -0x3000):
    with open(name, 'w') as f:
        f.write('#maps\n')
        for site, callee, count in made.recorded.arcs:
            f.write('arc 0 %#x %#x %d\n' % (site + by, callee + by, count))
        for i in range(3, 9):
            f.write('stack 0 %d %#x %#x\n' % (i, made.layout[i][0] + by + 1, made.layout[2 * i][0] + by + 1))
END
of_moved() {
	expect_status 0 "$GPROFX" --plugin=./maps.so --plugin=./output-where.so --no-findings -b "$@"
}
of_moved --output=where synthetic7 still
[ "$(wc -l <out)" -eq 12 ] || fail 'the stacks are not there'
expect_not_in out outside
cp out still.out
for profile in up down; do
	of_moved --output=where synthetic7 $profile
	expect_in err "warning[profile.slid]: $profile: "
	expect_same out still.out
done
of_moved --output=where synthetic7 up still down
expect_same out still.out
of_moved -p synthetic7 up still down
cp out mixed
of_moved -p synthetic7 still still still
expect_same out mixed

# What is beyond all that there is does not become part of an image that comes later.
printf '%s\n' '#maps' 'sample 0 0x300001010 9' 'sample 0 0x401104 1' >beyond
report later -p <<-END
	process 0
	image 5 [jit] -
	map 1 0x10000000 0x4000 1 0 0
	sample 1 0x10000018 3
END
expect_status 0 "$GPROFX" --plugin=./maps.so --no-findings -b -p program beyond later
expect_match out '^ 69\.23 +9\.00 +9\.00 +<outside any function>$'
expect_match out '^ 23\.08 +12\.00 +3\.00 +\[jit\]$'
# Nor does a histogram.
printf '%s\n' '#maps' 'histogram 0 0xa00000000 0xa00002000 7 2' >beyond
sed 's/^sample.*/histogram 1 0x10000000 0x10002000 1 3/' later >jit
report large -p <<-END
	process 0
	image 5 [large] -
	map 1 0x10000000 0x1000000000 1 0 0
	histogram 1 0x10000000 0x10002000 5 2
END
expect_status 0 "$GPROFX" --plugin=./maps.so --no-findings -b -p program jit beyond large
expect_match out '^ 45\.00 .* 0\.09 +<outside any function>$'
expect_match out '^ 35\.00 .* 0\.07 +\[large\]$'
expect_match out '^ 20\.00 .* 0\.04 +\[jit\]$'

# Whether a histogram of a process agrees with others is asked of where it is, not of its address.
report checked -p <<-END
	process 0
	image 5 [jit] -
	map 1 0x401000 0x1000 1 0 0
	histogram 0 0x401000 0x401400 1 2 3 4
	check 1 0x401000 0x401200 1 2
	histogram 1 0x401000 0x401200 1 2
END
expect_undiagnosed

# A text that a reader passes again and again counts against the length of the file each time.
module wordy <<'END'
#include "stub.h"
static enum gprofx_result
read_it(struct gprofx *gx, const struct gprofx_file *file, const struct gprofx_target *target,
        struct gprofx_profile *profile, const void *options)
{
	const struct gprofx_profile_builder *b = profile->builder;
	struct gprofx_raw_image image = {.size = sizeof image, .path = "a", .kind = 5};
	static char text[4000];
	uint32_t number;

	(void)target, (void)options;
	memset(text, 'x', sizeof text - 1);
	b->image(gx, profile, file, &image);
	for (uint32_t i = 0; i < 1000; i++) {
		struct gprofx_raw_name name = {i, 1, text};
		struct gprofx_raw_place of_function = {text, NULL, i, 0}, of_file = {"f", text, i, 0};

		switch (file->bytes[6]) {
		case 'i':
			text[0] = (char)(i % 64 + 64), text[1] = (char)(i / 64 + 64), image.path = text;
			b->image(gx, profile, file, &image);
			break;
		case 'n': b->names(gx, profile, file, 1, &name, 1); break;
		case 'f': b->places(gx, profile, &of_function, 1, &number); break;
		case 's': b->places(gx, profile, &of_file, 1, &number); break;
		}
	}
	return GPROFX_OK;
}
static int probe(const uint8_t *head, size_t bytes) { return bytes > 6 && memcmp(head, "#word", 5) == 0 ? 100 : 0; }
static const struct gprofx_reader reader = {
	.size = sizeof reader, .format = "x", .probe = probe, .read = read_it, .carries_names = true};
GPROFX_PLUGIN = {GPROFX_ABI, .name = "input-wordy", .version = "1", .summary = "Wordy", .reader = &reader};
END
wordy() {
	echo "#word $1, in a file that is long enough for rows" >words
	expect_status 1 "$GPROFX" --plugin=./wordy.so -b program words
	expect_in err "error[reader.bad-record]: expected no more $2 than the file has bytes for"
}
wordy images images
wordy names 'names of code'
wordy functions places
wordy sources places
