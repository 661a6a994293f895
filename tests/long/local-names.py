#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Functions that compilers make, whatever they are called: each has a row with its own samples and calls.

    local-names.py BUILD [--seed N] [--count N]

Programs in C, C++, Fortran, Ada and Rust are compiled with randomly chosen flags, and random profiles of them
are written. The truth is what readelf says: every typed symbol with a size is a function, and has the bins
that lie in it and the calls of its address.
"""
import argparse
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path[:0] = [os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, 'tools')]

from gmonfile import Profile                                        # noqa: E402

C = '''
#include <stdlib.h>
volatile double sink;
static int __attribute__((noinline)) with$dollar(int k) { sink += k; return k; }
static int __attribute__((noinline)) dotted(int k) __asm__("dotted.name.here");
static int __attribute__((noinline)) dotted(int k) { sink *= k; return k; }
static int __attribute__((noinline)) cut(int *p, int n) { if (!p) return 0; if (n == 7) abort(); sink += n; return *p; }
static int __attribute__((noinline)) same(int a, int b) { sink += a * b; return a; }
int main(int c, char **v) {
  double t = 0;
  #pragma omp parallel for reduction(+:t)
  for (int i = 0; i < 100; i++) t += i;
  #pragma omp parallel
  {
  #pragma omp single
  {
  #pragma omp task
  sink += 1;
  }
  }
  return with$dollar(c) + dotted(c) + cut(&c, c) + same(c, 3) + same(c + 1, 3) + (int)t;
}
'''
GNU_C = C + '''
__attribute__((target_clones("avx2", "sse4.2", "default"))) double kernel(double *a, int n) { double s = 0; for (int i = 0; i < n; i++) s += a[i]; return s; }
static void __attribute__((noinline)) apply(void (*f)(int), int n) { for (int i = 0; i < n; i++) f(i); }
int outer(int n) { int t = 0; void inner(int k) { t += k; sink += t; } apply(inner, n); return t; }
'''
CPP = '''
#include <algorithm>
#include <vector>
#include <string>
volatile double sink;
namespace { struct Hidden { __attribute__((noinline)) void run(int k) { sink += k; } }; }
template<class F> __attribute__((noinline)) static void each(int n, F f) { for (int i = 0; i < n; i++) f(i); }
static auto at_file = [](int k) __attribute__((noinline)) { sink += k; };
struct Outer { __attribute__((noinline)) void go(int n) { auto in = [n](auto k) __attribute__((noinline)) { sink += k * n; }; in(1); in(1.5); } };
static int throws(int n) { if (n > 99) throw std::string("x"); return n; }
int main(int c, char **v) {
  auto l = [](int k) __attribute__((noinline)) { sink *= k; };
  l(c); at_file(c); Hidden().run(c); Outer().go(c); each(c, l);
  std::vector<int> w{3, 1, c}; std::sort(w.begin(), w.end(), [](int a, int b) { return a > b; });
  double t = 0;
  #pragma omp parallel for reduction(+:t)
  for (int i = 0; i < 100; i++) t += i;
  try { return throws(c) + w[0] + (int)t; } catch (std::string &s) { return (int)s.size(); }
}
'''
COROUTINE = '''
#include <coroutine>
volatile double sink;
struct T { struct promise_type { T get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
  std::suspend_always initial_suspend() { return {}; } std::suspend_always final_suspend() noexcept { return {}; }
  void unhandled_exception() {} void return_void() {} std::suspend_always yield_value(int) { return {}; } };
  std::coroutine_handle<promise_type> h; };
T numbers(int n) { for (int i = 0; i < n; i++) { sink += i; co_yield i; } }
static T others(int n) { auto l = [](int k) -> T { co_yield k; }; l(n).h.resume(); for (int i = 0; i < n; i++) { sink *= i; co_yield i; } }
int main(int c, char **v) { T t = numbers(c), u = others(c); t.h.resume(); u.h.resume(); return 0; }
'''
FORTRAN = '''
module m
contains
subroutine modsub(n, r)
 integer :: n, i; real(8) :: r
 do i = 1, n
  r = r + sqrt(real(i, 8))
 end do
end subroutine
end module
program main
 use m
 real(8) :: r = 0
 call modsub(10, r)
 call inside(10)
 print *, r
contains
 recursive subroutine inside(n)
  integer :: n, i
  !$omp parallel do reduction(+:r)
  do i = 1, n
   r = r + 1.0 / i
  end do
 end subroutine
end program
'''
ADA = '''
procedure Main is
   S : Long_Float := 0.0;
   procedure Inner (N : Integer) is
      procedure Deeper (K : Integer) is
      begin
         S := S + Long_Float (K);
      end Deeper;
   begin
      for I in 1 .. N loop
         Deeper (I);
      end loop;
   end Inner;
begin
   Inner (10);
end Main;
'''
RUST = '''
use std::hint::black_box;
struct P { x: f64 }
trait T { fn go(&self, n: i32) -> f64; }
impl T for P { #[inline(never)] fn go(&self, n: i32) -> f64 { self.x + black_box(n as f64) } }
mod inner { #[inline(never)] pub fn generic<A: Into<f64> + Copy>(a: A) -> f64 { std::hint::black_box(a.into()) } }
fn main() { let p = P { x: 1.0 }; let c = |n: i32| black_box(n as f64); println!("{}", p.go(3) + inner::generic(1.0f32) + inner::generic(3i32) + black_box(&c)(2)); }
'''

# What the report leaves out on purpose: the profiling itself.
COLLECTOR = ('mcount', '_mcount', '__mcount', '__mcount_internal', '__fentry__')
LEVELS = ('-O0', '-O1', '-O2', '-O3', '-Os', '-Og')
LINKS = (('-no-pie', '-fno-pie'), ('-pie', '-fPIE'), ('-static',))
SYMBOL = re.compile(r'^ *\d+: ([0-9a-f]+) +(\d+|0x[0-9a-f]+) (\w+) +(\w+) +\w+ +(\S+) (.*)$')


def choose(r):
    """A file name with its text, and the command that compiles it."""
    kind = r.choice(('c', 'c', 'gnu-c', 'gnu-c', 'c++', 'c++', 'coroutine', 'fortran', 'ada', 'rust'))
    flags = [r.choice(LEVELS), *r.choice(LINKS)]
    if r.random() < 0.3:
        flags.append('-g')
    if kind == 'rust':
        return 'p.rs', RUST, ['rustc', '-Copt-level=%d' % r.randrange(4), '-Csymbol-mangling-version=' +
                              r.choice(('v0', 'legacy')), '-Zunstable-options', '-Zinstrument-mcount',
                              '-Clink-arg=-pg']
    if kind == 'ada':
        return 'main.adb', ADA, ['gnatmake', '-q', r.choice(LEVELS), '-pg', '-gnatws', '-largs', '-pg']
    if kind == 'fortran':
        return 'p.f90', FORTRAN, ['gfortran', '-pg', '-fopenmp', *flags]
    compilers = {'c': ('gcc', 'clang'), 'gnu-c': ('gcc',), 'c++': ('g++', 'clang++'), 'coroutine': ('g++',)}
    compiler = r.choice(compilers[kind])
    if 'clang' in compiler:
        flags = [flag if flag != '-Og' else '-O1' for flag in flags]
    elif r.random() < 0.3:
        flags.append('-flto')
    if kind == 'coroutine':
        return 'p.cc', COROUTINE, [compiler, '-pg', '-std=c++20', '-fcoroutines', *flags]
    if r.random() < 0.7:
        flags.append('-fopenmp')
    if kind == 'c++':
        return 'p.cc', CPP, [compiler, '-pg', *flags]
    return 'p.c', GNU_C if kind == 'gnu-c' else C, [compiler, '-pg', *flags]


def functions(program):
    """{address: size} of what is typed as a function and has a size and a name."""
    lines = subprocess.run(['readelf', '-sW', program], capture_output=True, text=True, check=True).stdout
    table = lines[lines.index("'.symtab'"):]
    found = {}
    for line in table.split('\n'):
        match = SYMBOL.match(line)
        if match and match[3] == 'FUNC' and match[5] not in ('UND', 'ABS') and int(match[2], 0) > 0:
            address = int(match[1], 16)
            found[address] = max(found.get(address, 0), int(match[2], 0))
    return found


def write_profile(r, truth):
    """A profile with samples and calls anywhere; the ticks that each function has for certain, and its calls."""
    low = min(truth) & ~3
    high = (max(address + size for address, size in truth.items()) + 3) & ~3
    bins = [r.choice((0, 0, 0, 1, 3, 50)) for _ in range((high - low) // 4)]
    ticks, owners = {}, {}
    for address, size in truth.items():
        for at in range((address - low + 3) // 4, (address + size - low) // 4):
            owners.setdefault(at, []).append(address)
    for at, sharing in owners.items():
        # Functions that overlap, as labels do in assembler code, are nobody's for certain.
        if len(sharing) == 1 and bins[at]:
            ticks[sharing[0]] = ticks.get(sharing[0], 0) + bins[at]
    calls = {address: r.randrange(1, 1000) for address in truth}
    profile = Profile().histogram(low, high, bins)
    caller = r.choice(sorted(truth))
    for address, count in calls.items():
        profile.arc(caller + 1, address, count)
    return profile.bytes(), ticks, calls, sum(bins)


def try_one(program, r, folder):
    """A word about what is wrong, None, or False: nothing could be compiled."""
    name, text, command = choose(r)
    if not shutil.which(command[0]):
        return False
    with open(os.path.join(folder, name), 'w') as f:
        f.write(text)
    words = command[:1] + [name, '-o', 'program'] + command[1:]
    built = subprocess.run(words, cwd=folder, capture_output=True, env={**os.environ, 'RUSTC_BOOTSTRAP': '1'})
    if built.returncode != 0:
        return False
    image = os.path.join(folder, 'program')
    truth = functions(image)
    data, ticks, calls, total = write_profile(r, truth)
    with open(os.path.join(folder, 'gmon'), 'wb') as f:
        f.write(data)
    run = subprocess.run([program, '--no-findings', '--correct=no-call-sites', '--output=json', 'program', 'gmon'],
                         cwd=folder, capture_output=True, text=True, timeout=300)
    if run.returncode != 0:
        return '%s: %s' % (' '.join(words), run.stderr)
    rows = {int(row['address'], 16): row for row in json.loads(run.stdout)['functions'] if row['address']}
    for address in truth:
        row = rows.get(address)
        if not row:
            return '%s: no row at 0x%x' % (' '.join(words), address)
        made = row['calls'] + row['recursive_calls']
        if made != calls[address]:
            return '%s: %s has %d calls, not %d' % (' '.join(words), row['raw_name'], made, calls[address])
        if row['raw_name'] not in COLLECTOR and row['self_ticks'] < ticks.get(address, 0) - 1e-6:
            return '%s: %s has %f ticks, not %d' % (' '.join(words), row['raw_name'], row['self_ticks'],
                                                    ticks[address])
    shown = sum(row['self_ticks'] for row in json.loads(run.stdout)['functions'])
    return None if shown <= total + 1e-3 else '%s: %f of %d ticks' % (' '.join(words), shown, total)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('build')
    parser.add_argument('--seed', type=int, default=random.randrange(1 << 30))
    parser.add_argument('--count', type=int, default=150)
    asked = parser.parse_args()
    program, passed, failed, skipped = os.path.abspath(os.path.join(asked.build, 'bin', 'gprofx')), 0, 0, 0
    print('seed %d' % asked.seed)
    for i in range(asked.count):
        with tempfile.TemporaryDirectory() as folder:
            problem = try_one(program, random.Random(asked.seed + i), folder)
        if problem:
            print('seed %d: %s' % (asked.seed + i, problem))
        failed += bool(problem)
        skipped += problem is False
        passed += problem is None
    if skipped:
        print('%d could not be compiled' % skipped)
    print('local-names: %d passed, %d failed' % (passed, failed))
    return 1 if failed or not passed else 0


if __name__ == '__main__':
    sys.exit(main())
