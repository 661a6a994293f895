/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The tables of unwind information (.eh_frame_hdr, .eh_frame) of what is loaded. */
#include "cfi-tables.h"

#include "cfi.h"

uint64_t
cfi_bytes(struct cursor *cursor, size_t count)
{
	uint64_t value = 0;

	if ((size_t)(cursor->end - cursor->at) < count) {
		cursor->has_failed = true;
		cursor->at = cursor->end;
		return 0;
	}
	for (size_t i = 0; i < count; i++)
		value |= (uint64_t)cursor->at[i] << 8 * i;
	cursor->at += count;
	return value;
}

int64_t
cfi_signed(struct cursor *cursor, size_t count)
{
	uint64_t value = cfi_bytes(cursor, count);
	unsigned shift = 64 - 8 * (unsigned)count;

	return (int64_t)(value << shift) >> shift;
}

uint64_t
cfi_uleb(struct cursor *cursor)
{
	uint64_t value = 0;

	for (unsigned shift = 0; !cursor->has_failed; shift += 7) {
		uint64_t byte = cfi_bytes(cursor, 1);

		if (shift < 64)
			value |= (byte & 0x7f) << shift;
		if (!(byte & 0x80))
			break;
	}
	return value;
}

int64_t
cfi_sleb(struct cursor *cursor)
{
	uint64_t value = 0, byte = 0;
	unsigned shift = 0;

	do {
		byte = cfi_bytes(cursor, 1);
		if (shift < 64)
			value |= (byte & 0x7f) << shift;
		shift += 7;
	} while (byte & 0x80);
	if (byte & 0x40 && shift < 64)
		value |= ~UINT64_C(0) << shift;
	return (int64_t)value;
}

/* A pointer in an encoding of these sections (DW_EH_PE_*); base: of those relative to data. */
static uint64_t
take_pointer(struct cursor *cursor, uint8_t encoding, uint64_t base)
{
	enum { ALIGNED = 0x50, OMITTED = 0xff, INDIRECT = 0x80, RELATIVE = 0x70 };
	uint64_t here = (uint64_t)(uintptr_t)cursor->at, value;

	if (encoding == OMITTED)
		return 0;
	switch (encoding & 0x0f) {
	case 0x00:
	case 0x04:
	case 0x0c:
		value = cfi_bytes(cursor, 8);
		break;
	case 0x01:
		value = cfi_uleb(cursor);
		break;
	case 0x02:
		value = cfi_bytes(cursor, 2);
		break;
	case 0x03:
		value = cfi_bytes(cursor, 4);
		break;
	case 0x09:
		value = (uint64_t)cfi_sleb(cursor);
		break;
	case 0x0a:
		value = (uint64_t)cfi_signed(cursor, 2);
		break;
	case 0x0b:
		value = (uint64_t)cfi_signed(cursor, 4);
		break;
	default:
		cursor->has_failed = true;
		return 0;
	}
	switch (encoding & RELATIVE) {
	case 0x00:
		return value;
	case 0x10:
		return value + here;
	case 0x30:
		return value + base;
	default:
		cursor->has_failed = true;
		return 0;
	}
}

/* A part of the section, at the length that it begins with; false: its end, or not in the image. */
static bool
take_entry(const struct cfi_image *image, uint64_t at, struct cursor *entry)
{
	struct cursor length = {(const uint8_t *)(uintptr_t)at, image->high, false};
	uint64_t bytes;

	if (at < (uint64_t)(uintptr_t)image->low || at >= (uint64_t)(uintptr_t)image->high)
		return false;
	bytes = cfi_bytes(&length, 4);
	if (bytes == UINT32_MAX)
		bytes = cfi_bytes(&length, 8);
	if (bytes == 0 || bytes > (uint64_t)(length.end - length.at))
		return false;
	*entry = (struct cursor){length.at, length.at + bytes, false};
	return true;
}

/* What functions have in common (CIE); the encoding of their addresses. */
static bool
read_common(struct function *function, const struct cfi_image *image, uint64_t at,
            uint8_t *encoding, bool *has_more)
{
	const uint8_t *letters;
	struct cursor entry;
	uint8_t version;

	*encoding = 0;
	*has_more = false;
	function->is_signal_frame = false;
	if (!take_entry(image, at, &entry) || cfi_bytes(&entry, 4) != 0)
		return false;
	version = (uint8_t)cfi_bytes(&entry, 1);
	letters = entry.at;
	while (cfi_bytes(&entry, 1) != 0) {
	}
	if (entry.has_failed || (version != 1 && version != 3))
		return false;
	function->code_unit = cfi_uleb(&entry);
	function->data_unit = cfi_sleb(&entry);
	function->return_register = (uint32_t)(version == 1 ? cfi_bytes(&entry, 1)
	                                                    : cfi_uleb(&entry));
	if (*letters == 'z') {
		uint64_t bytes = cfi_uleb(&entry);
		struct cursor more = entry;

		*has_more = true;
		if (bytes > (uint64_t)(entry.end - entry.at))
			return false;
		more.end = entry.at + bytes;
		for (letters++; *letters != 0; letters++) {
			if (*letters == 'R')
				*encoding = (uint8_t)cfi_bytes(&more, 1);
			else if (*letters == 'P')
				(void)take_pointer(&more, (uint8_t)cfi_bytes(&more, 1), 0);
			else if (*letters == 'L')
				(void)cfi_bytes(&more, 1);
			else if (*letters == 'S')
				function->is_signal_frame = true;
			else
				break;
		}
		entry.at += bytes;
	} else if (*letters != 0) {
		return false;
	}
	function->first = entry;
	return !entry.has_failed && function->return_register < CFI_REGISTERS;
}

static bool
read_function(struct function *function, const struct cfi_image *image, uint64_t at)
{
	uint8_t encoding;
	struct cursor entry;
	uint64_t here, distance;
	bool has_more;

	if (!take_entry(image, at, &entry))
		return false;
	here = (uint64_t)(uintptr_t)entry.at;
	distance = cfi_bytes(&entry, 4);
	if (distance == 0 || !read_common(function, image, here - distance, &encoding, &has_more))
		return false;
	function->start = take_pointer(&entry, encoding, 0);
	function->end = function->start + take_pointer(&entry, encoding & 0x0f, 0);
	if (has_more) {
		uint64_t bytes = cfi_uleb(&entry);

		if (bytes > (uint64_t)(entry.end - entry.at))
			return false;
		entry.at += bytes;
	}
	function->program = entry;
	return !entry.has_failed;
}

bool
cfi_find_in(const struct cfi_image *image, uint64_t pc, struct function *function)
{
	enum { SORTED = 0x3b, ROW = 8 };
	struct cursor header = {image->header, image->high, false};
	uint8_t of_section, of_count, of_table;
	uint64_t base = (uint64_t)(uintptr_t)image->header, count, low = 0, high;
	const uint8_t *table;

	if (cfi_bytes(&header, 1) != 1)
		return false;
	of_section = (uint8_t)cfi_bytes(&header, 1);
	of_count = (uint8_t)cfi_bytes(&header, 1);
	of_table = (uint8_t)cfi_bytes(&header, 1);
	(void)take_pointer(&header, of_section, base);
	count = take_pointer(&header, of_count, base);
	table = header.at;
	if (header.has_failed || of_table != SORTED || count == 0 ||
	    count > (uint64_t)(header.end - table) / ROW)
		return false;
	for (high = count; high - low > 1;) {
		uint64_t middle = low + (high - low) / 2;
		struct cursor row = {table + middle * ROW, header.end, false};

		if (base + (uint64_t)cfi_signed(&row, 4) <= pc)
			low = middle;
		else
			high = middle;
	}
	header.at = table + low * ROW + 4;
	return read_function(function, image, base + (uint64_t)cfi_signed(&header, 4)) &&
	       pc >= function->start && pc < function->end;
}
