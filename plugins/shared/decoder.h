/* SPDX-License-Identifier: Apache-2.0 */
/* Capstone as call scanners need it: how long instructions are, one behind the other. */
#ifndef PLUGINS_SHARED_DECODER_H
#define PLUGINS_SHARED_DECODER_H

#include <capstone/capstone.h>

#include <gprofx/findcall.h>

struct decoder {
	csh capstone;
	cs_insn *room;
	bool is_open;
};

/* Reports a failure; the decoder is to be closed in any case. */
static inline enum gprofx_result
decoder_open(struct gprofx *gx, struct decoder *decoder, cs_arch machine, cs_mode mode)
{
	const struct gprofx_diagnostic diagnostic = {
		.id = "scan.no-decoder",
		.hint = "use the capstone that gprofx was built with",
	};
	cs_err error = cs_open(machine, mode, &decoder->capstone);

	decoder->is_open = error == CS_ERR_OK;
	if (decoder->is_open)
		decoder->room = cs_malloc(decoder->capstone);
	if (decoder->room)
		return GPROFX_OK;
	return gprofx_fail(gx, &diagnostic, "expected a decoder of code from capstone: %s",
	                   decoder->is_open ? "out of memory" : cs_strerror(error));
}

static inline void
decoder_close(struct decoder *decoder)
{
	if (decoder->room)
		cs_free(decoder->room, 1);
	if (decoder->is_open)
		cs_close(&decoder->capstone);
}

/* Length of the instruction at an offset; 0 if capstone knows none there. */
static inline uint64_t
decoder_length(const struct decoder *decoder, const struct gprofx_code *code, uint64_t at)
{
	const uint8_t *bytes = code->bytes + at;
	size_t left = (size_t)(code->readable - at);
	uint64_t address = code->address + at;

	return cs_disasm_iter(decoder->capstone, &bytes, &left, &address, decoder->room)
	               ? decoder->room->size
	               : 0;
}

#endif
