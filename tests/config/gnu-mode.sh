#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# In GNU mode no configuration is read but the one that --config names: a file of the user that would
# end the run at once does not.
. "$GPROFX_SOURCE/tests/config/lib.sh"

as_gprof
for mode in ./gprof "$GPROFX --gnu"; do
	rm -f "$user"
	expect_status 0 $mode program
	mv out expected
	printf 'nonsense: [\xff' >"$user"
	expect_status 1 "$GPROFX" program
	expect_in err "home/gprofx/config.yaml:1:"
	expect_status 0 $mode program
	expect_empty err
	expect_same expected out
	# What is well-formed is not read either.
	echo 'threads: many' >"$user"
	expect_status 0 $mode program
	expect_same expected out
	# A pipe would be waited for, a folder could not be read.
	rm "$user"
	mkfifo "$user"
	expect_status 0 $mode program
	expect_same expected out
	rm "$user"
	# Nor what the environment says.
	expect_status 0 env GPROFX_CONFIG=nonsense GPROFX_SET='nonsense: [' $mode program
	expect_same expected out

	echo 'options: { output-flat: { explain: false } }' >brief.yaml
	expect_status 0 $mode -b -p program
	mv out expected
	expect_status 0 $mode -p --config=brief.yaml program
	expect_same expected out
	expect_status 1 $mode -p --config=none.yaml program
	expect_in err 'none.yaml'
done
