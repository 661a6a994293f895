/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The limit of finding calls in code: calls MODE PROGRAM.
 *
 *   read      map the file and read every byte of .text once
 *   sum       the same, of what is mapped already
 *   scan      x86-64: every byte 0xe8 with the distance to a function, byte by byte
 *   simd      the same, 16 bytes at a time
 *   capstone  capstone over every function
 *   csverify  simd, then capstone from a function's begin to its last candidate
 *   zydis     Zydis over every function, lengths alone
 *   zyverify  as csverify, with Zydis
 */
#include "common.h"

#include <Zydis/Zydis.h>
#include <capstone/capstone.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

struct text {
	struct image image;
	const unsigned char *bytes;
	unsigned char *begins; /* a bit for each byte: a function begins there */
	size_t *candidate;
	size_t candidates, calls, instructions;
	csh capstone;
	cs_insn *room;
	ZydisDecoder zydis;
};

static uint64_t
read_text(const unsigned char *bytes, size_t count)
{
	uint64_t sum = 0;

	for (size_t at = 0; at + 8 <= count; at += 8)
		sum += get64(bytes + at);
	return sum;
}

static int
calls_function(const struct text *text, size_t at)
{
	int64_t to = (int64_t)at + 5 + (int32_t)get32(text->bytes + at + 1);

	return to >= 0 && (uint64_t)to < text->image.size &&
	       (text->begins[to >> 3] >> (to & 7) & 1);
}

static void
scan(struct text *text, size_t at)
{
	while (at + 5 <= text->image.size)
		if (text->bytes[at] == 0xe8 && calls_function(text, at)) {
			text->candidate[text->candidates++] = at;
			at += 5;
		} else {
			at++;
		}
}

static void
scan_wide(struct text *text)
{
	size_t at = 0, next = 0;

#ifdef __SSE2__
	const __m128i call = _mm_set1_epi8((char)0xe8);

	for (; at + 21 <= text->image.size; at += 16) {
		__m128i bytes = _mm_loadu_si128((const void *)(text->bytes + at));
		unsigned found = (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, call));

		for (; found; found &= found - 1) {
			size_t place = at + (unsigned)__builtin_ctz(found);

			if (place < next || !calls_function(text, place))
				continue;
			text->candidate[text->candidates++] = place;
			next = place + 5;
		}
	}
#endif
	scan(text, at > next ? at : next);
}

static void
count_instruction(struct text *text, size_t at)
{
	text->instructions++;
	text->calls += text->bytes[at] == 0xe8 && calls_function(text, at);
}

static void
decode_capstone(struct text *text, size_t begin, size_t end)
{
	const uint8_t *bytes = text->bytes + begin;
	size_t left = end - begin;
	uint64_t address = begin;

	while (cs_disasm_iter(text->capstone, &bytes, &left, &address, text->room))
		count_instruction(text, (size_t)address - text->room->size);
}

static void
decode_zydis(struct text *text, size_t begin, size_t end)
{
	ZydisDecodedInstruction room;

	for (size_t at = begin; at < end;) {
		ZyanStatus status = ZydisDecoderDecodeInstruction(
			&text->zydis, NULL, text->bytes + at, end - at, &room);

		if (ZYAN_SUCCESS(status))
			count_instruction(text, at);
		at += ZYAN_SUCCESS(status) ? room.length : 1;
	}
}

/* Every function, or only those with candidates, as far as the last one. */
static void
decode(struct text *text, void (*decoder)(struct text *, size_t, size_t), int whole)
{
	const struct image *image = &text->image;
	size_t next = 0;

	if (!whole)
		scan_wide(text);
	for (size_t i = 0; i < image->functions; i++) {
		size_t begin = image->function[i].address - image->address, end = image->size;

		if (i + 1 < image->functions)
			end = image->function[i + 1].address - image->address;
		if (!whole) {
			size_t first = next;

			while (next < text->candidates && text->candidate[next] < end)
				next++;
			if (next == first)
				continue;
			end = text->candidate[next - 1] + 5;
		}
		decoder(text, begin, end);
	}
}

static void
prepare(struct text *text, const char *path)
{
	const struct image *image = &text->image;

	text->image = read_image(path);
	text->bytes = image->text;
	radix_sort(image->function, image->functions);
	text->begins = need(image->size / 8 + 1, 1);
	text->candidate = need(image->size / 5 + 1, sizeof *text->candidate);
	for (size_t i = 0; i < image->functions; i++) {
		uint64_t at = image->function[i].address - image->address;

		text->begins[at >> 3] |= (unsigned char)(1u << (at & 7));
	}
	if (cs_open(CS_ARCH_X86, CS_MODE_64, &text->capstone) != CS_ERR_OK)
		fail("capstone");
	text->room = cs_malloc(text->capstone);
	ZydisDecoderInit(&text->zydis, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
	ZydisDecoderEnableMode(&text->zydis, ZYDIS_DECODER_MODE_MINIMAL, ZYAN_TRUE);
}

int
main(int argc, char **argv)
{
	static struct text text;
	const char *mode = argc == 3 ? argv[1] : "";
	uint64_t sum = 0;

	if (argc != 3)
		return 2;
	prepare(&text, argv[2]);
	double start = milliseconds();
	if (!strcmp(mode, "read")) {
		int file = open(argv[2], O_RDONLY);
		const unsigned char *bytes = mmap(NULL, text.image.length, PROT_READ, MAP_PRIVATE,
		                                  file, 0);

		if (bytes == MAP_FAILED)
			fail(argv[2]);
		sum = read_text(bytes + (text.bytes - text.image.file), text.image.size);
	} else if (!strcmp(mode, "sum")) {
		sum = read_text(text.bytes, text.image.size);
	} else if (!strcmp(mode, "scan")) {
		scan(&text, 0);
	} else if (!strcmp(mode, "simd")) {
		scan_wide(&text);
	} else if (!strcmp(mode, "capstone") || !strcmp(mode, "csverify")) {
		decode(&text, decode_capstone, !strcmp(mode, "capstone"));
	} else if (!strcmp(mode, "zydis") || !strcmp(mode, "zyverify")) {
		decode(&text, decode_zydis, !strcmp(mode, "zydis"));
	} else {
		return 2;
	}
	double took = milliseconds() - start;
	printf("%zu functions, %zu candidates, %zu instructions, %zu calls%s, %.2f ms, %.0f MB/s\n",
	       text.image.functions, text.candidates, text.instructions, text.calls,
	       sum == 1 ? "!" : "", took, (double)text.image.size / took / 1e3);
	return 0;
}
