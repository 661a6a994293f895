/* SPDX-License-Identifier: Apache-2.0 */
/* Images of the profiles, each once, however many ranges it has. */
#include "base/memory.h"
#include "base/run.h"
#include "report/model.h"
#include "symbols/late.h"
#include "symbols/symbols.h"

static struct gprofx_code_image
row_of(const struct late_image *image)
{
	return (struct gprofx_code_image){
		.size = sizeof(struct gprofx_code_image),
		.kind = image->kind,
		.name = image->name,
		.path = image->path,
		.build_id = image->build_id_bytes > 0 ? image->build_id : NULL,
		.build_id_bytes = image->build_id_bytes,
		.names_from = image->table            ? GPROFX_NAMES_OF_FILE
	                      : image->name_count > 0 ? GPROFX_NAMES_OF_PROFILE
	                                              : GPROFX_NAMES_OF_NOTHING,
		.symbols_file = image->table ? image->table->symbols_file : NULL,
	};
}

void
report_set_images(struct run *run, struct report_model *model, const struct symbols *symbols)
{
	struct gprofx_report_origin *origin = &model->parts.origin;
	const struct late_images *late = symbols->late;
	struct gprofx_code_image *rows;

	if (!late)
		return;
	memory_array(run, rows, late->count);
	for (uint32_t i = 0; i < late->range_count; i++)
		if (late->items[late->ranges[i].of].first_range == i + 1)
			rows[origin->image_count++] = row_of(&late->items[late->ranges[i].of]);
	origin->images = rows;
}
