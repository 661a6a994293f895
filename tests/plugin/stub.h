/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of a module that do nothing, for tests that are about the other parts. */
#include <gprofx/document.h>
#include <gprofx/emitter.h>
#include <gprofx/labels.h>
#include <gprofx/findcall.h>
#include <gprofx/symbols.h>

static enum gprofx_result
stub_read(struct gprofx *gx, const struct gprofx_file *file, const struct gprofx_target *target,
          struct gprofx_profile *profile, const void *options)
{
	(void)gx;
	(void)file;
	(void)target;
	(void)profile;
	(void)options;
	return GPROFX_DECLINED;
}

static enum gprofx_result
stub_emit(struct gprofx *gx, const struct gprofx_emission *emission, const void *options)
{
	(void)gx;
	(void)emission;
	(void)options;
	return GPROFX_OK;
}

static const struct gprofx_reader stub_reader = {.size = sizeof stub_reader,
                                                 .format = "stub",
                                                 .read = stub_read};
static const struct gprofx_emitter stub_emitter = {.size = sizeof stub_emitter,
                                                   .format = "stub",
                                                   .emit = stub_emit};

/* A descriptor that is in order: STUB_PLUGIN, .member = …}; overrides parts of it. */
#define STUB_PLUGIN                                                                              \
	GPROFX_PLUGIN = {GPROFX_ABI, .name = "input-stub", .version = "1", .summary = "Nothing", \
	                 .reader = &stub_reader
