#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# folded.figures: a program known by its stacks alone. Recursion and cycles: each stack counts once; several files
# add up, also with fractions; names can be anything; standard input; selection; what a file holds.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
need python3

# expect_text NAME: the last command printed what stands on standard input, from the first line like that on.
expect_text() {
	cat >expected
	diff -u expected out >difference || fail "$1: $(cat difference)"
}

cat >known <<-'END'
	# as recorded
	main;parse;read 3
	main;parse;read;read 2
	main;parse 1

	main;even;odd;even 4
	main;even;odd;even;odd 5
	main;even 1
END
expect_status 0 "$GPROFX" -b -p known
expect_text 'flat profile' <<-'END'
	Flat profile:

	Times are measured from call stacks, in samples.
	  %   cumulative   self                                          
	 time   samples   samples    calls self/call total/call  name    
	 31.25      5.00     5.00                                even
	 31.25     10.00     5.00                                odd
	 31.25     15.00     5.00                                read
	  6.25     16.00     1.00                                parse
	  0.00     16.00     0.00                                main
END
expect_status 0 "$GPROFX" -b -q --output=callgraph known
sed -n '/^index %/,$p' out | tr -d '\f' >graph
mv graph out
expect_text 'call graph' <<-'END'
	index % time    self  children    called     name
	                                                 <spontaneous>
	[1]    100.0    0.00   16.00                 main [1]
	                1.00    9.00                     even <cycle 1> [2]
	                1.00    5.00                     parse [4]
	-----------------------------------------------
	                4.00    5.00                     odd <cycle 1> [3]
	                1.00    9.00                     main [1]
	[2]     62.5    5.00    5.00                 even <cycle 1> [2]
	                5.00    4.00                     odd <cycle 1> [3]
	-----------------------------------------------
	                5.00    4.00                     even <cycle 1> [2]
	[3]     56.2    5.00    4.00                 odd <cycle 1> [3]
	                4.00    5.00                     even <cycle 1> [2]
	-----------------------------------------------
	                1.00    5.00                     main [1]
	[4]     37.5    1.00    5.00                 parse [4]
	                3.00    2.00                     read [5]
	-----------------------------------------------
	                2.00    0.00                     read [5]
	                3.00    2.00                     parse [4]
	[5]     31.2    5.00    0.00                 read [5]
	                2.00    0.00                     read [5]
	-----------------------------------------------

	Index by function name

	   [2] even                    [3] odd                     [5] read
	   [1] main                    [4] parse
END

# Files add up, with fractions or without: ticks are as fine as the finest number.
printf 'm;a 0.0015\nm;b 0.0019\nm;c .0009\n' >small
expect_status 0 "$GPROFX" --output=csv small
expect_match out '^"b",44\.186'
expect_match out '^"a",34\.883'
expect_match out '^"c",20\.930'
printf 'main;parse 0.5\nmain;late 1.25\n' >fractions
expect_status 0 "$GPROFX" -b -p known fractions
expect_match out ' 1\.50 +parse$'
expect_match out ' 1\.25 +late$'
expect_status 0 "$GPROFX" -b -p known known
expect_match out '^ +31\.25 +10\.00 +10\.00 +even$'

# From a pipe, and shorter than any other profile.
printf 'a 1' >short
run sh -c '"$0" -b -p - <short' "$GPROFX"
[ "$status" -eq 0 ] || fail 'standard input is not read'
expect_match out '^100\.00 +1\.00 +1\.00 +a$'
expect_status 0 "$GPROFX" -b -p short
expect_match out '^100\.00 +1\.00 +1\.00 +a$'

# Names: blanks, an empty one, marks behind them, no letters at all.
# Also a mark of the encoding, blanks before a stack, and bytes that end a text elsewhere.
printf '\xef\xbb\xbfm;a 1\n  m;a 2\n' >marked
expect_status 0 "$GPROFX" -b -p marked
expect_match out '^100\.00 +3\.00 +3\.00 +a$'
python3 -c "
for i in range(120): print('m;a 1')
print('m;g\\0h 1\\nm;g\\0i 1')" >nul
expect_status 0 "$GPROFX" -b -p nul
expect_match out ' 1\.00 +g\?h$'
expect_match out ' 1\.00 +g\?i$'
# Comments do not hide what a file is.
{ for _ in $(seq 150); do printf '# comment\n\n'; done; printf 'm;a 1\n'; } >commented
expect_status 0 "$GPROFX" -b -p commented
expect_match out ' 1\.00 +a$'
printf 'operator new;;std::vector<int, long> [x] 2\r\n12;read_[i];read 3\nread_[k] 1\n' >names
expect_status 0 "$GPROFX" -b -p names
expect_match out ' 2\.00 +std::vector<int, long> \[x\]$'
expect_match out ' 3\.00 +read$'
# What is of the kernel is in an object of its own, also where the program has a function of that name.
expect_match out ' 1\.00 +read \(\[kernel\]\)$'
"$GPROFX" --output=json names >names.json
expect_match names.json '"object":"\[kernel\]"'
expect_match out ' 0\.00 +operator new$'
expect_match out ' 0\.00 +\?$'
expect_match out ' 0\.00 +12$'

# What is printed below the tables says of no measured time that it is an estimate.
expect_status 0 "$GPROFX" known
expect_not_in out estimate
expect_in out 'as measured from call stacks'
expect_in out 'Times are measured from call stacks: the time of a function'

# Time in and below a function: the rest of the report counts nothing else.
expect_status 0 "$GPROFX" -b -q -F parse known
expect_match out '^\[2\] +100\.0 +1\.00 +5\.00 +parse \[2\]$'
expect_status 0 "$GPROFX" -b -q -E read known
expect_match out '^\[1\] +100\.0 +0\.00 +11\.00 +main \[1\]$'

expect_status 0 "$GPROFX" -i known
expect_match out '^  samples     16 samples in 6 stacks, the longest of 5 frames$'
expect_status 0 "$GPROFX" -i known fractions
expect_match out '^  stacks      8 stacks of 17\.75 samples$'

# Two numbers in each line compare two runs: the later one comes first, and both add up by themselves.
printf 'main;a 3.5 1\nmain;b 0 4\nmain;b;a 2 0\n' >compared
expect_status 0 "$GPROFX" --no-findings -b -p compared
expect_empty err
expect_match out '^ 80\.00 +4\.00 +4\.00 +0\.00 +2\.00  b$'
expect_match out '^ 20\.00 +5\.00 +1\.00 +5\.50 +5\.50  a$'
expect_match out '^ +0\.00 +5\.00 +0\.00 +0\.00 +5\.50  main$'
expect_status 0 "$GPROFX" --no-findings -b -p --metric=before compared
expect_match out '^100\.00 +5\.50 +5\.50 +1\.00 +1\.00  a$'
# A single line can also have a name that ends with a number.
printf 'main;read 3 4\n' >single
expect_status 0 "$GPROFX" --no-findings -b -p single
expect_match out ' 4\.00 +read 3$'
