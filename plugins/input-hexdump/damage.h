/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is wrong with dumps.  The dump that is open, or that was left, is damaged and ends; the
 * first damage is kept, for what reports it.
 */
#ifndef INPUT_HEXDUMP_DAMAGE_H
#define INPUT_HEXDUMP_DAMAGE_H

#include <stddef.h>
#include <stdint.h>

#include "capture.h"
#include "line.h"

/* Equal lines would have to fill too many bytes. */
void damage_too_long(struct capture *capture);

/* The next bytes are at a later address. */
void damage_gap(struct capture *capture, uint64_t address);

/* The profile that another dump interrupted goes on at the address. */
void damage_left(struct capture *capture, uint64_t address);

/* The line before has fewer bytes than the others. */
void damage_short(struct capture *capture, size_t expected, size_t found);

/* The line ends within a byte. */
void damage_part(struct capture *capture);

/* A byte was another one in a line before. */
void damage_overlap(struct capture *capture, uint64_t address, unsigned expected, unsigned found);

/* The text ends without the last record of a format that has one. */
void damage_no_end(struct capture *capture);

void damage_record(struct capture *capture, const struct line *line);

#endif
