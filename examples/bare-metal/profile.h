/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A profile of a program that runs without an operating system: calls that gcc's -pg counts, and
 * samples that a timer takes.  All memory is fixed.  Compile profile.c, and the entry of your
 * machine's mcount, without -pg.
 *
 * One processor.  Interrupt handlers can be compiled with -pg, too: tables only change while
 * interrupts are disabled.
 */
#ifndef PROFILE_H
#define PROFILE_H

#include <stddef.h>
#include <stdint.h>

/* Counters of samples, 2 bytes each.  If the code has more than 4 times as many bytes, each stands
 * for more of them. */
#ifndef PROFILE_BINS
#define PROFILE_BINS 4096
#endif

/* Pairs of a call and the function that it calls, 12 bytes each: a power of 2.  Tables that are
 * three quarters full are still fast. */
#ifndef PROFILE_ARCS
#define PROFILE_ARCS 512
#endif

/*
 * Begins: what is in [low, high) is code, and profile_sample() is called "rate" times a second.
 * Before that nothing is recorded.
 */
void profile_start(uintptr_t low, uintptr_t high, uint32_t rate);

/* From now on nothing is recorded.  What was is kept; profile_start() would clear it. */
void profile_stop(void);

/* From the interrupt of a timer: pc is the address that it interrupted. */
void profile_sample(uintptr_t pc);

/*
 * From mcount: a call that returns to "from" has entered the function that "self" is in.  Only
 * assembly may call it, which optimization of the whole program does not see.
 */
__attribute__((used)) void profile_count(uintptr_t from, uintptr_t self);

/*
 * Writes the profile as gmon.out has it, byte by byte.  Nothing is recorded any more.  Returns how
 * many calls were not counted, since PROFILE_ARCS is too small.
 */
uint32_t profile_dump(void (*put)(uint8_t byte));

/* Of the machine: disables interrupts and returns what profile_enable() restores. */
uintptr_t profile_disable(void);
void profile_enable(uintptr_t before);

#endif
