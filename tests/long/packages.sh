#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
#   packages.sh BUILD
#
# The Debian packages, built from a clone that has nothing but what was committed: lintian finds no errors and no
# warnings in them or in the source package. In a fresh system of this release, apt installs the program alone, then
# what its messages ask for, then all packages; there is a report of an ELF program each time.
#
# Takes 4 minutes and needs the package mirror. The fresh system is in namespaces of its own, with its own /dev.
set -uo pipefail

# debian/rules would pack the build of the tests, which has no debug information.
unset GPROFX_BUILD

scratch=$(mktemp -d "${TMPDIR:-/tmp}/gprofx-packages.XXXXXX") || exit 1
trap 'rm -rf "$scratch"' EXIT
chmod 755 "$scratch"
cd "$scratch" || exit 1
passed=0 failed=0

# try NAME COMMAND...: one case, whose output is shown if it fails.
try() {
	local name=$1 begun=$SECONDS
	shift
	if "$@" >log 2>&1; then
		passed=$((passed + 1))
		printf '%s: passed, %s s\n' "$name" $((SECONDS - begun))
	else
		failed=$((failed + 1))
		tail -n 60 log
		printf '%s: FAILED, %s s\n' "$name" $((SECONDS - begun))
		return 1
	fi
}

finish() {
	printf 'packages: %d passed, %d failed\n' "$passed" "$failed"
	exit $((failed > 0))
}

# lintian_of FILE: nothing worse than information.
lintian_of() {
	lintian --allow-root -I --pedantic --fail-on error,warning "$1" >lintian.log 2>&1
	local status=$?
	cat lintian.log
	return $status
}

build() { (cd gprofx && dpkg-buildpackage -us -uc -b); }
build_source() { (cd gprofx && dpkg-buildpackage -us -uc -S -d); }

git clone -q "$GPROFX_SOURCE" gprofx || exit 1
try 'dpkg-buildpackage -b' build || finish
try 'lintian of the packages' lintian_of gprofx_*_*.changes
cat lintian.log
try 'dpkg-buildpackage -S' build_source &&
	try 'lintian of the sources' lintian_of gprofx_*_source.changes
cat lintian.log

# A program and its profile; the fresh system has no compiler.
mkdir packages
mv ./*.deb packages
rm -f packages/*-dbgsym_*
(cd packages && dpkg-scanpackages --multiversion . >Packages 2>/dev/null) || exit 1
sed -n "/^cat >busy.c/,/^PROGRAM/p" gprofx/debian/tests/report | sed '1d;$d' >packages/busy.c
(cd packages && "${GPROFX_CC:-gcc}" -g -O1 -pg -o busy busy.c && ./busy) || exit 1

cat >packages/try <<'PROGRAM'
#!/bin/bash
# Run in the fresh system, where this folder is /packages.
set -eu
export DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8
cd /packages
install() { apt-get -q -y --no-install-recommends install "$@"; }
report() {
	gprofx -b busy gmon.out >report 2>messages && grep -Eq '^ *(9[0-9]|100)\.[0-9]+ .* 1 .* heavy$' report &&
		grep -Eq '^ +[0-9.]+ +[0-9.]+ +1/1 +main \[[0-9]+\]$' report
}
# "!" before a command does not end the script.
none() { if "$@"; then echo "found by: $*"; return 1; fi; }
echo 'deb [trusted=yes] file:/packages ./' >/etc/apt/sources.list.d/gprofx.list
apt-get -q update

# The program alone, and what it asks for.
install gprofx-core
asked=
until report; do
	package=$(sed -n 's/^  hint: .*package \(gprofx-[a-z0-9.-]*\).*/\1/p' messages | tail -n 1)
	[ -n "$package" ]
	[[ " $asked " != *" $package "* ]]
	asked="$asked $package"
	install "$package"
done
echo "asked for:$asked"
[ -n "$asked" ]
apt-get -q -y purge 'gprofx*'
hash -r
none command -v gprofx

# Each plugin without the others, with the program and with the library.
for deb in gprofx-*_*.deb; do
	package=${deb%%_*}
	install -s "$package" >planned
	[ "$(grep -c '^Inst gprofx-' planned)" -le 2 ] || { cat planned; exit 1; }
	install -s libgprofx1 "$package" >planned
	case $package in
	gprofx-core | gprofx-doc | gprofx-mpi-*) ;;
	*) none grep '^Inst gprofx-core ' planned ;;
	esac
done

install ./gprofx_*.deb
report
gprofx -b -pbusy.c -c busy gmon.out 2>messages | grep ' heavy$'
none grep -E 'error|warning' messages
apt-get -q -y purge 'gprofx*'

install ./*.deb
report
gprofx --output=json busy gmon.out | grep -q '"heavy"'
gprofx --gnu -b -p busy gmon.out | grep -q ' heavy$'
# Each MPI's own, and the one that the name leads to.
for program in gprofx-mpi gprofx-mpi.openmpi gprofx-mpi.mpich; do
	OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 $program -b -p busy gmon.out | grep -q ' heavy$'
done
apt-get -q -y purge 'gprofx*' 'libgprofx*'
dpkg --audit
find / -xdev -name '*gprofx*' -not -path '/packages/*' -not -path '/var/l*' -not -path '/etc/apt/*' >left
none grep . left
PROGRAM
chmod +x packages/try
fresh() {
	# shellcheck disable=SC2016,SC1091 # The hooks have a shell of their own.
	unshare -m --propagation private mmdebstrap --mode=unshare --variant=apt --format=null \
		--customize-hook='copy-in packages /' --customize-hook='chroot "$1" /packages/try' \
		"$(. /etc/os-release && echo "$VERSION_CODENAME")" -
}
try 'a fresh system' fresh && grep '^asked for' log
finish
