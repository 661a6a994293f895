/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How long instructions are, one behind the other, as call scanners need it.  Libraries know that:
 * Zydis, for x86 alone, in a third of the time that capstone takes.  They are opened when code is
 * really decoded: capstone takes more time to load than a small run.
 */
#ifndef PLUGINS_SHARED_DECODER_H
#define PLUGINS_SHARED_DECODER_H

#include <gprofx/findcall.h>

enum decoder_code { DECODER_I386, DECODER_X86_64, DECODER_M68K };

/* For one thread. */
struct decoder {
	void *library, *state;
	/* Length of the instruction at the start of some bytes, 0: none is known there. */
	uint32_t (*length)(const struct decoder *decoder, const uint8_t *bytes, size_t readable);
	void (*close)(struct decoder *decoder);
};

/* Opens one of the libraries; false: it is not there, or does not start. */
bool decoder_open_zydis(struct decoder *decoder, enum decoder_code code);
bool decoder_open_capstone(struct decoder *decoder, enum decoder_code code);

/*
 * Opens the fastest that is there.  Where there is none, that is reported, and GPROFX_FAILED
 * returned.  The decoder, zeros at first, is to be closed in any case.
 */
enum gprofx_result decoder_open(struct gprofx *gx, struct decoder *decoder, enum decoder_code code);
void decoder_close(struct decoder *decoder);

/* Length of the instruction at an offset; 0 if none is known there. */
static inline uint64_t
decoder_length(const struct decoder *decoder, const struct gprofx_code *code, uint64_t at)
{
	return decoder->length(decoder, code->bytes + at, (size_t)(code->readable - at));
}

#endif
