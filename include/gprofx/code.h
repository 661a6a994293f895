/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What call scanners have in common; for those outside of gprofx as well.  Nothing to link with.
 * Since 1.1.
 */
#ifndef GPROFX_CODE_H
#define GPROFX_CODE_H

#include <string.h>

#include <gprofx/findcall.h> /* IWYU pragma: export */

#ifdef __cplusplus
extern "C" {
#endif

/* The lower "bits" bits (1 to 63) of a value as a signed number. */
static inline uint64_t
gprofx_signed(uint64_t value, unsigned bits)
{
	uint64_t sign = (uint64_t)1 << (bits - 1);

	return ((value & ((sign << 1) - 1)) ^ sign) - sign;
}

/*
 * What scanners find besides direct calls, where they can; a scanner has those of the options that
 * mean something to it.  The host fills them before the first callback.
 */
struct gprofx_scan_options {
	bool tail_calls, plt, got, pointers;
};

/* Rows of the table of options; the struct of options begins with a struct gprofx_scan_options. */
#define GPROFX_SCAN_OPTION(field, word, is_on, text)                                       \
	{                                                                                  \
		.key = (word), .type = GPROFX_BOOL,                                        \
		.offset = offsetof(struct gprofx_scan_options, field), .initial = (is_on), \
		.help = (text)                                                             \
	}
#define GPROFX_OPTION_TAIL_CALLS                             \
	GPROFX_SCAN_OPTION(tail_calls, "tail-calls", "true", \
	                   "take jumps to the begin of another function for calls")
#define GPROFX_OPTION_PLT \
	GPROFX_SCAN_OPTION(plt, "plt", "true", "find calls by way of stubs of the linkage table")
#define GPROFX_OPTION_GOT \
	GPROFX_SCAN_OPTION(got, "got", "true", "find calls through slots of the linkage table")
#define GPROFX_OPTION_POINTERS                            \
	GPROFX_SCAN_OPTION(pointers, "pointers", "false", \
	                   "take functions whose address is taken in code for called")

/*
 * The options of a scan: those of the scanner, but where call sites are wanted, only what -c has no
 * switch for.
 */
static inline const struct gprofx_scan_options *
gprofx_scan_options(const struct gprofx_code *code, const struct gprofx_scan_options *own)
{
	static const struct gprofx_scan_options sites = {true, false, false, false};

	return code->image->wants_sites ? &sites : own;
}

/* The callback stubs of a scanner for code that loads slots itself, and calls no stubs. */
static inline void
gprofx_find_no_stubs(const struct gprofx_code *code, const void *options,
                     struct gprofx_stubs *stubs)
{
	const struct gprofx_scan_options *own = (const struct gprofx_scan_options *)options;

	(void)code;
	stubs->follows_slots |= own->got;
}

/* worker_open of a scanner whose only state is its options. */
static inline enum gprofx_result
gprofx_open_with_options(struct gprofx *gx, const struct gprofx_scanned_image *image,
                         const void *options, void **worker)
{
	(void)gx;
	(void)image;
	*worker = (void *)options;
	return GPROFX_OK;
}

/* The same for a machine that GNU gprof does not know. */
static inline enum gprofx_result
gprofx_open_unless_strict(struct gprofx *gx, const struct gprofx_scanned_image *image,
                          const void *options, void **worker)
{
	return image->strict ? GPROFX_DECLINED
	                     : gprofx_open_with_options(gx, image, options, worker);
}

/* Whether a section is a linkage table by its name: all code in it is stubs. */
static inline bool
gprofx_is_linkage(const struct gprofx_code *code)
{
	return code->section &&
	       (strncmp(code->section, ".plt", 4) == 0 || strncmp(code->section, ".iplt", 5) == 0);
}

/*
 * Where the function is that a call leads to: there, or it is the last one to begin before and does
 * so "before" bytes earlier, as the first instructions of a function can be for callers from
 * elsewhere only.  Functions begin at multiples of "step" bytes.  False: no function.
 */
static inline bool
gprofx_callee(const struct gprofx_code *code, uint64_t target, uint32_t before, uint32_t step,
              uint64_t *callee)
{
	for (uint32_t bytes = 0; bytes <= before; bytes += step) {
		*callee = target - bytes;
		if (gprofx_begins(code, *callee))
			return bytes == 0 || bytes == before;
	}
	return false;
}

/*
 * What the bytes of code are, by its marks: the letter behind the '$' of the last mark at or before
 * them ('d': data), or "first" before all marks.
 */
struct gprofx_mark_walk {
	uint32_t next; /* mark */
	char letter;
};

static inline char
gprofx_mark_at(struct gprofx_mark_walk *walk, const struct gprofx_code *code, uint64_t address)
{
	while (walk->next < code->mark_count && code->marks[walk->next].address <= address) {
		const char *name = code->marks[walk->next++].name;

		/* "$d" and "$d.1" are marks, "$data" is a name of somebody's. */
		if (name[1] != '\0' && (name[2] == '\0' || name[2] == '.' || name[1] == 'x'))
			walk->letter = name[1];
	}
	return walk->letter;
}

/* Two bytes as a number. */
static inline uint32_t
gprofx_half_at(const uint8_t *bytes, bool big_endian)
{
	return big_endian ? (uint32_t)bytes[0] << 8 | bytes[1] : (uint32_t)bytes[1] << 8 | bytes[0];
}

/* Code of instructions of 4 bytes, from an offset on. */
struct gprofx_words {
	uint64_t at; /* offset of the word that was taken last */
	uint64_t next;
	struct gprofx_mark_walk walk;
	uint64_t limit; /* up to here the last mark holds; 0 at first */
};

/*
 * The next word that begins in the code, by the marks is no data, and has the given bits under a
 * mask; false: there is none.
 */
static inline bool
gprofx_next_word_like(struct gprofx_words *words, const struct gprofx_code *code, bool big_endian,
                      uint32_t mask, uint32_t bits, uint32_t *word)
{
	const uint8_t *bytes = code->bytes;
	uint64_t end = code->readable < 4 ? 0 : code->readable - 3, at = words->next, limit;

	end = end < code->byte_count ? end : code->byte_count;
	while (at < end) {
		if (at >= words->limit) {
			gprofx_mark_at(&words->walk, code, code->address + at);
			words->limit = words->walk.next < code->mark_count
			                       ? code->marks[words->walk.next].address -
			                                 code->address
			                       : end;
			if (words->limit <= at) /* addresses that go round */
				words->limit = at + 1;
		}
		limit = words->limit < end ? words->limit : end;
		for (bool is_data = words->walk.letter == 'd'; at < limit; at += 4) {
			*word = gprofx_word_at(bytes + at, big_endian);
			if ((*word & mask) != bits || is_data)
				continue;
			words->at = at;
			words->next = at + 4;
			return true;
		}
	}
	words->next = at;
	return false;
}

/* The next word that begins in the code and, by the marks, is no data; false: there is none. */
static inline bool
gprofx_next_word(struct gprofx_words *words, const struct gprofx_code *code, bool big_endian,
                 uint32_t *word)
{
	return gprofx_next_word_like(words, code, big_endian, 0, 0, word);
}

#ifdef __cplusplus
}
#endif

#endif
