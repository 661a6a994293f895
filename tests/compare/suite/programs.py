# SPDX-License-Identifier: Apache-2.0
"""The programs that are built, run and reported on.

Sources stand in ../programs/NAME and are copied, with their directories, to the place where the
program is built, so that the commands below name them by relative paths.
"""
import re

# Each program is run three times with these arguments: gmon.out, one.gmon, two.gmon.
ARGUMENTS = ('1', '2', '3')


class Program:
    """One executable and the names that the option sets put into their words.

    sources    the directory in ../programs, or a function that writes the files into a directory
    commands   shell words, run in order in the program's directory; they leave `prog` behind
    f, g       two functions with arcs to or from them (raw names)
    s          a static function
    caller, callee   the ends of an arc that is counted
    file       base name of the source file that holds the line marked "@line"
    """

    def __init__(self, name, sources, commands, names, remark):
        self.name, self.sources, self.remark = name, sources, remark
        self.commands = [line.split() for line in commands.strip().splitlines()]
        keys = ('f', 'g', 's', 'caller', 'callee', 'file')
        self.words = dict(zip(keys, names.split()))
        if set(self.words) != set(keys):
            raise ValueError('%s: names wanted: %s' % (name, ' '.join(keys)))

    def tools(self):
        """The programs that must be installed to build this one."""
        return sorted({words[0] for words in self.commands
                       if re.fullmatch(r'[a-z+]+', words[0])} - {'mv', 'mkdir', 'sh'})


STORE = 'mix table_put grow round_of table_put hash.c'
CYCLES = 'even ring_a odd main ring_c main.c'
TEMPLATES = ('_ZN5outer5inner9fibonacciILi3EEEii c_linkage _ZL5plaini _ZN5outer5inner9fibonacciILi4EEEii '
             '_ZN5outer5inner9fibonacciILi2EEEii main.cc')
CLASSES = ('_ZN4math6NumbermLEl _ZNK4math6NumberclEi _ZN4math12_GLOBAL__N_16helperEl '
           '_ZNK4math6NumberplERKS0_ _ZN4math12_GLOBAL__N_16helperEl number.cc')
HEADERS = 'header_work unit_work deep_work unit_work deep_work unit.c'


def programs(generate_many):
    """The table; `generate_many` writes the sources of the program of many functions."""
    return [
        Program('c-o0', 'store', '''
            gcc -pg -O0 -g main.c hash.c list.c -o prog
            ''', STORE, 'C, nothing optimized; DWARF 5'),
        Program('c-o2-sections', 'store', '''
            gcc -pg -O2 -gdwarf-4 -ffunction-sections -Wl,--gc-sections main.c hash.c list.c -o prog
            ''', STORE, 'C, a section for every function; DWARF 4'),
        Program('c-o3-lto', 'store', '''
            gcc -pg -O3 -g -flto=1 main.c hash.c list.c -o prog
            ''', STORE, 'C, optimized across files'),
        Program('c-no-debug', 'store', '''
            gcc -pg -O2 main.c hash.c list.c -o prog
            ''', STORE, 'C without debug information'),
        Program('c-no-pie', 'store', '''
            gcc -pg -O1 -g1 -no-pie -fno-pie main.c hash.c list.c -o prog
            ''', STORE, 'C at fixed addresses, with little debug information'),
        Program('c-static', 'store', '''
            gcc -pg -O1 -g -static main.c hash.c list.c -o prog
            ''', STORE, 'C with the whole library in the executable'),
        Program('c-static-pie', 'store', '''
            gcc -pg -O1 -g -static-pie main.c hash.c list.c -o prog
            ''', STORE, 'the same, loaded anywhere'),
        Program('c-dwarf-2', 'store', '''
            gcc -pg -O1 -gdwarf-2 -gstrict-dwarf main.c hash.c list.c -o prog
            ''', STORE, 'C with the oldest form of debug information'),
        Program('c-clang', 'store', '''
            clang -pg -O1 -g -gz main.c hash.c list.c -o prog
            ''', STORE, 'C by clang; compressed debug sections'),
        Program('c-clang-lines', 'store', '''
            clang -pg -O2 -gdwarf-4 -gline-tables-only -no-pie -fno-pie main.c hash.c list.c -o prog
            ''', STORE, 'C by clang; line tables and no more'),
        Program('c-mixed-debug', 'store', '''
            gcc -pg -O1 -c main.c -o main.o
            gcc -pg -O1 -gdwarf-3 -c hash.c -o hash.o
            gcc -pg -O1 -g -c list.c -o list.o
            gcc -pg main.o hash.o list.o -o prog
            ''', STORE, 'every unit with other debug information, one without'),
        Program('c-o2', 'store', '''
            gcc -pg -O2 -g main.c hash.c list.c -o prog
            ''', STORE, 'C, optimized, with inlined functions; DWARF 5'),
        Program('c-clang-o0', 'store', '''
            clang -pg -O0 -gdwarf-4 main.c hash.c list.c -o prog
            ''', STORE, 'C by clang, nothing optimized; DWARF 4'),
        Program('c-clang-o2', 'store', '''
            clang -pg -O2 -gdwarf-5 main.c hash.c list.c -o prog
            ''', STORE, 'C by clang, optimized; DWARF 5'),
        Program('c-split', 'store', '''
            gcc -pg -O1 -g -gsplit-dwarf main.c hash.c list.c -o prog
            ''', STORE, 'C with the entries of functions in other files'),
        Program('debug-link', 'store', '''
            gcc -pg -O1 -g -Wl,--build-id=none main.c hash.c list.c -o prog
            objcopy --only-keep-debug prog prog.debug
            objcopy --strip-debug --add-gnu-debuglink=prog.debug prog
            ''', STORE, 'debug information in a file of its own, found by name'),
        Program('debug-link-folder', 'store', '''
            gcc -pg -O1 -gdwarf-4 -Wl,--build-id main.c hash.c list.c -o prog
            objcopy --only-keep-debug --compress-debug-sections prog prog.debug
            objcopy --strip-debug --add-gnu-debuglink=prog.debug prog
            mkdir .debug
            mv prog.debug .debug/prog.debug
            ''', STORE, 'the same in the folder .debug, compressed'),
        Program('debug-link-wrong', 'store', '''
            gcc -pg -O1 -g -Wl,--build-id=none main.c hash.c list.c -o prog
            objcopy --only-keep-debug prog prog.debug
            objcopy --strip-debug --add-gnu-debuglink=prog.debug prog
            objcopy --remove-section=.comment prog.debug
            ''', STORE, 'the file with the debug information was changed: it does not count'),
        Program('debug-id', 'store', '''
            gcc -pg -O1 -g -Wl,--build-id=0x1234567890abcdef main.c hash.c list.c -o prog
            mkdir -p .build-id/12
            objcopy --only-keep-debug prog .build-id/12/34567890abcdef.debug
            objcopy --strip-debug prog
            ''', STORE, 'debug information found by the build-id'),
        Program('debug-zdebug', 'store', '''
            gcc -pg -O1 -gdwarf-3 main.c hash.c list.c -o prog
            objcopy --compress-debug-sections=zlib-gnu prog
            ''', STORE, 'debug sections compressed in the old way'),
        Program('no-locals', 'store', '''
            gcc -pg -O1 -g main.c hash.c list.c -o prog
            strip --discard-all prog
            ''', STORE, 'local symbols are gone'),
        Program('shapes', 'shapes', '''
            gcc -pg -O1 -g main.c flat/area.c solid/area.c -o prog
            ''', 'flat_area solid_area square sum square area.c', 'equal names of files and statics'),
        Program('shapes-no-debug', 'shapes', '''
            gcc -pg -O1 main.c flat/area.c solid/area.c -o prog
            ''', 'flat_area solid_area square sum square area.c', 'the same without lines'),
        Program('cycles', 'cycles', '''
            gcc -pg -O1 -g -fno-optimize-sibling-calls main.c rings.c -o prog
            ''', CYCLES, 'recursion of every kind'),
        Program('cycles-o2', 'cycles', '''
            gcc -pg -O2 -gdwarf-4 main.c rings.c -o prog
            ''', CYCLES, 'the same, with calls turned into jumps and copies'),
        Program('topcycle', 'topcycle', '''
            gcc -pg -O1 -g -fno-optimize-sibling-calls main.c -o prog
            ''', 'again other leaf main other main.c', 'a cycle that nobody calls'),
        Program('callbacks', 'callbacks', '''
            gcc -pg -O1 -g main.c -o prog
            ''', 'multiply compare add apply multiply main.c', 'called from outside, signals'),
        Program('threads', 'threads', '''
            gcc -pg -O1 -g -pthread main.c -o prog
            ''', 'step main deliver smooth step main.c', 'several threads'),
        Program('templates', 'templates', '''
            g++ -std=c++17 -pg -O1 -g main.cc -o prog
            ''', TEMPLATES, 'C++ templates and lambdas, long names'),
        Program('templates-clang', 'templates', '''
            clang++ -std=c++17 -pg -O2 -gdwarf-5 main.cc -o prog
            ''', TEMPLATES, 'the same by clang, optimized'),
        Program('templates-o0', 'templates', '''
            clang++ -std=c++17 -pg -O0 -gdwarf-4 main.cc -o prog
            ''', TEMPLATES, 'the same by clang, nothing optimized'),
        Program('templates-o2', 'templates', '''
            g++ -std=c++17 -pg -O2 -g main.cc -o prog
            ''', TEMPLATES, 'the same, optimized'),
        Program('classes', 'classes', '''
            g++ -pg -O1 -g main.cc number.cc -o prog
            ''', CLASSES, 'C++ classes, operators, exceptions'),
        Program('classes-o2', 'classes', '''
            g++ -pg -O2 -gdwarf-4 -static-libstdc++ -static-libgcc main.cc number.cc -o prog
            ''', CLASSES, 'the same, optimized, with the C++ library in it'),
        Program('fortran', 'fortran', '''
            gfortran -pg -O1 -g main.f90 -o prog
            ''', '__matrices_MOD_dot scale_down_ fill.0 __matrices_MOD_product_of __matrices_MOD_dot '
            'main.f90', 'Fortran modules and internal procedures'),
        Program('symbols', 'symbols', '''
            gcc -pg -O1 -g main.c -o prog
            ''', 'original weak_function chosen_fast chosen_fast original main.c',
            'aliases, weak and ifunc symbols'),
        Program('assembler', 'assembler', '''
            gcc -pg -O1 -g main.c functions.S -o prog
            ''', 'typed_function dotted.function.1 local_typed call_local local_typed main.c',
            'functions without types, labels inside functions'),
        Program('clones', 'clones', '''
            gcc -pg -O2 -g main.c more.c -o prog
            ''', 'total refill digits more digits main.c', 'optimizer clones, -O2'),
        Program('clones-o3', 'clones', '''
            gcc -pg -O3 -fno-inline-functions-called-once -fno-ipa-cp main.c more.c -o prog
            ''', 'total refill digits fold digits main.c', 'other clones, -O3, no lines'),
        Program('clones-os', 'clones', '''
            gcc -pg -Os -g main.c more.c -o prog
            ''', 'lookup_all drain digits more digits main.c', 'clones for size'),
        Program('sections', 'sections', '''
            gcc -pg -O1 -g main.c -o prog
            ''', 'first_function cold_function second_function first_function hot_function main.c',
            'code in many sections'),
        Program('entry', 'entry', '''
            gcc -pg -mfentry -O1 -g main.c -o prog
            ''', 'leaf_1 node_2 node_1 node_2 node_1 main.c', 'counted before the prologue'),
        Program('entry-small', 'entry', '''
            gcc -pg -mfentry -Os -falign-functions=1 -fno-ipa-icf main.c -o prog
            ''', 'leaf_1 node_2 node_1 node_2 node_1 main.c', 'the same, functions side by side'),
        Program('shared', 'shared', '''
            gcc -pg -O1 -g -fPIC -shared library.c -o libclash.so
            gcc -pg -O1 -g main.c ./libclash.so -o prog
            ''', 'common_name called_back detail common_name detail main.c',
            'names in common with a shared library'),
        Program('headers', 'headers', '''
            gcc -pg -O1 -g -I include ./src/main.c src/unit.c -o prog
            ''', HEADERS, 'code in headers; DWARF 5, several directories'),
        Program('headers-mapped', 'headers', '''
            gcc -pg -O1 -gdwarf-4 -I src/../include -ffile-prefix-map==/mapped/ src/main.c src/unit.c -o prog
            ''', HEADERS, 'the same; DWARF 4, other directories recorded'),
        Program('headers-clang', 'headers', '''
            clang -pg -O1 -gdwarf-5 -I include -fdebug-compilation-dir=. src/main.c ./src/unit.c -o prog
            ''', HEADERS, 'the same by clang; relative directories recorded'),
        Program('brief', 'brief', '''
            gcc -pg -O1 -g main.c -o prog
            ''', 'branch main leaf branch leaf main.c', 'ends before the first sample'),
        Program('many', generate_many, '''
            gcc -pg -O1 -g part0.c part1.c part2.c part3.c part4.c -o prog
            ''', 'work_17 work_101 helper_40 main work_0 part1.c', 'some hundred functions'),
    ]
