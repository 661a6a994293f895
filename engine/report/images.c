/* SPDX-License-Identifier: Apache-2.0 */
/* The program's code, and the other images, each once, however many ranges it has. */
#include "base/memory.h"
#include "base/run.h"
#include "report/model.h"
#include "symbols/late.h"
#include "symbols/symbols.h"

static const struct gprofx_image_code *
rows_of_code(struct run *run, const struct gprofx_code_range *code, uint32_t count)
{
	struct gprofx_image_code *rows;

	memory_array(run, rows, count);
	for (uint32_t i = 0; i < count; i++)
		rows[i] = (struct gprofx_image_code){
			.size = sizeof rows[i],
			.address = code[i].address,
			.bytes = code[i].bytes,
			.file_offset = code[i].file_offset,
		};
	return rows;
}

/* An object that the settings name. */
static struct gprofx_code_image
row_of_object(struct run *run, const struct symbol_image *image)
{
	return (struct gprofx_code_image){
		.size = sizeof(struct gprofx_code_image),
		.kind = GPROFX_IMAGE_LIBRARY,
		.name = image->name,
		.path = image->path,
		.build_id = image->build_id_bytes > 0 ? image->build_id : NULL,
		.build_id_bytes = image->build_id_bytes,
		.names_from = GPROFX_NAMES_OF_FILE,
		.symbols_file = image->symbols_file,
		.code_count = image->code_count,
		.code = rows_of_code(run, image->code, image->code_count),
	};
}

static struct gprofx_code_image
row_of(struct run *run, const struct late_image *image)
{
	uint32_t code_count = image->table ? image->table->code_count : 0;

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
		.code_count = code_count,
		.code = code_count > 0 ? rows_of_code(run, image->table->code, code_count) : NULL,
	};
}

/* Rows for all images but the program; *row: per image of the run its number plus 1. */
static void
list_images(struct run *run, struct gprofx_report_origin *origin, const struct symbols *symbols,
            uint32_t *row)
{
	const struct late_images *late = symbols->late;
	struct gprofx_code_image *rows;
	uint32_t next_range = 0, *row_of_late;

	memory_array(run, rows, symbols->image_count);
	memory_array(run, row_of_late, late ? late->count : 0);
	for (uint32_t i = 1; i < symbols->image_count; i++) {
		const struct late_image *image = symbols->images[i].late;
		uint32_t number;

		if (!image) {
			rows[origin->image_count++] = row_of_object(run, &symbols->images[i]);
			row[i] = origin->image_count;
			continue;
		}
		/* They stand in the order of their ranges. */
		number = late->ranges[next_range++].of;
		if (row_of_late[number] == 0) {
			rows[origin->image_count++] = row_of(run, image);
			row_of_late[number] = origin->image_count;
		}
		row[i] = row_of_late[number];
	}
	origin->images = rows;
	memory_release(run, row_of_late);
}

void
report_set_images(struct run *run, struct report_model *model, const struct symbols *symbols)
{
	struct gprofx_report_origin *origin = &model->parts.origin;
	uint32_t *row, *image;

	if (symbols_have_image(symbols) && symbols->images[0].code_count > 0) {
		origin->code_count = symbols->images[0].code_count;
		origin->code = rows_of_code(run, symbols->images[0].code, origin->code_count);
	}
	if (symbols->image_count <= 1)
		return;
	memory_array(run, row, symbols->image_count);
	list_images(run, origin, symbols, row);
	memory_array(run, image, (size_t)symbols->count + SYMBOL_MORE_ROWS);
	for (uint32_t i = 0; i < symbols->count; i++) {
		const struct symbol_image *of = symbols_object_of(symbols, i);

		image[i] = of ? row[of - symbols->images] : 0;
	}
	model->parts.functions.image = image;
	memory_release(run, row);
}
