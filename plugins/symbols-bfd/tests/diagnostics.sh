#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# bfd.no-library and bfd.failed: what takes the place of libbfd crashes, ends, and cannot write files.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
need python3 gcc
"$GPROFX" --list-plugins | grep -q '^symbols-bfd' || skip 'symbols-bfd was not built'

python3 -c 'import struct; open("image", "wb").write(struct.pack("<HHIQIHH", 0x183, 1, 0, 64, 96, 80, 7) + bytes(400))'
python3 - <<'END' || fail 'no profile was made'
from gmonfile import Profile
open('gmon.out', 'wb').write(Profile().histogram(0x1000, 0x1030, [1] * 24).bytes())
END
cat >fake.c <<'PROGRAM'
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
unsigned bfd_init(void) { return 0; }
void *bfd_openr_iovec(void)
{
	const char *way = getenv("WAY");
	if (strcmp(way, "crash") == 0)
		raise(SIGSEGV), abort();
	if (strcmp(way, "other") == 0) {
#ifdef __x86_64__
		/* The numbers of i386 are others, and the filter knows those of this machine. */
		long result = 0;
		__asm__ volatile("int $0x80" : "=a"(result) : "a"(20) : "memory");
#endif
		_exit(0);
	}
	if (open("written", O_CREAT | O_WRONLY, 0600) >= 0 || fork() >= 0)
		abort();
	_exit(0);
}
int bfd_check_format(void) { return 0; }
int bfd_get_error(void) { return 0; }
const char *bfd_errmsg(int error) { (void)error; return "no words"; }
int bfd_decode_symclass(void) { return '?'; }
void *bfd_get_section_by_name(void) { return 0; }
const char *bfd_printable_name(void) { return ""; }
void *bfd_set_error_handler(void) { return 0; }
void *bfd_set_assert_handler(void) { return 0; }
PROGRAM
gcc -shared -fPIC fake.c -o fake.so || fail 'cannot build'
printf 'options: { symbols-bfd: { library: "%s" } }\n' "$PWD/fake.so" >fake.yaml
printf 'options: { symbols-bfd: { library: "%s" } }\n' "$PWD/none.so" >none.yaml
printf 'options: { symbols-bfd: { library: "%s" } }\n' "$(gcc -print-file-name=libm.so.6)" >other.yaml

expect_status 1 "$GPROFX" --config=none.yaml -b image gmon.out
expect_in err 'error[bfd.no-library]: image: cannot load the libbfd that knows the format: '
expect_in err 'hint: install the package binutils-multiarch, or unpack it and name its library: symbols-bfd.library'
expect_empty out
expect_status 1 "$GPROFX" --config=other.yaml -b image gmon.out
expect_match err 'error\[bfd\.no-library\]: image: .*: undefined symbol: bfd_'
# A sanitizer reports crashes itself, and needs more system calls.
[ -z "${GPROFX_SANITIZE-}" ] || exit 0
WAY=crash expect_status 1 "$GPROFX" --config=fake.yaml -b image gmon.out
expect_in err 'error[bfd.failed]: image: libbfd crashed over the file, with signal '
WAY=write expect_status 1 "$GPROFX" --config=fake.yaml -b image gmon.out
expect_in err 'error[bfd.failed]: image: libbfd ended over the file without an answer'
if [ "$(uname -m)" = x86_64 ]; then
	WAY=other expect_status 1 "$GPROFX" --config=fake.yaml -b image gmon.out
	expect_in err 'error[bfd.failed]: image: libbfd crashed over the file, with signal 31'
fi
[ ! -e written ] || fail 'the child wrote a file'
# In GNU mode the program has the words of GNU gprof.
WAY=write expect_status 1 "$GPROFX" --gnu --config=fake.yaml -b image gmon.out
expect_empty out
