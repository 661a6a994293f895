/* SPDX-License-Identifier: Apache-2.0 */
/* Records with checksums: Intel HEX, Motorola S-records, extended Tektronix HEX. */
#ifndef INPUT_HEXDUMP_RECORD_H
#define INPUT_HEXDUMP_RECORD_H

#include <stdbool.h>
#include <stdint.h>

#include "line.h"

/*
 * Reads a record as hexdump_line() does a line.  base: what is added to addresses of Intel HEX,
 * which some records set.  False: it is none.
 */
bool
hexdump_record(struct line *line, const char *text, const char *end, uint64_t *base, uint8_t *out);

#endif
