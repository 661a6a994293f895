/* SPDX-License-Identifier: Apache-2.0 */
/* What the two files of the profiled program share. */
#ifndef PROGRAM_H
#define PROGRAM_H

#define NOT_INLINE __attribute__((noinline, noclone))

extern volatile unsigned sink;

unsigned tree(unsigned depth);
unsigned even(unsigned n);
unsigned odd(unsigned n);
void weak(unsigned turns);
void named(unsigned turns);
void also_named(unsigned turns);
void other_work(unsigned turns);
void idle(void);

#endif
