/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Helpers for call scanners, also for those outside of gprofx.  Header only.
 */
#ifndef GPROFX_CODE_H
#define GPROFX_CODE_H

#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

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
 * What scanners find besides direct calls.  A scanner has the options that apply to its machine.
 * The host fills them before the first callback.
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
	                   "count jumps to the start of another function as calls")
#define GPROFX_OPTION_PLT GPROFX_SCAN_OPTION(plt, "plt", "true", "find calls through PLT stubs")
#define GPROFX_OPTION_GOT GPROFX_SCAN_OPTION(got, "got", "true", "find calls through GOT slots")
#define GPROFX_OPTION_POINTERS                            \
	GPROFX_SCAN_OPTION(pointers, "pointers", "false", \
	                   "count taking the address of a function in code as a call")

/*
 * The options of a scan: those of the scanner, but where call sites are wanted, tail calls and
 * nothing else.
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

/* Whether a section is a PLT by its name: all code in it is PLT stubs. */
static inline bool
gprofx_is_linkage(const struct gprofx_code *code)
{
	return code->section &&
	       (strncmp(code->section, ".plt", 4) == 0 || strncmp(code->section, ".iplt", 5) == 0);
}

/*
 * The entry of the function that a call leads to: the target, or, if the nearest entry before it is
 * exactly "before" bytes earlier, that one, since the first instructions of a function can be for
 * callers from elsewhere only.  Functions start at multiples of "step" bytes.  False: there is no
 * such function.
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
 * What the bytes of code are, by its marks: the letter after the '$' of the last mark at or before
 * them ('d': data), or the initial letter before the first mark.
 */
struct gprofx_mark_walk {
	uint32_t next; /* mark */
	char letter;
};

/*
 * Whether a name says what code is: "$d" and "$d.1" do, "$data" is an ordinary name.
 */
static inline bool
gprofx_is_mark(const char *name)
{
	return name[0] == '$' && name[1] != '\0' &&
	       (name[2] == '\0' || name[2] == '.' || name[1] == 'x');
}

static inline char
gprofx_mark_at(struct gprofx_mark_walk *walk, const struct gprofx_code *code, uint64_t address)
{
	while (walk->next < code->mark_count && code->marks[walk->next].address <= address) {
		const char *name = code->marks[walk->next++].name;

		if (gprofx_is_mark(name))
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

/* For functions that are compiled separately for each number of forms. */
#ifdef __GNUC__
#define GPROFX_BY_FORMS static inline __attribute__((always_inline))
#else
#define GPROFX_BY_FORMS static inline
#endif

/* Instructions of 4 bytes that have the given bits under a mask. */
struct gprofx_word_form {
	uint32_t mask, bits;
};

enum { GPROFX_WORDS_AT_ONCE = 16, GPROFX_MOST_WORDS = 64, GPROFX_MOST_FORMS = 8 };

#ifdef __SSE2__
/*
 * Which of 4 words have one of the forms from number k on: sets all bits of these, in addition to
 * "found".
 */
GPROFX_BY_FORMS __m128i
gprofx_form_like(__m128i words, const struct gprofx_word_form *forms, uint32_t form_count,
                 uint32_t k, __m128i found)
{
	__m128i under;

	if (k >= form_count)
		return found;
	under = _mm_and_si128(words, _mm_set1_epi32((int)forms[k].mask));
	return _mm_or_si128(found, _mm_cmpeq_epi32(under, _mm_set1_epi32((int)forms[k].bits)));
}

/* The same for all forms; no loop, since what compilers unroll depends on how they are called. */
GPROFX_BY_FORMS __m128i
gprofx_four_like(const uint8_t *bytes, const struct gprofx_word_form *forms, uint32_t form_count)
{
	__m128i words = _mm_loadu_si128((const __m128i *)(const void *)bytes),
		found = _mm_setzero_si128();

	found = gprofx_form_like(words, forms, form_count, 0, found);
	found = gprofx_form_like(words, forms, form_count, 1, found);
	found = gprofx_form_like(words, forms, form_count, 2, found);
	found = gprofx_form_like(words, forms, form_count, 3, found);
	found = gprofx_form_like(words, forms, form_count, 4, found);
	found = gprofx_form_like(words, forms, form_count, 5, found);
	found = gprofx_form_like(words, forms, form_count, 6, found);
	return gprofx_form_like(words, forms, form_count, 7, found);
}
#endif

/* Which of 16 words have one of the forms, as bits; both in the byte order of the host. */
GPROFX_BY_FORMS uint32_t
gprofx_words_like(const uint8_t *bytes, const struct gprofx_word_form *forms, uint32_t form_count)
{
#ifdef __SSE2__
	__m128i first = gprofx_four_like(bytes, forms, form_count),
		second = gprofx_four_like(bytes + 16, forms, form_count),
		third = gprofx_four_like(bytes + 32, forms, form_count),
		fourth = gprofx_four_like(bytes + 48, forms, form_count);

	return (uint32_t)_mm_movemask_epi8(
		_mm_packs_epi16(_mm_packs_epi32(first, second), _mm_packs_epi32(third, fourth)));
#else
	/* Bytes that are 0 or 1, which compilers vectorize; then their bits are gathered. */
	const uint64_t gather = 0x0102040810204080;
	uint8_t flags[GPROFX_WORDS_AT_ONCE];

	for (int i = 0; i < GPROFX_WORDS_AT_ONCE; i++) {
		uint32_t word, found = 0;

		memcpy(&word, bytes + 4 * i, sizeof word);
		for (uint32_t k = 0; k < form_count; k++)
			found |= (word & forms[k].mask) == forms[k].bits;
		flags[i] = (uint8_t)found;
	}
	return (uint32_t)(gprofx_number_at(flags, 8, false) * gather >> 56) |
	       (uint32_t)(gprofx_number_at(flags + 8, 8, false) * gather >> 56) << 8;
#endif
}

/* The same for 64 words, one group after the other, so that nothing is spilled to memory. */
GPROFX_BY_FORMS uint64_t
gprofx_most_words_like(const uint8_t *bytes, const struct gprofx_word_form *forms,
                       uint32_t form_count)
{
	uint64_t first = gprofx_words_like(bytes, forms, form_count),
		 second = gprofx_words_like(bytes + 64, forms, form_count),
		 third = gprofx_words_like(bytes + 128, forms, form_count),
		 fourth = gprofx_words_like(bytes + 192, forms, form_count);

	return first | second << 16 | third << 32 | fourth << 48;
}

/*
 * Padding after functions.  A form is compared with the last 8 bytes before a place, fewer at the
 * start of the code: units of 2 or 4 bytes, each as a number, the last one lowest; a form that
 * needs more bytes than there are does not match.
 */
struct gprofx_fill_form {
	uint64_t mask, bits;
	uint32_t bytes; /* of the instruction */
};

struct gprofx_fill_rules {
	uint32_t unit; /* 2 or 4 */
	bool big_endian;
	uint32_t slot; /* bytes after a jump or call that are executed with it */
	uint32_t fill_count, end_count, call_count;
	const struct gprofx_fill_form *fills; /* no-ops, or bytes that are no instructions */
	const struct gprofx_fill_form *ends;  /* execution never continues after them */
	const struct gprofx_fill_form *calls; /* it continues after them if the callee returns */
};

/* The members for three lists. */
#define GPROFX_FILL_LISTS(fill_forms, end_forms, call_forms)                  \
	.fill_count = (uint32_t)(sizeof(fill_forms) / sizeof(fill_forms)[0]), \
	.end_count = (uint32_t)(sizeof(end_forms) / sizeof(end_forms)[0]),    \
	.call_count = (uint32_t)(sizeof(call_forms) / sizeof(call_forms)[0]), \
	.fills = (fill_forms), .ends = (end_forms), .calls = (call_forms)

/* Bytes of the first form that matches right before an offset, or 0. */
static inline uint32_t
gprofx_form_before(const struct gprofx_code *code, uint64_t past,
                   const struct gprofx_fill_rules *rules, const struct gprofx_fill_form *forms,
                   uint32_t count)
{
	uint64_t window = past < 8 ? past / rules->unit * rules->unit : 8, last = 0;

	for (uint64_t at = past - window; at < past; at += rules->unit) {
		const uint8_t *bytes = code->bytes + at;

		last = last << 8 * rules->unit |
		       (rules->unit == 2 ? gprofx_half_at(bytes, rules->big_endian)
		                         : gprofx_word_at(bytes, rules->big_endian));
	}
	for (uint32_t i = 0; i < count; i++)
		if ((last & forms[i].mask) == forms[i].bits && forms[i].bytes <= window)
			return forms[i].bytes;
	return 0;
}

/* Whether execution never continues after the instruction right before an offset. */
static inline bool
gprofx_ends_before(const struct gprofx_code *code, uint64_t past,
                   const struct gprofx_fill_rules *rules, bool with_calls)
{
	return gprofx_form_before(code, past, rules, rules->ends, rules->end_count) > 0 ||
	       (with_calls &&
	        gprofx_form_before(code, past, rules, rules->calls, rules->call_count) > 0);
}

/* gprofx_findcall.fill by such rules. */
static inline uint64_t
gprofx_fill_by_rules(const struct gprofx_code *code, uint64_t stated,
                     const struct gprofx_fill_rules *rules)
{
	uint64_t past = code->byte_count;

	if (code->address % rules->unit != 0 || past % rules->unit != 0 ||
	    stated % rules->unit != 0)
		return 0;
	while (past > rules->slot) {
		uint64_t fill = code->byte_count - past;
		uint32_t bytes;

		if ((stated == 0 || fill == stated) &&
		    gprofx_ends_before(code, past - rules->slot, rules, stated > 0))
			return fill;
		bytes = gprofx_form_before(code, past, rules, rules->fills, rules->fill_count);
		if (bytes == 0)
			return 0;
		past -= bytes;
	}
	return 0;
}

/* Code of instructions of 4 bytes, from an offset on. */
struct gprofx_words {
	uint64_t at; /* offset of the word that was taken last */
	uint64_t next;
	struct gprofx_mark_walk walk;
	uint64_t limit; /* the last mark applies up to here; 0 initially */
	/* One bit for each word from offset "first" on that is still to be taken. */
	uint64_t found, first;
};

/*
 * Which of "count" words (at most 64) from an offset on are not data by the marks, as bits.
 */
static inline uint64_t
gprofx_words_of_code(struct gprofx_words *words, const struct gprofx_code *code, uint64_t at,
                     uint32_t count)
{
	uint64_t found = 0, bytes;
	uint32_t end;

	if (count == GPROFX_MOST_WORDS && words->limit > at &&
	    words->limit - at >= 4 * (uint64_t)GPROFX_MOST_WORDS)
		return words->walk.letter == 'd' ? 0 : UINT64_MAX;
	for (uint32_t i = 0; i < count; i = end) {
		uint64_t here = at + 4 * (uint64_t)i;

		if (here >= words->limit) {
			gprofx_mark_at(&words->walk, code, code->address + here);
			words->limit = words->walk.next < code->mark_count
			                       ? code->marks[words->walk.next].address -
			                                 code->address
			                       : UINT64_MAX;
			if (words->limit <= here) /* addresses wrap around */
				words->limit = here + 1;
		}
		bytes = words->limit - here;
		end = bytes >= 4 * (uint64_t)(count - i) ? count : i + (uint32_t)((bytes + 3) / 4);
		if (words->walk.letter != 'd')
			found |= UINT64_MAX >> (GPROFX_MOST_WORDS - (end - i)) << i;
	}
	return found;
}

/* Advances to the next words that have one of the forms; false: there are no more. */
GPROFX_BY_FORMS bool
gprofx_find_words(struct gprofx_words *words, const struct gprofx_code *code, bool big_endian,
                  const struct gprofx_word_form *forms, uint32_t form_count)
{
	uint64_t end = code->readable < 4 ? 0 : code->readable - 3;
	struct gprofx_word_form here[GPROFX_MOST_FORMS];

	end = end < code->byte_count ? end : code->byte_count;
	for (uint32_t k = 0; k < form_count; k++) {
		/* Converts between the byte orders of the host and the code. */
		here[k].mask = gprofx_word_at((const uint8_t *)&forms[k].mask, big_endian);
		here[k].bits = gprofx_word_at((const uint8_t *)&forms[k].bits, big_endian);
	}
	while (words->found == 0 && words->next < end) {
		uint64_t at = words->next, count = (end - at + 3) / 4, found = 0, is_code;
		bool is_whole = count >= GPROFX_MOST_WORDS &&
		                code->readable - at >= 4 * (uint64_t)GPROFX_MOST_WORDS;

		if (count > GPROFX_MOST_WORDS)
			count = GPROFX_MOST_WORDS;
		words->first = at;
		words->next = at + 4 * count;
		is_code = gprofx_words_of_code(words, code, at, (uint32_t)count);
		if (is_whole)
			found = gprofx_most_words_like(code->bytes + at, here, form_count);
		for (uint32_t i = 0; i < count && !is_whole; i += GPROFX_WORDS_AT_ONCE, at += 64) {
			uint8_t last[4 * GPROFX_WORDS_AT_ONCE];
			const uint8_t *bytes = code->bytes + at;

			if (code->readable - at < sizeof last) {
				memset(last, 0, sizeof last);
				memcpy(last, bytes, (size_t)(code->readable - at));
				bytes = last;
			}
			found |= (uint64_t)gprofx_words_like(bytes, here, form_count) << i;
		}
		words->found = found & is_code;
	}
	return words->found != 0;
}

/* The index of the lowest set bit of a number that is not 0. */
static inline uint32_t
gprofx_lowest_bit(uint64_t bits)
{
#ifdef __GNUC__
	return (uint32_t)__builtin_ctzll(bits);
#else
	uint32_t place = 0;

	while (!(bits >> place & 1))
		place++;
	return place;
#endif
}

/*
 * The offset in bytes of the next function entry after an offset, in code that can hold several
 * functions; the end of the code if there is none, or there is one function only.
 */
static inline uint64_t
gprofx_next_function(const struct gprofx_code *code, uint64_t at)
{
	const struct gprofx_begin_bits *begins = code->begin_bits;
	uint64_t from = code->address + at, end = code->address + (code->byte_count - 1), place,
		 last, found;

	if (!begins || at >= code->byte_count || end < begins->low)
		return code->byte_count;
	last = end - begins->low < begins->span ? end - begins->low : begins->span;
	last >>= begins->shift;
	place = from < begins->low ? 0 : ((from - begins->low) >> begins->shift) + 1;
	if (place > last || (from >= begins->low && place == 0))
		return code->byte_count;
	found = begins->bits[place / 64] >> place % 64 << place % 64;
	for (place /= 64; found == 0; found = begins->bits[place])
		if (++place > last / 64)
			return code->byte_count;
	place = 64 * place + gprofx_lowest_bit(found);
	return place > last ? code->byte_count
	                    : begins->low + (place << begins->shift) - code->address;
}

/*
 * A part of a piece of code, from one offset in bytes to below another, without its marks.  It
 * refers to the same memory.
 */
static inline struct gprofx_code
gprofx_part(const struct gprofx_code *code, uint64_t begin, uint64_t end)
{
	struct gprofx_code part = *code;

	part.bytes += begin;
	part.address += begin;
	part.readable -= begin;
	part.byte_count = end - begin;
	part.mark_count = 0;
	return part;
}

/*
 * Takes the first function, with its marks, off code that can hold several; false: nothing is left.
 * Both refer to the same memory.
 */
static inline bool
gprofx_take_function(struct gprofx_code *rest, struct gprofx_code *function)
{
	uint64_t end = gprofx_next_function(rest, 0);
	uint32_t mark = 0, kept;

	if (rest->byte_count == 0)
		return false;
	while (mark < rest->mark_count && (rest->marks[mark].address < rest->address ||
	                                   rest->marks[mark].address - rest->address < end))
		mark++;
	*function = gprofx_part(rest, 0, end);
	function->mark_count = mark;
	/* The last real mark says what the code after it starts with. */
	while (mark > 0 && !gprofx_is_mark(rest->marks[mark - 1].name))
		mark--;
	mark -= mark > 0;
	kept = rest->mark_count - mark;
	*rest = gprofx_part(rest, end, rest->byte_count);
	/* Without marks the pointer can be NULL. */
	if (mark > 0)
		rest->marks += mark;
	rest->mark_count = kept;
	return true;
}

/*
 * The next word that starts in the code, is not data by the marks, and has one of the forms; false:
 * there is none.  At most GPROFX_MOST_FORMS forms; pass the same ones throughout the code, and a
 * count that is a compile-time constant.
 */
GPROFX_BY_FORMS bool
gprofx_next_word_of(struct gprofx_words *words, const struct gprofx_code *code, bool big_endian,
                    const struct gprofx_word_form *forms, uint32_t form_count, uint32_t *word)
{
	if (words->found == 0 && !gprofx_find_words(words, code, big_endian, forms, form_count))
		return false;
	words->at = words->first + 4 * (uint64_t)gprofx_lowest_bit(words->found);
	words->found &= words->found - 1;
	*word = gprofx_word_at(code->bytes + words->at, big_endian);
	return true;
}

/* The same for one form. */
static inline bool
gprofx_next_word_like(struct gprofx_words *words, const struct gprofx_code *code, bool big_endian,
                      uint32_t mask, uint32_t bits, uint32_t *word)
{
	struct gprofx_word_form form;

	form.mask = mask;
	form.bits = bits;
	return gprofx_next_word_of(words, code, big_endian, &form, 1, word);
}

/* The next word that starts in the code and is not data by the marks; false: there is none. */
static inline bool
gprofx_next_word(struct gprofx_words *words, const struct gprofx_code *code, bool big_endian,
                 uint32_t *word)
{
	return gprofx_next_word_like(words, code, big_endian, 0, 0, word);
}

/* Calls collected for the host, which takes many at once. */
enum { GPROFX_CALLS_AT_ONCE = 2 * GPROFX_MOST_WORDS };

struct gprofx_call_batch {
	const struct gprofx_code *code;
	struct gprofx_calls *calls;
	uint64_t function, next_function; /* offsets of the current one and the next */
	uint32_t count;
	struct gprofx_found_call rows[GPROFX_CALLS_AT_ONCE];
};

/* Initializes a batch, but not its rows, since pieces of code are many and small. */
static inline void
gprofx_begin_batch(struct gprofx_call_batch *batch, const struct gprofx_code *code,
                   struct gprofx_calls *calls)
{
	batch->code = code;
	batch->calls = calls;
	batch->function = 0;
	batch->next_function = 0;
	batch->count = 0;
}

/* Passes the calls to the host; call it at the end, too. */
static inline void
gprofx_hand_over(struct gprofx_call_batch *batch)
{
	if (batch->count > 0)
		batch->calls->add(batch->calls, batch->rows, batch->count);
	batch->count = 0;
}

/* Adds a row if it is a call, without a branch that processors could mispredict. */
static inline void
gprofx_batch_row(struct gprofx_call_batch *batch, uint64_t from, uint64_t to, uint32_t kind,
                 uint32_t returns, bool is_call)
{
	struct gprofx_found_call *row = &batch->rows[batch->count];

	row->from = from;
	row->to = to;
	row->kind = kind;
	row->returns = returns;
	batch->count += is_call;
	if (batch->count == GPROFX_CALLS_AT_ONCE)
		gprofx_hand_over(batch);
}

/* Adds a call. */
static inline void
gprofx_batch_call(struct gprofx_call_batch *batch, uint64_t from, uint64_t to,
                  enum gprofx_call_kind kind, uint32_t returns)
{
	gprofx_batch_row(batch, from, to, (uint32_t)kind, returns, true);
}

/*
 * Whether a function can start at an address, judged by the code of one function: none starts after
 * its first byte.  Most jumps lead there, and this check is cheaper than asking the host.
 */
static inline bool
gprofx_is_elsewhere(const struct gprofx_code *code, uint64_t address)
{
	return address - code->address - 1 >= code->byte_count - 1;
}

/*
 * Adds a branch, which can be a jump (is_tail), if it leads to a function; see gprofx_callee() for
 * its entry.
 */
static inline void
gprofx_batch_callee(struct gprofx_call_batch *batch, uint64_t from, uint64_t to, bool is_tail,
                    uint32_t returns, uint32_t before, uint32_t step)
{
	uint64_t callee = to;
	bool is_call;

	if (!batch->code->begin_bits && !gprofx_is_elsewhere(batch->code, to - before) &&
	    !gprofx_is_elsewhere(batch->code, to))
		return;
	is_call = before == 0 ? gprofx_begins(batch->code, to)
	                      : gprofx_callee(batch->code, to, before, step, &callee);
	gprofx_batch_row(batch, from, callee, (uint32_t)is_tail * (uint32_t)GPROFX_CALL_TAIL,
	                 returns | (uint32_t)is_tail * GPROFX_NO_RETURN, is_call);
}

/* The same where branches lead to function entries. */
static inline void
gprofx_batch_branch(struct gprofx_call_batch *batch, uint64_t from, uint64_t to, bool is_tail,
                    uint32_t returns)
{
	gprofx_batch_callee(batch, from, to, is_tail, returns, 0, 1);
}

/*
 * The function that contains an offset, which must not be below that of the last call; *at, an
 * offset in the code, becomes the offset in the function.  The function has no marks.
 */
static inline struct gprofx_code
gprofx_function_at(struct gprofx_call_batch *batch, uint64_t *at)
{
	struct gprofx_code function;

	while (batch->next_function <= *at) {
		batch->function = batch->next_function;
		batch->next_function = gprofx_next_function(batch->code, batch->function);
	}
	function = gprofx_part(batch->code, batch->function, batch->next_function);
	*at -= batch->function;
	return function;
}

#ifdef __cplusplus
}
#endif

#endif
