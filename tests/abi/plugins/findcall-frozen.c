/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A scanner as it was built against the headers in include/: a C and a byte call the function whose
 * number the byte is, an I calls through a pointer.  It counts what it does in a worker's state.
 */
#include <gprofx/code.h>

enum { BASE = 0x10000, STEP = 0x100 };

static enum gprofx_result
worker_open(struct gprofx *gx, const struct gprofx_scanned_image *image, const void *options,
            void **worker)
{
	(void)options;
	*worker = gprofx_alloc(gx, sizeof(uint64_t));
	return image->strict || image->target->machine != 4660 ? GPROFX_DECLINED : GPROFX_OK;
}

static void
worker_close(struct gprofx *gx, void *worker)
{
	gx->host->release(gx, worker);
}

static void
scan(void *worker, const struct gprofx_code *code, struct gprofx_calls *calls)
{
	uint64_t *scanned = worker, callee;

	for (uint64_t at = 0; at < code->byte_count && at + 1 < code->readable; at++) {
		++*scanned;
		if (code->bytes[at] == 'I')
			gprofx_add_call(calls, code->address + at, 0, GPROFX_CALL_INDIRECT);
		if (code->bytes[at] == 'C' &&
		    gprofx_callee(code, BASE + STEP * (uint64_t)code->bytes[at + 1], 0, 4, &callee))
			gprofx_add_call(calls, code->address + at, callee, GPROFX_CALL_DIRECT);
	}
}

static const uint16_t machines[] = {4660};
static const struct gprofx_findcall findcall = {.size = sizeof findcall,
                                                .machines = machines,
                                                .machine_count = 1,
                                                .worker_open = worker_open,
                                                .worker_close = worker_close,
                                                .scan = scan};

GPROFX_PLUGIN = {GPROFX_ABI, .name = "findcall-frozen", .version = "1", .summary = "Frozen code",
                 .findcall = &findcall};
