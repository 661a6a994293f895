#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# scan.no-decoder: a capstone that does not start is told about; GNU mode does not ask it.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
[ "$GPROFX_BUILTIN" = 0 ] || skip 'capstone is linked in'
[ -z "${GPROFX_SANITIZE-}" ] || skip 'a library that is loaded first gets in the way of sanitizers'
make_program

cat >library.c <<-'END'
	int cs_open(int arch, int mode, void *handle);
	int cs_open(int arch, int mode, void *handle)
	{
		(void)arch;
		(void)mode;
		(void)handle;
		return 1;
	}
END
"$GPROFX_CC" -shared -fPIC -o library.so library.c || fail 'no library'
expect_status 1 env LD_PRELOAD="$PWD/library.so" "$GPROFX" -b -c program gmon.out
expect_in err 'error[scan.no-decoder]: expected a decoder of code from capstone: '
as_gprof
expect_status 0 env LD_PRELOAD="$PWD/library.so" ./gprof -b -c program gmon.out
expect_empty err
