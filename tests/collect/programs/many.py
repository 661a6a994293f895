# SPDX-License-Identifier: Apache-2.0
"""Prints a C program in which SITES calls through a pointer reach COUNT functions, ten times each."""
import sys

count, sites = int(sys.argv[1]), int(sys.argv[2])
print('static volatile long sum;')
for i in range(count):
    print('__attribute__((noinline)) void f%d(void) { sum += %d; }' % (i, i))
print('void (*const functions[])(void) = {%s};' % ', '.join('f%d' % i for i in range(count)))
print('int main(void) { for (int k = 0; k < 10; k++) for (int i = 0; i < %d; i++) { %s } return 0; }'
      % (count, 'functions[i](); ' * sites))
