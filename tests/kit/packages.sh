#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The packages: the program alone needs the C library only, each plugin no more than the program and what it is
# about. From the program alone, unpacked into a folder, the hints of its messages lead to one package after
# the other, until there is a report.
. "$GPROFX_SOURCE/tests/kit/lib.sh"
make_packages
make_program
field() { dpkg-deb -f "$scratch/debs/$1"_*.deb "$2"; }
# names TEXT: the packages in a list of relations, without versions.
names() { tr ',|' '\n\n' <<<"$1" | sed 's/(.*//; s/ //g; /^$/d' | sort -u; }

for package in gprofx gprofx-core gprofx-plugins gprofx-symbols-elf libgprofx1 libgprofx-dev gprofx-doc; do
	[ -f debs/"$package"_*.deb ] || fail "there is no package $package"
done
for package in gprofx-core gprofx-plugins; do
	names "$(field $package Depends)" | grep -vxE 'libc6|libltdl7|gprofx-core|libgprofx1' && fail "$package needs libraries"
done
expect_match <(field gprofx-symbols-elf Depends) '\blibelf1'
[ ! -f debs/gprofx-symbols-dwarf_*.deb ] || expect_match <(field gprofx-symbols-dwarf Depends) '\blibdw1'
[ ! -f debs/gprofx-findcall-x86_*.deb ] || expect_match <(field gprofx-findcall-x86 Depends) '\blib(capstone|zydis)'
if [ -f debs/gprofx-collect_*.deb ]; then
	names "$(field gprofx-collect Depends)" | grep -vxE 'libc6|libgcc-s1' && fail 'gprofx-collect needs more than libc and libgcc'
	names "$(field libgprofx-collect-dev Depends)" | grep -vx gprofx-collect && fail 'its archive needs more than the library'
fi
# The program for each MPI needs this one and none of the other; alternatives call both by one name.
for case in openmpi:libopenmpi mpich:libmpich; do
	mpi=${case%:*}
	[ -x "$GPROFX_BUILD/bin/gprofx-mpi.$mpi" ] || continue
	names "$(field gprofx-mpi-$mpi Depends)" | grep -vxE "libc6|libltdl7|gprofx-core|${case#*:}[0-9]+" &&
		fail "gprofx-mpi-$mpi needs other packages"
	expect_match <(field gprofx-mpi-$mpi Depends) "\b${case#*:}[0-9]"
	dpkg-deb -I debs/gprofx-mpi-${mpi}_*.deb postinst |
		grep -q -- "--install /usr/bin/gprofx-mpi gprofx-mpi /usr/bin/gprofx-mpi\.$mpi " ||
		fail "gprofx-mpi-$mpi has no alternative"
done
expect_match <(field libgprofx1 Depends) '\blibltdl7'
# Plugins are tried out with the program.
expect_match <(field libgprofx-dev Recommends) '^gprofx$'
[ "$(field gprofx-doc Architecture)" = all ] || fail 'the guides are for one machine only'
dpkg-deb -I debs/libgprofx1_*.deb shlibs | grep -q '^libgprofx 1 libgprofx1 ' || fail 'libgprofx1 has no shlibs'

# A package with a plugin needs no other plugin; each plugin is in one package, which has or provides its name.
for deb in debs/*.deb; do
	package=$(dpkg-deb -f "$deb" Package)
	{
		echo "$package"
		names "$(field "$package" Provides)"
	} >called
	dpkg-deb -c "$deb" | sed -n 's,.*/gprofx/1/\(.*\)\.so$,\1,p' >plugins
	while IFS= read -r plugin; do
		grep -qx "gprofx-$plugin" called || fail "$package has $plugin, and is not called so"
		echo "$plugin $package" >>all-plugins
	done <plugins
	dpkg-deb -c "$deb" | sed -n 's,.* \./\(.*[^/]\)$,\1,p' >>all-files
	[ ! -s plugins ] || ! names "$(field "$package" Depends)" | grep -vx gprofx-core | grep -x 'gprofx-.*' ||
		fail "$package needs another plugin"
done
diff <(cut -d' ' -f1 all-plugins | sort) <(cd "$GPROFX_PLUGIN_DIR" && ls -- *.so | sed 's/\.so$//' | sort) >&2 ||
	fail 'plugins are in no package, or in several'
[ -z "$(sort all-files | sed 's/ -> .*//' | uniq -d)" ] || fail 'a file is in two packages'
! grep -q '/bin/gprof$' all-files || fail 'a package has a program gprof'

# Each says whose it is, what is linked into it included, and what changed; manual pages are compressed.
for deb in debs/*.deb; do
	package=$(dpkg-deb -f "$deb" Package)
	rm -rf unpacked
	dpkg-deb -x "$deb" unpacked
	documents=$(find unpacked -path "*/share/doc/$package" -type d)
	[ -n "$documents" ] || fail "$package has no documents of its own"
	expect_match "$documents/copyright" '^License: Apache-2\.0$'
	gzip -dc "$documents/changelog.gz" >changelog || fail "$package has no changelog"
	expect_match changelog "^gprofx \\($(dpkg-deb -f "$deb" Version)\\) "
	expect_match changelog '^ -- .* <.*>  [A-Z][a-z]{2}, [0-9]{2} '
	[ -z "$(find unpacked -path '*/man/*' -type f ! -name '*.gz')" ] || fail "$package has pages that are not compressed"
	dpkg-deb -I "$deb" md5sums | grep -q " usr/.*/doc/$package/copyright\$\| .*/doc/$package/copyright\$" ||
		fail "$package has no sum of its copyright file"
	cp "$documents/copyright" "$package.copyright"
done
rm -rf unpacked
for case in gprofx-core:libiberty libgprofx1:libiberty gprofx-symbols-pe:binutils gprofx-config-yaml:libyaml; do
	[ -e "${case%:*}.copyright" ] || continue
	[ -d "/usr/share/doc/${case#*:}-dev" ] || continue
	expect_match "${case%:*}.copyright" "^This package contains parts of ${case#*:}-dev, "
done
expect_not_in gprofx-plugins.copyright 'This package contains parts'

dpkg-deb -x debs/gprofx-core_*.deb root
GPROFX=$(find root -path '*/bin/gprofx')
mkdir root/etc
for step in 1 2 3 4 5; do
	run "$GPROFX" --no-findings -b -p program gmon.out
	[ "$status" -ne 0 ] || break
	package=$(sed -n 's/^  hint: .*package \(gprofx-[a-z0-9.-]*\).*/\1/p' err | tail -n 1)
	[ -n "$package" ] || fail 'no package was named'
	plugin=${package#gprofx-}
	has=$(sed -n "s/^$plugin //p" all-plugins)
	[ -n "$has" ] || fail "no package has $plugin"
	printf '%s\n' "$has" >>unpacked
	dpkg-deb -x "debs/$has"_*.deb root
done
expect_empty err
expect_match out '^ 75\.00 +0\.30 +0\.30 +7 .* work$'
[ "$step" -ge 3 ] || fail 'the program alone has plugins'
printf 'gprofx-symbols-elf\ngprofx-plugins\n' | diff - unpacked >&2 || fail 'other packages than that'
