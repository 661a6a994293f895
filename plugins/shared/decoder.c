/* SPDX-License-Identifier: Apache-2.0 */
#include "decoder.h"

#include <dlfcn.h>
#include <stdlib.h>

#include "late-library.h"

#ifdef GPROFX_ZYDIS

#include <Zydis/Zydis.h>

struct zydis {
	ZydisDecoder decoder;
	ZydisDecodedInstruction room;
	__typeof__(&ZydisDecoderInit) init;
	__typeof__(&ZydisDecoderEnableMode) enable;
	__typeof__(&ZydisDecoderDecodeInstruction) decode;
};

static uint32_t
zydis_length(const struct decoder *decoder, const uint8_t *bytes, size_t readable)
{
	struct zydis *zydis = decoder->state;
	ZyanStatus status = zydis->decode(&zydis->decoder, NULL, bytes, readable, &zydis->room);

	return ZYAN_SUCCESS(status) ? zydis->room.length : 0;
}

static bool
start_zydis(struct zydis *zydis, void *library, enum decoder_code code)
{
	bool is_wide = code == DECODER_X86_64;

	late_library_function(library, "ZydisDecoderInit", &zydis->init);
	late_library_function(library, "ZydisDecoderEnableMode", &zydis->enable);
	late_library_function(library, "ZydisDecoderDecodeInstruction", &zydis->decode);
	/* What an instruction does is not asked for. */
	return zydis->init && zydis->enable && zydis->decode &&
	       ZYAN_SUCCESS(zydis->init(&zydis->decoder,
	                                is_wide ? ZYDIS_MACHINE_MODE_LONG_64
	                                        : ZYDIS_MACHINE_MODE_LEGACY_32,
	                                is_wide ? ZYDIS_STACK_WIDTH_64 : ZYDIS_STACK_WIDTH_32)) &&
	       ZYAN_SUCCESS(zydis->enable(&zydis->decoder, ZYDIS_DECODER_MODE_MINIMAL, ZYAN_TRUE));
}

static void
close_zydis(struct decoder *decoder)
{
	free(decoder->state);
	dlclose(decoder->library);
}

bool
decoder_open_zydis(struct decoder *decoder, enum decoder_code code)
{
	if (code == DECODER_M68K)
		return false;
	decoder->library = dlopen(GPROFX_ZYDIS, RTLD_NOW | RTLD_LOCAL);
	if (!decoder->library)
		return false;
	decoder->close = close_zydis;
	decoder->length = zydis_length;
	decoder->state = calloc(1, sizeof(struct zydis));
	if (decoder->state && start_zydis(decoder->state, decoder->library, code))
		return true;
	decoder_close(decoder);
	return false;
}

#else

bool
decoder_open_zydis(struct decoder *decoder, enum decoder_code code)
{
	(void)decoder;
	(void)code;
	return false;
}

#endif

#ifdef GPROFX_CAPSTONE

#include <capstone/capstone.h>

#define TEXT_OF(number) #number
#define TEXT(number) TEXT_OF(number)
#define CAPSTONE_NAME "libcapstone.so." TEXT(CS_API_MAJOR)

struct capstone {
	csh handle;
	cs_insn *room;
	bool is_open;
	__typeof__(&cs_open) open;
	__typeof__(&cs_close) close;
	__typeof__(&cs_malloc) allocate;
	__typeof__(&cs_free) release;
	__typeof__(&cs_disasm_iter) decode;
};

static uint32_t
capstone_length(const struct decoder *decoder, const uint8_t *bytes, size_t readable)
{
	const struct capstone *capstone = decoder->state;
	uint64_t address = 0;

	return capstone->decode(capstone->handle, &bytes, &readable, &address, capstone->room)
	               ? capstone->room->size
	               : 0;
}

static bool
start_capstone(struct capstone *capstone, void *library, enum decoder_code code)
{
	static const struct {
		cs_arch machine;
		uint32_t mode;
	} kinds[] = {
		[DECODER_I386] = {CS_ARCH_X86, CS_MODE_32},
		[DECODER_X86_64] = {CS_ARCH_X86, CS_MODE_64},
		[DECODER_M68K] = {CS_ARCH_M68K, (uint32_t)CS_MODE_BIG_ENDIAN | CS_MODE_M68K_040},
	};

	late_library_function(library, "cs_open", &capstone->open);
	late_library_function(library, "cs_close", &capstone->close);
	late_library_function(library, "cs_malloc", &capstone->allocate);
	late_library_function(library, "cs_free", &capstone->release);
	late_library_function(library, "cs_disasm_iter", &capstone->decode);
	if (!capstone->open || !capstone->close || !capstone->allocate || !capstone->release ||
	    !capstone->decode)
		return false;
	capstone->is_open = capstone->open(kinds[code].machine, (cs_mode)kinds[code].mode,
	                                   &capstone->handle) == CS_ERR_OK;
	if (capstone->is_open)
		capstone->room = capstone->allocate(capstone->handle);
	return capstone->room != NULL;
}

static void
close_capstone(struct decoder *decoder)
{
	struct capstone *capstone = decoder->state;

	if (capstone && capstone->room)
		capstone->release(capstone->room, 1);
	if (capstone && capstone->is_open)
		capstone->close(&capstone->handle);
	free(capstone);
	dlclose(decoder->library);
}

bool
decoder_open_capstone(struct decoder *decoder, enum decoder_code code)
{
	decoder->library = dlopen(CAPSTONE_NAME, RTLD_NOW | RTLD_LOCAL);
	if (!decoder->library)
		return false;
	decoder->close = close_capstone;
	decoder->length = capstone_length;
	decoder->state = calloc(1, sizeof(struct capstone));
	if (decoder->state && start_capstone(decoder->state, decoder->library, code))
		return true;
	decoder_close(decoder);
	return false;
}

#else

bool
decoder_open_capstone(struct decoder *decoder, enum decoder_code code)
{
	(void)decoder;
	(void)code;
	return false;
}

#endif

/* The libraries that would do, for people. */
static const char *
wanted_libraries(enum decoder_code code)
{
#if defined(GPROFX_ZYDIS) && defined(GPROFX_CAPSTONE)
	return code == DECODER_M68K ? CAPSTONE_NAME : GPROFX_ZYDIS " or " CAPSTONE_NAME;
#elif defined(GPROFX_CAPSTONE)
	(void)code;
	return CAPSTONE_NAME;
#elif defined(GPROFX_ZYDIS)
	return code == DECODER_M68K ? NULL : GPROFX_ZYDIS;
#else
	(void)code;
	return NULL;
#endif
}

enum gprofx_result
decoder_open(struct gprofx *gx, struct decoder *decoder, enum decoder_code code)
{
	const char *wanted = wanted_libraries(code);
	const struct gprofx_diagnostic diagnostic = {
		.id = "scan.no-decoder",
		.hint = wanted ? "install it; without it, the report has no static arcs"
	                       : "use a gprofx that was built with capstone; without it, the "
	                         "report has no static arcs",
		.text = {wanted},
	};

	if (decoder_open_zydis(decoder, code) || decoder_open_capstone(decoder, code))
		return GPROFX_OK;
	gprofx_warn(gx, &diagnostic, "no library that can decode the code is installed: %s",
	            wanted ? wanted : "gprofx was built without any");
	return GPROFX_FAILED;
}

void
decoder_close(struct decoder *decoder)
{
	if (decoder->close)
		decoder->close(decoder);
	*decoder = (struct decoder){0};
}
