/* SPDX-License-Identifier: Apache-2.0 */
/*
 * For tests of call scanners: code of chance, in blocks that end where it does, so that a sanitizer
 * sees a read too many.  Whatever the bytes are, calls begin in the code, ascend, and lead to
 * functions or slots; stubs are in the code, ascend, and have slots.  Of several functions as one
 * piece of code the same is found as of one after the other, and with bits that say where functions
 * begin the same as without.  Include it behind the scanner's source.
 *
 * SCANNER_FORMS: an array of words that half of the code is made of, often one behind the other,
 * with other bits by chance.
 * SCANNER_OPTIONS: the type of the options, if it has more members, which are bool as well.
 */
#ifndef TESTS_UNIT_SCANNER_H
#define TESTS_UNIT_SCANNER_H

#include <inttypes.h>

#include <gprofx/code.h>

#include "testrun.h"

#include "hostile.h"

#ifndef SCANNER_FORMS
static const struct gprofx_word_form scanner_any[] = {{0, 0}};
#define SCANNER_FORMS scanner_any
#endif
#ifndef SCANNER_OPTIONS
#define SCANNER_OPTIONS struct gprofx_scan_options
#endif

enum {
	SCANNER_PIECES = 1000000,
	SCANNER_MOST_BYTES = 64,
	SCANNER_MOST_JOINED = 4096, /* bytes of several functions, now and then */
	SCANNER_MOST_MARKS = 6,
	SCANNER_CHOICES = 32, /* of options */
	SCANNER_BIT_WORDS = 1 << 20
};

static SCANNER_OPTIONS scanner_options;

/* Where functions may begin; in some stretches everywhere, in others hardly anywhere. */
static uint64_t scanner_bits[SCANNER_BIT_WORDS + 1];

/* Where functions and slots are for one piece of code. */
struct scanner_entries {
	struct gprofx_entries public; /* first */
	struct gprofx_begin_bits begins;
	uint32_t
		rarity; /* of slots, one address in so many, and, if there are no bits, of begins */
	bool has_no_bits;
	/* Bits that were changed for the piece. */
	uint64_t kept[SCANNER_MOST_JOINED / 64 + 2], first_kept, kept_count;
	uint64_t *past, kept_past; /* the bit behind the last one is in it */
};

/* Calls, in the order in which they were found. */
struct scanner_rows {
	struct gprofx_found_call items[SCANNER_MOST_JOINED];
	uint32_t count;
};

struct scanner_calls {
	struct gprofx_calls public; /* first */
	const struct gprofx_code *code;
	struct scanner_rows *found;
	uint64_t last, rows;
};

/* A piece of code, and where in it functions begin. */
struct scanner_piece {
	struct gprofx_code code;
	struct gprofx_code_mark marks[SCANNER_MOST_MARKS];
	struct scanner_entries entries;
	uint64_t begins[SCANNER_MOST_JOINED + 1]; /* offsets; at the end that of the end */
	uint32_t functions;
};

static void
scanner_make_bits(uint64_t *seed)
{
	enum { ALIKE = 1024, SORTS = 6 };
	uint32_t sort = 0;

	for (uint32_t i = 0; i < SCANNER_BIT_WORDS; i++) {
		uint64_t bits = UINT64_MAX;

		if (i % ALIKE == 0)
			sort = hostile_random(seed) % SORTS;
		for (uint32_t k = 0; k < sort; k++)
			bits &= (uint64_t)hostile_random(seed) << 33 ^ hostile_random(seed);
		scanner_bits[i] = bits;
	}
}

static bool
scanner_is_chosen(const struct gprofx_entries *entries, uint64_t number)
{
	return (number >> 40) % ((const struct scanner_entries *)entries)->rarity == 0;
}

static bool
scanner_begins(const struct gprofx_entries *entries, uint64_t address)
{
	const struct gprofx_begin_bits *begins = &((const struct scanner_entries *)entries)->begins;
	uint64_t place;

	if (((const struct scanner_entries *)entries)->has_no_bits)
		return scanner_is_chosen(entries, address * 0x9e3779b97f4a7c15u);
	if (address < begins->low || address - begins->low > begins->span)
		return false;
	place = (address - begins->low) >> begins->shift;
	return begins->low + (place << begins->shift) == address &&
	       (begins->bits[place / 64] >> place % 64 & 1) != 0;
}

static bool
scanner_is_slot(const struct gprofx_entries *entries, uint64_t address)
{
	return scanner_is_chosen(entries, address * 0xd1342543de82ef95u);
}

static bool
scanner_is_sound(const struct gprofx_code *code, const struct gprofx_found_call *row)
{
	const struct gprofx_entries *entries = code->entries;

	/* Who asks for call sites gets the place of the pointer, too. */
	if (row->kind == GPROFX_CALL_INDIRECT)
		return row->to == 0 || code->image->wants_sites;
	if (row->kind == GPROFX_CALL_SLOT || row->kind == GPROFX_CALL_SLOT_TAIL)
		return entries->is_slot && entries->is_slot(entries, row->to);
	return row->kind <= GPROFX_CALL_POINTER && scanner_begins(entries, row->to);
}

static void
scanner_add(struct gprofx_calls *public, const struct gprofx_found_call *rows, uint32_t count)
{
	struct scanner_calls *calls = (struct scanner_calls *)public;
	const struct gprofx_code *code = calls->code;

	for (uint32_t i = 0; i < count; i++) {
		assert_true(rows[i].from >= calls->last || code->image->wants_sites);
		assert_true(rows[i].from - code->address < code->byte_count);
		assert_true(scanner_is_sound(code, &rows[i]));
		assert_true(!code->image->strict || rows[i].kind < GPROFX_CALL_SLOT);
		/* An instruction is one call at most. */
		assert_true(calls->rows < code->byte_count);
		calls->last = rows[i].from;
		calls->rows++;
		calls->found->items[calls->found->count++] = rows[i];
	}
}

/* Adds what is found in a piece of code. */
static void
scanner_scan(void *worker, const struct gprofx_code *code, struct scanner_rows *found)
{
	struct scanner_calls calls = {.public.add = scanner_add, .code = code, .found = found};

	findcall.scan(worker, code, &calls.public);
}

struct scanner_stubs {
	struct gprofx_stubs public; /* first */
	const struct gprofx_code *code;
	uint64_t past, count;
};

static void
scanner_add_stub(struct gprofx_stubs *public, uint64_t address, uint64_t bytes, uint64_t slot)
{
	struct scanner_stubs *stubs = (struct scanner_stubs *)public;
	uint64_t at = address - stubs->code->address;

	assert_true(bytes > 0);
	assert_true(at < stubs->code->byte_count && at >= stubs->past);
	assert_true(scanner_is_slot(stubs->code->entries, slot));
	stubs->past = at + 1;
	stubs->count++;
}

/* Looks for stubs in the same code. */
static void
scanner_try_stubs(const struct gprofx_code *code, const void *options, uint32_t choice)
{
	static const char *const sections[] = {".plt", ".plt.sec", ".iplt", ".text", NULL};
	struct gprofx_code section = *code;
	struct scanner_stubs stubs = {.public.add = scanner_add_stub, .code = &section};

	section.section = sections[choice % (sizeof sections / sizeof sections[0])];
	section.byte_count = section.readable;
	findcall.stubs(&section, options, &stubs.public);
}

/* Says where functions can begin, and where they do so in a piece of code. */
static void
scanner_choose_begins(struct scanner_piece *piece, bool is_joined, uint64_t *seed)
{
	const struct gprofx_code *code = &piece->code;
	struct scanner_entries *entries = &piece->entries;
	uint32_t shift = hostile_random(seed) % 5, chance = 1u << hostile_random(seed) % 6;
	uint64_t most = ((uint64_t)64 * SCANNER_BIT_WORDS - 1) << shift, place;
	uint64_t distance = hostile_random(seed) % 4 ? most / 2 : hostile_random(seed) % 256;
	uint64_t low = code->address > distance ? code->address - distance : 0;
	uint64_t span = hostile_random(seed) % 8 ? most : distance + hostile_random(seed) % 64;
	uint64_t past;

	low = hostile_random(seed) % 16 ? low & ~(uint64_t)15 : low + hostile_random(seed) % 64;
	span = (span < UINT64_MAX - low ? span : UINT64_MAX - low) >> shift << shift;
	entries->begins = (struct gprofx_begin_bits){scanner_bits, low, span, shift};
	past = (span >> shift) + 1;
	entries->past = &scanner_bits[past / 64];
	entries->kept_past = *entries->past;
	*entries->past &= ~((uint64_t)1 << past % 64);
	entries->kept_count = 0;
	piece->functions = 1;
	for (uint64_t at = 1; at < code->byte_count; at++) {
		uint64_t address = code->address + at, bit;

		place = (address - low) >> shift;
		if (address < low || address - low > span || low + (place << shift) != address)
			continue;
		if (entries->kept_count == 0)
			entries->first_kept = place / 64;
		while (entries->first_kept + entries->kept_count <= place / 64) {
			entries->kept[entries->kept_count] =
				scanner_bits[entries->first_kept + entries->kept_count];
			entries->kept_count++;
		}
		bit = (uint64_t)1 << place % 64;
		scanner_bits[place / 64] &= ~bit;
		if (is_joined && address % findcall.step == 0 &&
		    hostile_random(seed) % chance == 0) {
			scanner_bits[place / 64] |= bit;
			piece->begins[piece->functions++] = at;
		}
	}
	piece->begins[piece->functions] = code->byte_count;
}

static void
scanner_choose_marks(struct scanner_piece *piece, uint64_t *seed)
{
	static const char *const names[] = {"$a", "$t",   "$d", "$x",   "$m",
	                                    "$s", "$d.7", "$",  "$data"};
	struct gprofx_code *code = &piece->code;
	uint64_t before = hostile_random(seed) % 2 ? hostile_random(seed) % 64 : 0;

	code->marks = piece->marks;
	code->mark_count = (uint32_t)(hostile_random(seed) % SCANNER_MOST_MARKS);
	for (uint32_t i = 0; i < code->mark_count; i++)
		piece->marks[i] = (struct gprofx_code_mark){
			code->address + code->readable * i / code->mark_count,
			names[hostile_random(seed) % (sizeof names / sizeof names[0])]};
	if (before <= code->address)
		piece->marks[0].address -= before;
	while (code->mark_count > 0 &&
	       piece->marks[code->mark_count - 1].address > code->address + (code->byte_count - 1))
		code->mark_count--;
}

/* Words of the scanner's, in either order of bytes, and others. */
static void
scanner_fill(uint8_t *bytes, uint64_t count, uint64_t *seed)
{
	enum { FORMS = sizeof SCANNER_FORMS / sizeof SCANNER_FORMS[0] };
	bool big_endian = hostile_random(seed) % 2;
	uint32_t next = 0;

	for (uint64_t i = 0; i < count; i += 4) {
		uint32_t word = hostile_random(seed) << 1 ^ hostile_random(seed);
		uint32_t way = hostile_random(seed) >> 8 & 7;

		next = way == 0 ? hostile_random(seed) % FORMS : (next + 1) % FORMS;
		if (way < 6)
			word = SCANNER_FORMS[next].bits | (word & ~SCANNER_FORMS[next].mask);
		for (uint64_t k = i; k < count && k < i + 4; k++)
			bytes[k] = (uint8_t)(word >> 8 * (big_endian ? 3 - k % 4 : k % 4));
	}
}

/* One function of several, as it is passed alone. */
static struct gprofx_code
scanner_function(const struct scanner_piece *piece, uint32_t number)
{
	struct gprofx_code code = piece->code;
	uint64_t at = piece->begins[number];
	uint32_t end = 0, first = 0;

	code.address += at;
	code.bytes += at;
	code.readable -= at;
	code.byte_count = piece->begins[number + 1] - at;
	for (; end < code.mark_count &&
	       piece->marks[end].address <= code.address + (code.byte_count - 1);
	     end++)
		if (piece->marks[end].address <= code.address &&
		    gprofx_is_mark(piece->marks[end].name))
			first = end;
	code.marks += first;
	code.mark_count = end - first;
	return code;
}

static void
scanner_scan_functions(void *worker, const struct scanner_piece *piece,
                       const struct gprofx_begin_bits *begins, struct scanner_rows *found)
{
	found->count = 0;
	for (uint32_t i = 0; i < piece->functions; i++) {
		struct gprofx_code code = scanner_function(piece, i);

		code.begin_bits = begins;
		scanner_scan(worker, &code, found);
	}
}

/* Whether the same was found; what a jump returns to nobody knows, nor looks at without call sites.
 */
static bool
scanner_is_same(const struct gprofx_found_call *row, const struct gprofx_found_call *other,
                bool has_sites)
{
	return row->from == other->from && row->to == other->to && row->kind == other->kind &&
	       (!has_sites || row->returns == other->returns);
}

static void
scanner_expect(const struct scanner_piece *piece, const char *how, const struct scanner_rows *found,
               const struct scanner_rows *wanted)
{
	uint32_t both = found->count < wanted->count ? found->count : wanted->count, same = 0;
	const struct gprofx_found_call none = {0};
	const struct gprofx_found_call *row, *other;

	while (same < both && scanner_is_same(&found->items[same], &wanted->items[same],
	                                      piece->code.image->wants_sites))
		same++;
	if (same == found->count && same == wanted->count)
		return;
	row = same < found->count ? &found->items[same] : &none;
	other = same < wanted->count ? &wanted->items[same] : &none;
	fail_msg("%s, %u functions at 0x%" PRIx64 ": expected call %u of %u from 0x%" PRIx64
	         " to 0x%" PRIx64 " (%u, %u), found from 0x%" PRIx64 " to 0x%" PRIx64 " (%u, %u)",
	         how, piece->functions, piece->code.address, same, wanted->count, other->from,
	         other->to, other->kind, other->returns, row->from, row->to, row->kind,
	         row->returns);
}

/* Scans functions one by one, then in other ways. */
static uint64_t
scanner_compare(void *worker, struct scanner_piece *piece, bool is_joined)
{
	static struct scanner_rows wanted, found;

	scanner_scan_functions(worker, piece, NULL, &wanted);
	if (piece->entries.has_no_bits)
		return wanted.count;
	scanner_scan_functions(worker, piece, &piece->entries.begins, &found);
	scanner_expect(piece, "one by one", &found, &wanted);
	if (is_joined) {
		found.count = 0;
		piece->code.begin_bits = &piece->entries.begins;
		scanner_scan(worker, &piece->code, &found);
		scanner_expect(piece, "together", &found, &wanted);
	}
	return wanted.count;
}

/*
 * Instructions that stand one behind the other by their lengths: no read goes too far, and calls
 * are among them, where nothing but these tells where they start.
 */
static void
scanner_try_lengths(void *worker, const struct gprofx_code *whole)
{
	enum { MOST_LENGTH = 64 };
	struct gprofx_code code = *whole;
	bool starts[SCANNER_MOST_JOINED] = {false};
	static struct scanner_rows found;
	uint64_t length;

	if (!findcall.length || !code.image->wants_sites)
		return;
	code.mark_count = code.mark_count > 0 && code.marks[0].address <= code.address;
	for (uint64_t at = 0; at<code.byte_count; at += length> 0 ? length : 1) {
		starts[at] = true;
		length = findcall.length(worker, &code, at);
		assert_true(length <= MOST_LENGTH);
	}
	if (code.address % 4 != 0)
		return;
	found.count = 0;
	scanner_scan(worker, &code, &found);
	for (uint32_t i = 0; i < found.count; i++)
		assert_true(starts[found.items[i].from - code.address]);
}

/* What fills up space at the end lies within the code, and is what was stated or nothing. */
static void
scanner_try_fill(const struct gprofx_code *whole, uint64_t *seed)
{
	uint64_t stated = hostile_random(seed) % 2 ? hostile_random(seed) % 64 : 0, fill;
	struct gprofx_code code = *whole;

	if (!findcall.fill || code.image->strict)
		return;
	code.entries = NULL;
	code.marks = NULL;
	code.mark_count = 0;
	fill = findcall.fill(&code, stated);
	assert_true(fill <= code.byte_count && (stated == 0 || fill == 0 || fill == stated));
}

/* Scans one piece of chance and returns how many calls were found. */
static uint64_t
scanner_try(void *worker, const struct gprofx_scanned_image *image, uint64_t *seed)
{
	static struct scanner_piece piece;
	struct gprofx_code *code = &piece.code;
	struct scanner_entries *entries = &piece.entries;
	bool is_joined = findcall.step > 0 && !image->strict && !image->wants_sites;
	bool is_large = is_joined && hostile_random(seed) % 64 == 0;
	uint64_t found;
	uint8_t *bytes;

	*code = (struct gprofx_code){.size = sizeof *code, .image = image};
	code->readable = hostile_random(seed) %
	                         (is_large ? SCANNER_MOST_JOINED : SCANNER_MOST_BYTES) +
	                 1;
	code->byte_count = hostile_random(seed) % code->readable + 1;
	code->address = hostile_random(seed) % 2 ? hostile_random(seed) : 0 - code->readable;
	if (hostile_random(seed) % 4 == 0)
		code->address = code->address << 32 ^ hostile_random(seed);
	code->address &= ~(uint64_t)(hostile_random(seed) % 2 ? 3 : 1);
	if (code->address > 0 - code->readable)
		code->address = 0 - (code->readable + 3) / 4 * 4;
	/* Branches that lead anywhere then lead to functions, too. */
	entries->has_no_bits = hostile_random(seed) % 8 < (findcall.step > 0 ? 1 : 6);
	is_joined = is_joined && !entries->has_no_bits && code->address % findcall.step == 0;
	bytes = malloc(code->readable);
	assert_non_null(bytes);
	scanner_fill(bytes, code->readable, seed);
	code->bytes = bytes;
	if (!image->strict)
		scanner_choose_marks(&piece, seed);
	scanner_choose_begins(&piece, is_joined, seed);
	entries->rarity = hostile_random(seed) % 2 ? 1 : 16;
	entries->public = (struct gprofx_entries){
		scanner_begins, hostile_random(seed) % 4 ? scanner_is_slot : NULL};
	code->entries = &entries->public;
	found = scanner_compare(worker, &piece, is_joined);
	scanner_try_lengths(worker, code);
	scanner_try_fill(code, seed);
	entries->public.is_slot = scanner_is_slot;
	if (findcall.stubs && !image->strict)
		scanner_try_stubs(code, &scanner_options, hostile_random(seed));
	for (uint64_t i = 0; i < entries->kept_count; i++)
		scanner_bits[entries->first_kept + i] = entries->kept[i];
	*entries->past = entries->kept_past;
	free(bytes);
	return found;
}

/* One of the SCANNER_CHOICES. */
static void
scanner_choose_options(uint32_t choice)
{
	struct gprofx_scan_options *more = (struct gprofx_scan_options *)&scanner_options;

	memset(&scanner_options, choice >> 4 & 1, sizeof scanner_options);
	more->tail_calls = choice & 1;
	more->plt = choice & 2;
	more->got = choice & 4;
	more->pointers = choice & 8;
}

/* Scans so many pieces for one kind of image; false: the scanner does not know it. */
static bool
scanner_try_kind(struct testrun *test, uint32_t kind, bool wants_sites, uint32_t pieces,
                 uint64_t *seed)
{
	struct gprofx_target target = {.size = sizeof target,
	                               .machine = findcall.machines[kind / 16],
	                               .pointer_bytes = kind & 1 ? 4 : 8,
	                               .big_endian = (kind & 2) != 0};
	struct gprofx_scanned_image image = {
		.size = sizeof image,
		.target = &target,
		.linkage_base = kind & 1 ? 0x8000 : 0,
		.strict = (kind & 8) != 0,
		.wants_sites = wants_sites,
	};
	uint64_t found = 0;

	for (uint32_t choice = 0; choice < SCANNER_CHOICES; choice++) {
		void *worker = NULL;

		scanner_choose_options(choice);
		target.sign_extends = choice >= SCANNER_CHOICES / 2;
		/* 2: the second ABI of PowerPC. */
		image.machine_flags = kind & 4 ? UINT32_MAX >> !(kind & 1) : choice % 8 < 4 ? 0 : 2;
		if (findcall.worker_open &&
		    findcall.worker_open(&test->run.gx, &image, &scanner_options, &worker) !=
		            GPROFX_OK)
			return false;
		for (uint32_t i = 0; i < pieces; i += SCANNER_CHOICES)
			found += scanner_try(worker, &image, seed);
		if (findcall.worker_close && worker)
			findcall.worker_close(&test->run.gx, worker);
	}
	assert_true(found > 0 || pieces == 0);
	return true;
}

/* All kinds of images that the scanner knows. */
static void
scanner_survives(void **state)
{
	struct testrun *test = *state;
	uint32_t kinds = 16 * findcall.machine_count, known = 0;
	uint64_t seed = 2026;

	scanner_make_bits(&seed);
	for (uint32_t kind = 0; kind < kinds; kind++)
		known += scanner_try_kind(test, kind, false, 0, &seed);
	assert_true(known > 0);
	for (uint32_t kind = 0; kind < kinds; kind++) {
		scanner_try_kind(test, kind, false, SCANNER_PIECES / known + 1, &seed);
		/* Call sites are never asked for by GNU gprof's rules. */
		if (!(kind & 8))
			scanner_try_kind(test, kind, true, SCANNER_PIECES / known / 4 + 1, &seed);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {TESTRUN(scanner_survives)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
