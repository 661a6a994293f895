#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# What the list says of files of every form: each figure is that of what was put in.
. "$GPROFX_SOURCE/plugins/output-info/tests/lib.sh"

python3 - <<'END' || fail 'no profiles were made'
from gmonfile import (Block, Profile, block_listing, bsd_profile, converted_blocks, library_profile,
                      prof_profile)
from profiled import Program
program = Program(['main', 'work', 'left'], step=64)
open('program', 'wb').write(program.bytes())
base, end = program.base, program.end
bins = [5, 0, 7, 65535, 60000, 0, 0, 0]
main, work = base + 4, base + 64
files = {
    'tagged': Profile().histogram(base, end, bins).arc(main, work, 3).arc(main, work, 4)
              .arc(0x10, work, 2).arc(main, 0x20, 1).blocks([(base, 3)]).blocks([]),
    'old': bsd_profile(base, end, [1, 2, 3, 4], [(main, work, 1)]),
    'new': bsd_profile(base, end, [1, 2, 3, 4], [(main, work, 1)], rate=250),
    # Two ranges, one of them outside of the program and one in two records; another unit.
    'ranges': Profile().histogram(0x900000, 0x900040, [6, 6], 10, b'tons\x1b[1m', b't')
              .histogram(base, base + 64, [1, 0], 10, b'tons\x1b[1m', b't')
              .histogram(base, base + 64, [9, 0], 10, b'tons\x1b[1m', b't'),
    'no-rate': Profile().histogram(base, end, [2, 2], 0),
    'uneven': Profile().histogram(base, base + 100, [2, 0, 1], 1000),
    'empty': Profile(version=0),
    'library': library_profile(base, end, [3, 1], [(main, work, 4), (0, work, 5), (0, end + 8, 2)],
                               32, '>', room=9),
    'counts': prof_profile(base, end, [(main, 6), (work, 2)], [1] * 4, 32),
    'listed': block_listing([('a.c', [Block(3, base)]), ('b.c', [Block(4, base + 2)])]),
    'converted': converted_blocks([('a.c', [Block(3, base)]), ('b.c', [])], '>'),
    'idle': Profile().histogram(base, end, [0] * 8).arc(main, work, 0),
    'odd\x1b\xff\xc2\x85name': Profile(),
}
for name, data in files.items():
    open(name.encode('latin-1') if 'odd' in name else name, 'wb').write(
        data if isinstance(data, bytes) else data.bytes())
END

expect_list tagged <<'END'
tagged
  format      magic, version 1, little-endian, 64-bit addresses
  reader      input-gmon-magic
  file        187 bytes, written at TIME
  samples     125547, 1255.47 seconds; all of them in known functions
  histogram   0x401000-0x401100: 8 bins of 32 bytes, 16-bit counters
              125547 samples, at most 65535 in a bin; 100 samples a second
  full bins   1, and 1 nearly so: further samples there are lost
  calls       10 by 3 arcs in 4 records; 7 of them (70.00%) by 1 arc between known functions
  blocks      1 basic block in 2 lists
END
expect_list old <<'END'
old
  format      bsd, little-endian, 64-bit addresses
  reader      input-bsd
  file        52 bytes, written at TIME
  samples     10, 0.10 seconds; all of them in known functions
  histogram   0x401000-0x401100: 4 bins of 64 bytes, 16-bit counters
              10 samples, at most 4 in a bin; 100 samples a second (as usual, not stated)
  full bins   none
  calls       1 by 1 arc; all of them by 1 arc between known functions
END
expect_list new <<'END'
new
  format      4.4bsd, version 0x51879, little-endian, 64-bit addresses
  reader      input-4.4bsd
  file        72 bytes, written at TIME
  samples     10, 0.040 seconds; all of them in known functions
  histogram   0x401000-0x401100: 4 bins of 64 bytes, 16-bit counters
              10 samples, at most 4 in a bin; 250 samples a second
  full bins   none
  calls       1 by 1 arc; all of them by 1 arc between known functions
END
expect_list ranges <<'END'
ranges
  format      magic, version 1, little-endian, 64-bit addresses
  reader      input-gmon-magic
  file        155 bytes, written at TIME
  samples     22, 2.20 tons\x1b[1m; 10 of them (45.45%) in known functions
              the others are in PLT stubs, or in no function
  histogram   0x401000-0x401040: 2 bins of 32 bytes, 16-bit counters
              10 samples, at most 9 in a bin, in 2 records; 10 samples a unit, the unit is "tons\x1b[1m"
  histogram   0x900000-0x900040: 2 bins of 32 bytes, 16-bit counters
              12 samples, at most 6 in a bin; 10 samples a unit, the unit is "tons\x1b[1m"
  full bins   none
  calls       no arcs
END
expect_list no-rate <<'END'
no-rate
  format      magic, version 1, little-endian, 64-bit addresses
  reader      input-gmon-magic
  file        65 bytes, written at TIME
  samples     4; all of them in known functions
  histogram   0x401000-0x401100: 2 bins of 128 bytes, 16-bit counters
              4 samples, at most 2 in a bin; the rate is not known
  full bins   none
  calls       no arcs
END
expect_list uneven <<'END'
uneven
  format      magic, version 1, little-endian, 64-bit addresses
  reader      input-gmon-magic
  file        67 bytes, written at TIME
  samples     3, 0.003 seconds; all of them in known functions
  histogram   0x401000-0x401064: 3 bins of 33.3333 bytes, 16-bit counters
              3 samples, at most 2 in a bin; 1000 samples a second
  full bins   none
  calls       no arcs
END
expect_list library <<'END'
library
  format      ldprofile, version 0x1ffff, big-endian, 32-bit addresses
  reader      input-ldprofile
  file        176 bytes, written at TIME
  samples     4, 0.04 seconds; all of them in known functions
  histogram   0x401000-0x401100: 2 bins of 128 bytes, 16-bit counters
              4 samples, at most 3 in a bin; 100 samples a second
  full bins   none
  calls       4 by 1 arc; all of them by 1 arc between known functions
              7 of unknown callers; 5 of them (71.43%) of known functions
END
expect_list counts <<'END'
counts
  format      prof, little-endian, 32-bit addresses
  reader      input-prof
  file        36 bytes, written at TIME
  samples     4, 0.04 seconds; all of them in known functions
  histogram   0x401000-0x401100: 4 bins of 64 bytes, 16-bit counters
              4 samples, at most 1 in a bin; 100 samples a second (as usual, not stated)
  full bins   none
  calls       8 of unknown callers; all of them of known functions
END
expect_list listed converted <<'END'
listed
  format      bb, listing
  reader      input-bb
  file        220 bytes, written at TIME
  samples     no histogram
  calls       no arcs
  blocks      2 basic blocks in 2 lists

converted
  format      bb, converted, big-endian, 32-bit addresses
  reader      input-bb
  file        38 bytes, written at TIME
  samples     no histogram
  calls       no arcs
  blocks      1 basic block in 2 lists

2 files together
  written     from TIME to TIME
  samples     0; 0 in each file
              2 files have none
  calls       0; 0 in each file
              2 files have none
END
expect_list idle empty <<'END'
idle
  format      magic, version 1, little-endian, 64-bit addresses
  reader      input-gmon-magic
  file        98 bytes, written at TIME
  samples     0, 0.00 seconds
  histogram   0x401000-0x401100: 8 bins of 32 bytes, 16-bit counters
              0 samples; 100 samples a second
  full bins   none
  calls       0 by 1 arc; 1 arc between known functions

empty
  format      magic, version 0, little-endian, 64-bit addresses
  reader      input-gmon-magic
  file        20 bytes, written at TIME
  samples     no histogram
  calls       no arcs

2 files together
  written     from TIME to TIME
  samples     0, 0.00 seconds; 0 in each file
              2 files have none
  calls       0; 0 in each file
              2 files have none
END
# Names are shown so that a terminal does not obey them.
expect_status 0 "$GPROFX" -i program "$(printf 'odd\033\377\302\205name')"
[ "$(head -n 1 out)" = 'odd\x1b\xff\xc2\x85name' ] || fail 'the name is not shown so'
# Standard input has no name.
expect_status 0 bash -c '"$0" -i program - <tagged' "$GPROFX"
[ "$(head -n 1 out)" = 'standard input' ] || fail 'standard input is called otherwise'
