#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# fortran-names: procedures of Fortran modules have the names that their source has. The truth: the names of the source.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
need python3

python3 - <<'END' || fail 'nothing was made'
from profiled import Program
names = ['main', '__grid_mod_MOD_norm', '__grid_mod_MOD___copy_grid_mod_Cell', '__shapes.growing_MOD_helper',
         '~__grid_mod_MOD_norm.constprop.0', '~__grid_mod_MOD_sum._omp_fn.1', '__Upper_MOD_case', '__UPPER_MOD_CASE',
         '__x_MOD_', '___MOD_f', '__x_MODE_f', '_MOD_f', '_ZN1a7__MOD_fEv', 'MAIN__', 'plain_']
program = Program(names)
open('program', 'wb').write(program.bytes())
arcs = [('main', name, 1) for name in program.names[1:-1]]
open('gmon.out', 'wb').write(program.profile({name: 2 for name in program.names[:-1]}, arcs).bytes())
END

# names OPTION...: those of the flat profile.
names() {
	expect_status 0 "$GPROFX" --no-findings -b -p "$@" program
	sed -nE 's/^ +[0-9.]+ +[0-9.]+ +[0-9.]+ +[0-9]+ +[^ ]+ +[^ ]+ +//p' out | LC_ALL=C sort
}
cat >shown <<'END'
MAIN__
_MOD_f
__UPPER_MOD_CASE
__Upper_MOD_case
___MOD_f
__x_MODE_f
__x_MOD_
a::__MOD_f()
grid_mod::__copy_grid_mod_Cell
grid_mod::norm
grid_mod::norm [clone .constprop.0]
grid_mod::sum [omp 1]
plain_
shapes.growing::helper
END
names >found
expect_same shown found
for option in --no-demangle --demangle=gnu-v3 --correct=no-fortran-names; do
	names $option >found
	grep -qx __grid_mod_MOD_norm found || fail "shown in another way: $option"
	grep -qx __shapes.growing_MOD_helper found || fail "shown in another way: $option"
	! grep -q grid_mod:: found || fail "shown in another way: $option"
done
names --correct=no-local-names >found
grep -qx grid_mod::norm found || fail 'not shown'
expect_status 0 "$GPROFX" --gnu -b -p program
expect_match out ' __grid_mod_MOD_norm$'
expect_not_in out grid_mod::
expect_status 0 "$GPROFX" --gnu --correct=fortran-names -b -p program
expect_match out ' grid_mod::norm$'

# Both names select it; so do those of parts and clones, as reports show them. Shorter forms keep what is behind.
for name in grid_mod::norm __grid_mod_MOD_norm 'grid_mod::sum [omp 1]' 'grid_mod::norm [clone .constprop.0]' \
	shapes.growing::helper; do
	for option in --demangle --no-demangle; do
		[ "$option" = --demangle ] || case $name in *' '*) continue ;; esac
		expect_status 0 "$GPROFX" --no-findings -b -p "-p$name" $option program
		expect_empty err
		[ "$(grep -c '^ *[0-9]' out)" -ge 1 ] || fail "nothing for $name"
		expect_not_in out plain_
	done
done
names --output-option=flat.names=no-templates >found
sed "s/()//" shown >short
expect_same short found
# Other letters are a hint's matter.
expect_status 1 "$GPROFX" --no-findings -b -p -pGrid_Mod::Norm program
expect_in err 'hint: did you mean grid_mod::norm?'
expect_status 1 "$GPROFX" --no-findings -b -p -pnorn --no-demangle program
expect_in err 'hint: did you mean __grid_mod_MOD_norm?'
# Other formats have both.
expect_status 0 "$GPROFX" --no-findings -b --output=json program
expect_in out '"grid_mod::norm"'
expect_in out '"__grid_mod_MOD_norm"'
# Stacks name them in either way.
printf '%s\n' 'main;__grid_mod_MOD_norm 3' 'main;grid_mod::norm 4' >stacks
expect_status 0 "$GPROFX" --no-findings -b -p program stacks
expect_match out ' 7[.]00 +7[.]00 +grid_mod::norm$'
