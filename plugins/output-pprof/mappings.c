/* SPDX-License-Identifier: Apache-2.0 */
#include "mappings.h"

#include <string.h>

/* As readers assume pages to be; images stand farther apart, like those of a process. */
static const uint64_t page = 4096, distance = UINT64_C(1) << 21;

struct work {
	const struct gprofx_report *report;
	struct mappings *mappings;
	uint64_t *low, *past; /* per image: where its functions are */
	uint64_t next;        /* where the next image starts; 0: there is no room any more */
};

static uint64_t
page_above(uint64_t address, uint64_t unit)
{
	uint64_t up = (address + unit - 1) & ~(unit - 1);

	return up >= address ? up : ~(unit - 1);
}

static uint64_t
end_of(const struct gprofx_image_code *code)
{
	return code->bytes <= UINT64_MAX - code->address ? code->address + code->bytes : UINT64_MAX;
}

/* Adds code to the last mapping, if both are as far away from their bytes in the file. */
static void
add_code(struct mappings *m, uint32_t image, const struct gprofx_image_code *code)
{
	struct mapping *last = m->count > m->first[image] ? &m->rows[m->count - 1] : NULL;
	uint64_t in_page = code->address & (page - 1), limit = page_above(end_of(code), page);

	/* Where pages do not fit the file, nothing mapped it. */
	if (in_page != (code->file_offset & (page - 1)))
		in_page = 0;
	if (last && last->start - last->offset == code->address - code->file_offset) {
		last->limit = limit > last->limit ? limit : last->limit;
		return;
	}
	m->rows[m->count++] = (struct mapping){code->address - in_page, limit,
	                                       code->file_offset - in_page, image};
}

/* Of an image whose code is not known, what its functions have; of the program, all addresses. */
static void
add_functions(struct work *w, uint32_t image)
{
	struct mapping row = {0, UINT64_MAX, 0, image};

	if (image > 0 && w->low[image] < w->past[image])
		row = (struct mapping){w->low[image] & ~(page - 1),
		                       page_above(w->past[image], page), 0, image};
	w->mappings->rows[w->mappings->count++] = row;
}

/* Moves the mappings of an image behind all before it. */
static void
move(struct work *w, uint32_t image)
{
	struct mappings *m = w->mappings;
	struct mapping *row = m->rows + m->first[image], *past = m->rows + m->count;
	uint64_t low = UINT64_MAX, high = 0;

	for (struct mapping *r = row; r < past; r++) {
		low = r->start < low ? r->start : low;
		high = r->limit > high ? r->limit : high;
	}
	if (image > 0 && w->next > 0 && high - low < UINT64_MAX - w->next) {
		m->moves[image] = w->next - low;
		for (struct mapping *r = row; r < past; r++) {
			r->start += m->moves[image];
			r->limit += m->moves[image];
		}
		high += m->moves[image];
	} else if (image > 0) {
		return;
	}
	w->next = high <= UINT64_MAX - distance ? page_above(high, distance) : 0;
}

static void
make_image(struct work *w, uint32_t image)
{
	const struct gprofx_report_origin *origin = w->report->origin;
	const struct gprofx_code_image *other = image > 0 ? gprofx_image_at(w->report, image - 1)
	                                                  : NULL;
	const struct gprofx_image_code *code = other ? other->code : origin->code;
	uint32_t count = other ? other->code_count : origin->code_count;

	for (uint32_t i = 0; i < count; i++)
		if (gprofx_code_at(code, i)->bytes > 0)
			add_code(w->mappings, image, gprofx_code_at(code, i));
	if (w->mappings->count == w->mappings->first[image])
		add_functions(w, image);
	move(w, image);
}

static void
find_functions(struct work *w)
{
	const struct gprofx_report_functions *functions = w->report->functions;
	const uint32_t *flags = w->report->graph->flags;

	for (uint32_t i = 0; i < functions->count; i++) {
		uint32_t image = functions->image ? functions->image[i] : 0;

		if (flags[i] & (GPROFX_NODE_OUTSIDE | GPROFX_NODE_INDIRECT))
			continue;
		if (functions->address[i] < w->low[image])
			w->low[image] = functions->address[i];
		if (functions->end[i] >= w->past[image] && functions->end[i] < UINT64_MAX)
			w->past[image] = functions->end[i] + 1;
	}
}

void
mappings_make(struct gprofx *gx, const struct gprofx_report *report, struct mappings *m)
{
	struct work w = {.report = report, .mappings = m};
	size_t images = (size_t)report->origin->image_count + 1;
	size_t rows = report->origin->code_count + images;

	for (uint32_t i = 0; i + 1 < images; i++)
		rows += gprofx_image_at(report, i)->code_count;
	*m = (struct mappings){
		.rows = gprofx_alloc(gx, rows * sizeof *m->rows),
		.image_count = (uint32_t)images,
		.first = gprofx_alloc(gx, (images + 1) * sizeof *m->first),
		.moves = gprofx_alloc(gx, images * sizeof *m->moves),
	};
	w.low = gprofx_alloc(gx, images * sizeof *w.low);
	w.past = gprofx_alloc(gx, images * sizeof *w.past);
	memset(w.low, 0xff, images * sizeof *w.low);
	find_functions(&w);
	for (uint32_t i = 0; i < images; i++) {
		m->first[i] = m->count;
		make_image(&w, i);
	}
	m->first[images] = m->count;
	gx->host->release(gx, w.low);
	gx->host->release(gx, w.past);
}

uint64_t
mappings_find(const struct mappings *m, uint32_t image, uint64_t *address)
{
	uint32_t low = m->first[image], high = m->first[image + 1] - 1;

	*address += m->moves[image];
	while (low < high) {
		uint32_t middle = low + (high - low + 1) / 2;

		if (m->rows[middle].start <= *address)
			low = middle;
		else
			high = middle - 1;
	}
	return (uint64_t)low + 1;
}
