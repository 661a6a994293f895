# SPDX-License-Identifier: Apache-2.0
#
# Helpers for the tests of what is installed for others, on top of those in tests/plugin/lib.sh. The first
# line of a test is
#
#   . "$GPROFX_SOURCE/tests/kit/lib.sh"

. "$GPROFX_SOURCE/tests/plugin/lib.sh"
need cmake python3

examples='input-text symbols-gemdos findcall-loongarch output-wiki output-flame'

# install_kit: installs all components and moves them away from where they were installed to, into $prefix.
install_kit() {
	expect_status 0 cmake --install "$GPROFX_BUILD" --prefix "$scratch/elsewhere"
	: >out
	mkdir "$scratch/root"
	mv elsewhere root/prefix
	use_prefix "$scratch/root/prefix"
}

# make_packages: Debian packages of the build as it is, in ./debs; of each scripts/test, one test makes them for all.
make_packages() {
	need dh dpkg-deb dpkg-shlibdeps flock make
	[ "$GPROFX_BUILTIN" = 0 ] || skip 'the plugins are linked in'
	[ -z "${GPROFX_SANITIZE-}" ] || skip 'a build with sanitizers is not packed'
	local made=${GPROFX_SHARED:-$scratch}/packages
	mkdir -p "$made"
	exec 9>"$made/lock"
	flock 9
	if [ ! -e "$made/done" ]; then
		rm -rf "$made/source"
		mkdir "$made/source"
		cp -r "$GPROFX_SOURCE/debian" "$made/source"
		cd "$made/source" || exit 1
		expect_status 0 env -u MAKEFLAGS -u MAKELEVEL DEB_BUILD_OPTIONS='noautodbgsym nocheck' \
			DEB_RULES_REQUIRES_ROOT=no DPKG_DEB_COMPRESSOR_TYPE=gzip DPKG_DEB_COMPRESSOR_LEVEL=1 \
			make -f debian/rules binary
		cd "$scratch" || exit 1
		touch "$made/done"
	fi
	exec 9>&-
	mkdir debs
	ln -s "$made"/*.deb debs
}

# use_prefix FOLDER: what was installed there is what is tried out from here on.
use_prefix() {
	prefix=$1
	[ -x "$prefix/bin/gprofx" ] || fail 'the program was not installed'
	libraries=$(find "$prefix" -name pkgconfig)
	libraries=${libraries%/pkgconfig}
	export PKG_CONFIG_PATH="$libraries/pkgconfig"
	plugins=$libraries/gprofx/1
	GPROFX=$prefix/bin/gprofx
	# Nothing of the source tree or the build tree is within reach of what is built here.
	unset GPROFX_PLUGIN_PATH
}

# build_by_command: builds the examples in ./examples, each with the one command of their README.
build_by_command() {
	local command example
	command=$(sed -n 's/^ *\(cc -shared .*\)/\1/p' examples/README.md)
	[ -n "$command" ] || fail 'README.md has no command'
	for example in $examples; do
		(cd examples && eval "${command//input-text/$example} -Wall -Wextra -Wconversion -Werror") ||
			fail "$example does not compile"
	done
}

# build_with_cmake FOLDER, build_with_meson FOLDER: the same in a folder.
build_with_cmake() {
	expect_status 0 cmake -S examples -B "$1" -DCMAKE_C_COMPILER="$GPROFX_CC" \
		-DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_C_FLAGS='-Wall -Wextra -Werror'
	expect_status 0 cmake --build "$1"
}
build_with_meson() {
	CC=$GPROFX_CC expect_status 0 meson setup --werror --warnlevel=2 "$1" examples
	expect_status 0 ninja -C "$1"
}

# expect_library_user: the program of the library's examples, built by the flags of gprofx.pc, works.
expect_library_user() {
	# shellcheck disable=SC2046 # Words are what is wanted.
	expect_status 0 "$GPROFX_CC" -o hottest "$prefix/share/doc/gprofx/examples/library/hottest.c" \
		$(pkg-config --cflags --libs gprofx)
	make_program
	LD_LIBRARY_PATH=$libraries expect_status 0 ./hottest program gmon.out
	expect_match out '^ 75\.0% work$'
}

# copy_examples: the plugins that are installed as examples, in ./examples, and what they are tried with in ".".
copy_examples() {
	cp -r "$prefix/share/doc/gprofx/examples/plugin" examples || fail 'there are no installed examples'
	"$GPROFX_SOURCE/tests/kit/make-inputs" || fail 'cannot write the inputs'
}

# expect_examples FOLDER: the modules of the examples in the folder do what they are for, named by
# their files or found by their manifests, and show nothing but their descriptors.
expect_examples() {
	local words named=
	for example in $examples; do
		[ -f "$1/$example.so" ] || fail "$1 has no $example.so"
		nm -D --defined-only "$1/$example.so" | awk '{ print $3 }' >shown
		echo gprofx_plugin_1 | diff - shown >&2 || fail "$example.so shows something else"
		named="$named --plugin=$1/$example.so"
	done
	for words in "$named" --plugin-path="$1"; do
		[[ $words = --plugin-path=* && $GPROFX_BUILTIN = 1 ]] && continue
		try_examples "$words"
	done
}

# try_examples WORD...: the examples work, loaded by these words of the command line.
try_examples() {
	local words=$*
	for program in 'program profile.txt' 'program.tos atari.txt'; do
		expect_status 0 "$GPROFX" $words --no-findings -O text --output=wiki $program
		expect_empty err
		expect_same out - <<-'END'
			{| class="wikitable"
			! % !! seconds !! calls !! function
			|-
			| 75.0 || 0.30 || 7 || work
			|-
			| 25.0 || 0.10 || 0 || main
			|}
		END
	done
	expect_status 0 "$GPROFX" $words --no-findings -O text --output=wiki \
		--output-option=wiki.top=1 program profile.txt
	[ "$(wc -l <out)" -eq 5 ] || fail 'more than one function'
	expect_status 0 "$GPROFX" $words --no-findings -O text --output=flame program profile.txt
	grep -o '<title>[^<]*' out >found
	expect_same found - <<-'END'
		<title>all (gprof estimate, paths not measured; 0.00 % too small to show): 100.00 %, itself 0.00 %
		<title>main: 100.00 %, itself 25.00 %
		<title>work: 75.00 %, itself 75.00 %
	END
	expect_status 0 "$GPROFX" $words --no-findings -c --output=csv --output-option=table=arcs \
		loongarch loongarch.gmon
	expect_empty err
	tail -n +2 out | tr -d '"\r' | cut -d, -f1,2,4,17 | LC_ALL=C sort >found
	expect_same found - <<-'END'
		main,leaf,0,call
		main,work,7,
		work,<indirect child>,0,indirect
		work,leaf,0,tail
		work,main,0,call
	END
}
