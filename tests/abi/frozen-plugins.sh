#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A plugin of each kind that knows nothing but the public headers, as they are now (tests/abi/plugins) and as they
# were frozen with each release (tests/abi/MAJOR.MINOR): they are loaded by their files and by their manifests, and
# work together.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
need python3

python3 - <<'END'
code = bytearray(0x300)
code[0x10:0x12] = b'C\1'
code[0x20:0x22] = b'C\2'
code[0x110:0x112] = b'I\0'
open('image', 'wb').write(b'FROZEN' + code)
open('profile', 'wb').write(b'frozen!'.ljust(20) + bytes([10, 30, 0]))
open('longer', 'wb').write(b'frozen!'.ljust(20) + bytes([10, 30, 0, 1]))
open('shorter', 'wb').write(b'frozen!'.ljust(20) + bytes([10]))
END

# build FILE SOURCE [OPTION...]: a module, with the headers in $headers.
build() {
	"$GPROFX_CC" -std=c11 -shared -fPIC -Wall -Wextra -Werror -I"$headers" -o "$1" "$2" "${@:3}" ||
		fail "$2 does not compile"
}

# build_taken SOURCE NAME: a module under another name, which a run asks for, in the folder "taken".
build_taken() {
	mkdir -p "$version/taken"
	build "$version/taken/$2.so" "$folder$1.c" -DNAME="\"$2\""
}

for folder in "$GPROFX_SOURCE"/tests/abi/*/; do
	version=$(basename "$folder")
	headers=$folder/include
	[ "$version" = plugins ] && headers=$GPROFX_SOURCE/include
	mkdir "$version"
	named= kinds=
	for source in "$folder"*.c; do
		name=$(basename "$source" .c)
		build "$version/$name.so" "$source"
		cp "$folder$name.yaml" "$version"
		named="$named --plugin=./$version/$name.so"
		kinds="$kinds ${name%-frozen}"
		expect_status 0 "$GPROFX" --check-plugin="./$version/$name.so"
		expect_not_in out FAILED
	done
	[ "$kinds" = ' config findcall input labels output symbols' ] || fail "not one of each kind:$kinds"
	for words in "$named" "--plugin-path=$version"; do
		[[ $words = --plugin-path=* && $GPROFX_BUILTIN = 1 ]] && continue
		# shellcheck disable=SC2086 # Several words.
		expect_status 0 "$GPROFX" $words --no-findings -c --output=frozen image profile
		expect_not_in err 'error['
		expect_not_in err 'frozen.'
		expect_same out "$folder/expected"
		expect_status 0 "$GPROFX" $words --no-findings --output=frozen image longer
		expect_match err '^gprofx: warning\[frozen\.bad\]: longer:0x14: expected the end, found 1 bytes$'
		expect_status 1 "$GPROFX" $words --no-findings --output=frozen image shorter
		expect_match err '^gprofx: error\[frozen\.bad\]: shorter:0x14: expected 2 more bytes$'
		expect_status 0 "$GPROFX" $words --no-findings -b -l -p image profile
		expect_match out 'work \(frozen\.x:2 @ 10100\)'
	done

	# Those that are asked for by one name each, in the place of the installed ones.
	build_taken config-frozen config-yaml
	build_taken labels-frozen labels-pcre2
	if [ "$GPROFX_BUILTIN" = 0 ]; then
		cat >settings <<-'END'
			profiles{
			.label=prof
			.label-text=pro-
			outputs[
			.{
			..format=per-file
			..options{
			...columns=total,worst,name
			...explain=false
			...what=all
		END
		expect_status 0 "$GPROFX" --no-config --plugin-path="$version/taken" --plugin="./$version/input-frozen.so" \
			--plugin="./$version/symbols-frozen.so" --no-findings --config=settings image profile profile
		expect_not_in err 'error['
		# Equal profiles have no slowest one.
		expect_match out ' -  +work$'
		expect_match out ' pro-ile +profile$'
		printf 'threads=2\nreport{\n.x\n' >settings
		expect_status 1 "$GPROFX" --no-config --plugin-path="$version/taken" --config=settings image profile
		expect_match err '^gprofx: error\[frozen\.bad\]: settings:3:2: expected a node$'
		printf 'profiles{\n.label=%%\noutputs[\n.{\n..format=per-file\n' >settings
		expect_status 1 "$GPROFX" --no-config --plugin-path="$version/taken" --plugin="./$version/input-frozen.so" \
			--plugin="./$version/symbols-frozen.so" --config=settings image profile
		expect_match err '^gprofx: error\[frozen\.bad\]: settings:2:8: expected a pattern, found "%"$'
	fi
	seen=yes
done
[ "${seen-}" = yes ] || fail 'there are no plugins'
