#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A reader whose files have processes, what they mapped, and images beside the program: a library at two
# addresses, code that only the file names, and a library that is not there. All of them are rows like those
# of the program.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
need python3
make_program

# Lines of words, as it reads them, are described in the header.
module maps -DFAILURE=GPROFX_FAILED <<<'#include "maps-reader.h"'
module heedless -DFAILURE=GPROFX_OK <<<'#include "maps-reader.h"'

# A library of two functions with a build ID; where its code is in the file; and another build of it.
python3 - <<-'END' || fail 'cannot write the library'
	import struct
	from elfimage import Image, ALLOC, NOTE, ET_DYN
	def library(build):
	    image = Image('x86_64', kind=ET_DYN)
	    note = struct.pack('<III', 4, len(build), 3) + b'GNU\0' + build
	    image.section('.note.gnu.build-id', 0x200, note, flags=ALLOC, kind=NOTE)
	    image.section('.text', 0x1000, b'\x90' * 0x200)
	    image.functions(['fa', 'fb'], 0x1000, 0x100)
	    return image.bytes()
	data = library(bytes.fromhex('aabbccdd'))
	open('libone.so', 'wb').write(data)
	open('other.so', 'wb').write(library(bytes.fromhex('00112233')))
	open('offset', 'w').write('%#x\n' % data.index(b'\x90' * 0x200))
END
in_file=$(<offset)

# report STATUS FILE [OPTION...]: the report of ./program and a file of such lines; it is also of standard input.
report() {
	sed -i '1i #maps' "$2"
	expect_status "$1" "$GPROFX" --plugin=./maps.so --no-findings -b "${@:3}" program "$2"
}

# The library is mapped by bytes of its file, in the second process by addresses as linked.
cat >both <<-END
	process 0
	process 0
	image 1 $PWD/program -
	image 2 $PWD/libone.so aabbccdd
	image 5 [jit] -
	image 2 /nowhere/libgone.so -
	name 3 0x10 0x10 hot
	map 1 0x401000 0x1000 1 0x401000 0
	map 2 0x555500001000 0x1000 1 0x401000 0
	map 1 0x7f0000000000 0x200 2 $in_file 1
	map 2 0x7f5500001000 0x1000 2 0x1000 0
	map 1 0x10000000 0x1000 3 0 0
	map 2 0x20000000 0x4000 4 0x8000 1
	stack 1 5 0x7f0000000010 0x401110 0x401010
	stack 2 7 0x7f5500001010 0x555500001110 0x555500001010
	stack 1 3 0x10000018 0x401010
	stack 1 2 0x10000100 0x401010
	stack 2 4 0x20000000 0x555500001010
	stack 2 6 0x20003fff 0x555500001010
	stack 2 8 0x33330000 0x555500001010
END
report 0 both -p
# 35 samples: fa 5 + 7, what nothing is mapped at 8, the library that is not there 4 + 6, and of the rest 3 and 2.
expect_match out '^ 34\.29 +12\.00 +12\.00 .* fa \(libone\.so\)$'
expect_match out '^ 28\.57 +22\.00 +10\.00 .* \[libgone\.so\]$'
expect_match out '^ 22\.86 +30\.00 +8\.00 .* <outside any function>$'
expect_match out '^  8\.57 +33\.00 +3\.00 .* hot \(\[jit\]\)$'
expect_match out '^  5\.71 +35\.00 +2\.00 .* \[jit\]$'
expect_in err 'warning[image.no-file]: /nowhere/libgone.so: no file with symbols was found for this image of the profiles: it is shown as one row'
[ "$(grep -c 'warning\[' err)" -eq 1 ] || fail 'more warnings'
cp both again
report 0 again -q
expect_match out '^\[1\] +100\.0 +0\.00 +35\.00 +main \[1\]$'
expect_match out '^\[[0-9]+\] +34\.3 +0\.00 +12\.00 +work \[[0-9]+\]$'
report 0 again --output=csv
expect_match out '^"fa \(libone\.so\)",34\.28.*,"fa",0x1000,'
report 0 again --output=json
expect_in out '"object":"libone.so"'
expect_in out '{"name":"libone.so","path":"'"$PWD"'/libone.so","kind":"library","build_id":"aabbccdd","names_from":"file","symbols_file":null}'
expect_in out '{"name":"[jit]","path":"[jit]","kind":"generated","build_id":null,"names_from":"profile","symbols_file":null}'
expect_in out '{"name":"libgone.so","path":"/nowhere/libgone.so","kind":"library","build_id":null,"names_from":"nothing","symbols_file":null}'
if python3 -c 'import jsonschema' 2>/dev/null; then
	schema=$GPROFX_SOURCE/plugins/output-json/gprofx-report.schema.json
	python3 -c 'import json, sys, jsonschema
jsonschema.validate(json.load(open("out")), json.load(open(sys.argv[1])))' "$schema" || fail 'not as the schema says'
fi

# A library that the user names as an object is that object, be it by its build or by its file.
echo '#maps' >nothing
for build_id in aabbccdd -; do
	sed "s/ aabbccdd$/ $build_id/" both >again
	report 0 again -p --object=libone.so=nothing
	expect_match out '^ 34\.29 +12\.00 +12\.00 .* fa \(libone\.so\)$'
done
# Of another build nothing is taken, and it is said.
sed "s/libone.so aabbccdd$/other.so aabbccdd/" both >again
report 0 again -p
expect_in err "warning[image.build-differs]: $PWD/other.so: the file of this image is of another build"
expect_match out '^ 34\.29 +12\.00 +12\.00 .* \[other\.so\]$'

# No program: all of it is of images, the program as well.
expect_status 0 "$GPROFX" --plugin=./maps.so --no-findings -b -p both
expect_match out '^ 34\.29 +12\.00 +12\.00 .* fa \(libone\.so\)$'
expect_match out '^  5\.71 +35\.00 +2\.00 .* \[jit\]$'
expect_status 0 "$GPROFX" --plugin=./maps.so --no-findings -b -q both
expect_match out '^\[1\] +100\.0 +0\.00 +35\.00 +main \(program\) \[1\]$'

# Mappings hold for what comes after them. A child has those of its parent until one of both changes.
cat >times <<-END
	process 0
	image 1 - -
	image 5 first -
	image 5 second -
	stack 1 1 0x1000
	map 1 0x1000 0x1000 2 0 0
	process 1
	stack 1 2 0x1000
	stack 2 4 0x1fff
	map 1 0x1800 0x1000 3 0 0
	stack 1 8 0x17ff
	stack 1 16 0x1800
	stack 2 32 0x1800
	map 2 0x1000 0x10 0 0 0
	stack 2 64 0x100f
	stack 2 128 0x1010
	stack 1 256 0x1000
	map 1 0x1400 0x10 3 0 0
	stack 1 512 0x13ff
	stack 1 1024 0x140f
	stack 1 2048 0x1410
END
report 0 times -p --output-option=flat.account=false
# first: 2 + 4 + 8 + 32 + 128 + 256 + 512 + 2048; second: 16 + 1024; nothing: 1 + 64.
expect_match out ' 2990\.00 .* \[first\]$'
expect_match out ' 1040\.00 .* \[second\]$'
expect_match out ' 65\.00 .* <outside any function>$'
expect_in err 'warning[profile.mappings-overlap]: times: expected mappings that do not overlap, found 2 that replace others'
# To say the same once more is no overlap.
cat >same <<-END
	process 0
	image 5 first -
	map 1 0x1000 0x1000 1 0 0
	map 1 0x1400 0x1000 1 0x400 0
	stack 1 1 0x2000
END
report 0 same -p
expect_undiagnosed
expect_match out '^100\.00 +1\.00 +1\.00 .* \[first\]$'

# Calls, calls of nobody, and histograms; rows without a process are of the program.
cat >counted <<-END
	arc 0 0x401004 0x401100 3
	process 0
	image 2 $PWD/libone.so -
	map 1 0x7000 0x1000 1 0x1000 0
	map 1 0x401000 0x1000 0 0 0
	arc 1 0x7004 0x7100 5
	call 1 0x7000 7
	arc 0 0x401004 0x401200 9
	histogram 0 0x401000 0x401400 1 2 3 4
	histogram 1 0x7000 0x7200 10 20
	arc 1 0x401004 0x401200 11
END
report 0 counted -p
expect_match out '^ 50\.00 +0\.20 +0\.20 +5 .* fb \(libone\.so\)$'
expect_match out '^ 25\.00 +0\.30 +0\.10 +7 .* fa \(libone\.so\)$'
expect_match out '^  5\.00 .* 0\.02 +3 .* work$'
expect_match out '^  7\.50 .* 0\.03 +9 .* idle$'
cp counted again
report 0 again -i
expect_in out 'samples     40, 0.40 seconds; all of them in known functions'
expect_in out 'histogram   0x1000-0x1200: 2 bins of 256 bytes'
# The last call is where nothing is mapped any more.
expect_in out '28 by 4 arcs; 17 of them (60.71%) by 3 arcs between known functions'
# The finding about calls between objects counts the libraries with such calls.
expect_status 0 "$GPROFX" --plugin=./maps.so -b -p --explain program counted
expect_in err '7 calls of functions in 1 library from elsewhere'
# Samples at single addresses, beside those of the program that came before there were images.
cat >sampled <<-END
	sample 0 0x401104 30
	process 0
	image 2 $PWD/libone.so -
	sample 1 0x7104 5
	map 1 0x7000 0x1000 1 $in_file 1
	sample 1 0x7104 10
	sample 0 0x401204 20
	sample 1 0x70ff 35
END
report 0 sampled -p
expect_match out '^ 35\.00 +35\.00 +35\.00 .* fa \(libone\.so\)$'
expect_match out '^ 30\.00 +65\.00 +30\.00 .* work$'
expect_match out '^ 20\.00 +85\.00 +20\.00 .* idle$'
expect_match out '^ 10\.00 +95\.00 +10\.00 .* fb \(libone\.so\)$'
expect_match out '^  5\.00 +100\.00 +5\.00 .* <outside any function>$'
cp sampled again
report 0 again -i
expect_in out 'addresses   0x10ff-0x401205: 5 rows with 100 samples'
expect_in out '; 95 of them'
# Beside stacks of the same metric they are stacks of one frame.
expect_status 0 "$GPROFX" --plugin=./maps.so --no-findings -b -p program both sampled
expect_match out '^ 34\.81 +47\.00 +47\.00 .* fa \(libone\.so\)$'
# Files with images and others go together.
expect_status 0 "$GPROFX" --plugin=./maps.so --no-findings -b -p program gmon.out counted
expect_match out '^ 40\.00 .* 10 .* work$'

# What a file gets wrong: it counts for nothing, whether its reader obeys the result or not. refuse ID TEXT
# LINE...
refuse() {
	printf '%s\n' '#maps' 'process 0' 'image 5 jit -' "${@:3}" >damaged
	for module in maps heedless; do
		expect_status 1 "$GPROFX" --plugin=./$module.so -b -p program damaged
		expect_match err "error\\[$1\\]: damaged(:0x0)?: $2"
		expect_match err '^  hint: .'
		expect_empty out
		expect_status 1 "$GPROFX" --plugin=./$module.so --no-findings -b -p --keep-going program gmon.out damaged
		expect_match out '^ 75\.00 .* 7 .* work$'
	done
}
refuse 'profile\.bad-mapping' 'expected a mapping of some bytes .* found 0x0 bytes at 0x1000' 'map 1 0x1000 0 1 0 0'
refuse 'profile\.bad-mapping' 'expected a mapping .* 0x1001 bytes at 0xfffffffffffff000' \
	'map 1 0xfffffffffffff000 0x1001 1 0 0'
refuse 'profile\.bad-mapping' 'expected a mapping .* of offset 0xfffffffffffffff1' 'map 1 0x1000 0x10 1 0xfffffffffffffff1 0'
refuse 'profile\.bad-image' 'expected an image with a path of less than 4096 bytes' "image 2 /$(printf '%04095d' 0) -"
refuse 'profile\.bad-image' 'expected an image .* a build ID of at most 64' "image 2 /a $(printf '%0130d' 0)"
refuse 'profile\.bad-image' 'expected a name of code at 0x10 that ends' 'name 1 0x10 0xffffffffffffffff x'
refuse 'profile\.unmapped' 'expected a histogram in one mapping of its process, found 0x2000-0x2010' \
	'histogram 1 0x2000 0x2010 1 2'
refuse 'profile\.unmapped' 'expected a histogram in one mapping' 'map 1 0x1000 0x100 1 0 0' 'map 1 0x1100 0x100 1 0x100 0' \
	'histogram 1 0x1000 0x1200 1 2'
# A mapping may reach up to the last address.
printf '%s\n' 'process 0' 'image 5 jit -' 'map 1 0xfffffffffffff000 0x1000 1 0xfffffffffffff000 0' \
	'stack 1 1 0xfffffffffffffffe' >last
report 0 last -p
expect_match out '^100\.00 +1\.00 +1\.00 .* \[jit\]$'

# Names that begin inside of another one's code end that.
printf '%s\n' 'process 0' 'image 5 jit -' 'name 1 0x10 0x20 outer' 'name 1 0x20 0x20 inner' \
	'map 1 0x1000 0x1000 1 0 0' 'stack 1 1 0x101f' 'stack 1 2 0x1020' 'stack 1 4 0x103f' 'stack 1 8 0x1040' >names
report 0 names -p
expect_match out ' 8\.00 .* \[jit\]$'
expect_match out ' 6\.00 .* inner \(jit\)$'
expect_match out ' 1\.00 .* outer \(jit\)$'
expect_in err 'warning[image.names-overlap]: jit: expected names of code that do not overlap, found 1'

# These images cannot be shown for a single file unless there are stacks, or written into a sum.
report 0 same --per-file
expect_undiagnosed
expect_match out ' 1\.000  same +\[first\]$'
report 1 counted --per-file
expect_in err 'error[report.images-per-file]: '
report 1 same --sum=sum
expect_in err 'error[sum.has-images]: sum: '
[ ! -e sum ] || fail 'a sum was written'

# A child that changes what it shares gets a copy: of these there are no more than the file has bytes for.
{
	printf '%s\n' '#maps' 'process 0' 'image 5 jit -'
	for i in {1..300}; do echo "map 1 $((i * 4096)) 16 1 0 0"; done
	for i in {2..300}; do printf '%s\n' 'process 1' "map $i 0 16 1 0 0"; done
} >forks
expect_status 1 "$GPROFX" --plugin=./maps.so -b -p program forks
expect_in err 'error[profile.too-many-mappings]: forks: expected processes to change no more mappings'

# What no file can be the cause of.
# defect TEXT LINE...
defect() {
	printf '%s\n' '#maps' 'process 0' 'image 5 jit -' "${@:2}" >defect
	expect_status 1 "$GPROFX" --plugin=./maps.so -b -p program defect
	expect_in err "error[reader.bad-record]: $1"
	expect_match err '^  hint: this is a bug in the reader'
}
defect 'expected one of the 1 processes of the file, found process 2' 'stack 2 1 0x1000'
defect 'expected one of the 1 processes of the file, found process 2' 'arc 2 1 2 3'
defect 'expected one of the 1 processes of the file, found process 2' 'call 2 1 2'
defect 'expected one of the 1 processes of the file, found process 2' 'histogram 2 0 16 1 2'
defect 'expected one of the 1 processes of the file, found process 9' 'map 9 0x1000 0x1000 1 0 0'
defect 'expected one of the 1 processes of the file, found process 7' 'process 7'
defect 'expected one of the 1 images of the file, found image 2' 'map 1 0x1000 0x1000 2 0 0'
defect 'expected one of the 1 images of the file, found image 2' 'name 2 0 16 x'
defect 'expected one of the 1 images of the file, found image 0' 'name 0 0 16 x'
defect 'expected an image of a known kind, found kind 0' 'image 0 x -'
defect 'expected an image of a known kind, found kind 7' 'image 7 x -'
# Images and processes are those of one file.
expect_status 1 "$GPROFX" --plugin=./maps.so -b -p program both <(printf '%s\n' '#maps' 'stack 1 1 0x1000' '####')
expect_in err 'expected one of the 0 processes of the file, found process 1'

expect_status 0 "$GPROFX" --check-plugin=./maps.so
expect_not_in out FAILED
# check NAME BODY TEXT: the checker refuses a reader that does this with every file.
check() {
	module "$1" <<-END
		#include "stub.h"
		static enum gprofx_result read_it(struct gprofx *gx, const struct gprofx_file *file,
		                                  const struct gprofx_target *target,
		                                  struct gprofx_profile *profile, const void *options) {
			struct gprofx_raw_image image = {.size = sizeof image, .path = "a", .kind = 5};
			struct gprofx_raw_process process = {.size = sizeof process};
			struct gprofx_raw_mapping map = {.size = sizeof map, .process = 1, .bytes = 1, .image = 1};
			struct gprofx_raw_name name = {0, 1, "n"};
			const struct gprofx_profile_builder *b = profile->builder;
			(void)target; (void)options;
			$2
			if (b->image(gx, profile, file, &image) + b->process(gx, profile, file, &process) != 2 ||
			    b->names(gx, profile, file, 1, &name, 1) != GPROFX_OK)
				return GPROFX_FAILED;
			return b->mapping(gx, profile, file, &map);
		}
		static const struct gprofx_reader reader = {.size = sizeof reader, .format = "x", .read = read_it};
		GPROFX_PLUGIN = {GPROFX_ABI, .name = "input-$1", .version = "1", .summary = "Wrong", .reader = &reader};
	END
	expect_status 1 "$GPROFX" --check-plugin="./$1.so"
	expect_in out "$3"
}
check pathless 'image.path = "";' 'expected an image with a path or another name'
check idless 'image.build_id_bytes = 20;' 'expected a build ID of 20 bytes, found none'
check nameless 'name.name = "";' 'expected a name of code, found none'
check rowless 'b->image(gx, profile, file, &image); b->names(gx, profile, file, 1, NULL, 3);' \
	'expected 3 names of code, found none'
check sizeless 'image.size = 2;' 'the record of an image'
check unsized 'map.size = 2;' 'the record of a mapping'
check orphan 'process.parent = 3;' 'expected one of the 0 processes of the file, found process 3'
for call in 'b->image(gx, profile, file, &image)' 'b->process(gx, profile, file, &process)' \
	'b->mapping(gx, profile, file, &map)'; do
	check endless "b->image(gx, profile, file, &image); b->process(gx, profile, file, &process); for (;;) $call;" \
		'than the file has bytes for'
done
check wordy 'b->image(gx, profile, file, &image); for (;;) b->names(gx, profile, file, 1, &name, 1);' \
	'expected no more names of code than the file has bytes for'
