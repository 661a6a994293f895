/* SPDX-License-Identifier: Apache-2.0 */
/* Where code was in the run that wrote, and where it is here. */
#include <string.h>

#include "base/memory.h"
#include "partial/parts.h"
#include "profile/parts.h"

static void
code_range(struct codec *codec, struct partial_range *range)
{
	codec_u64(codec, &range->first);
	codec_u64(codec, &range->past);
	codec_u64(codec, &range->base);
	codec_u32(codec, &range->image);
	codec_bool(codec, &range->is_object);
}

static void
write_image(struct bytes_out *out, const struct late_image *image)
{
	bytes_put_text(out, image->path);
	bytes_put_number(out, image->kind);
	bytes_put_number(out, image->build_id_bytes);
	bytes_put(out, image->build_id, image->build_id_bytes);
	bytes_put_number(out, image->low);
	bytes_put_number(out, image->past);
	bytes_put_number(out, image->name_count);
	for (uint32_t i = 0; i < image->name_count; i++) {
		bytes_put_number(out, image->names[i].offset);
		bytes_put_number(out, image->names[i].bytes);
		bytes_put_text(out, image->names[i].name);
	}
}

static void
write_images(struct codec *codec, const struct symbols *symbols)
{
	const struct late_images *late = symbols->late;
	uint32_t objects = symbols->image_count > 1 ? symbols->image_count - 1 : 0;
	uint32_t ranges = late ? late->range_count : 0;

	bytes_put_number(&codec->out, late ? 1 : 0);
	bytes_put_number(&codec->out, late ? late->count : 0);
	for (uint32_t i = 0; late && i < late->count; i++)
		write_image(&codec->out, &late->items[i]);
	bytes_put_number(&codec->out, objects + ranges);
	for (uint32_t i = 1; i <= objects; i++) {
		const struct symbol_image *object = &symbols->images[i];
		struct partial_range range = {object->first, object->past, object->base, i, true};

		code_range(codec, &range);
	}
	for (uint32_t i = 0; i < ranges; i++) {
		const struct late_range *late_range = &late->ranges[i];
		struct partial_range range = {late_range->image.first, late_range->image.past,
		                              late_range->image.base, late_range->of, false};

		code_range(codec, &range);
	}
}

static void
read_image(struct partial *partial, struct late_images *late, uint32_t number)
{
	struct bytes_in *in = &partial->codec.in;
	struct late_row row = {.path = bytes_take_text(partial->run, in)};
	uint64_t low, past;
	uint32_t names, image;

	row.kind = (uint32_t)bytes_take_up_to(in, GPROFX_IMAGE_NAMES);
	row.build_id_bytes = (uint32_t)bytes_take_up_to(in, LATE_BUILD_ID_BYTES);
	row.build_id = bytes_take(in, row.build_id_bytes);
	low = bytes_take_number(in);
	past = bytes_take_number(in);
	if (!row.path || !row.path[0] || strlen(row.path) >= LATE_PATH_BYTES ||
	    row.kind < GPROFX_IMAGE_PROGRAM)
		in->has_failed = true;
	if (in->has_failed)
		return;
	image = late_image_add(partial->run, late, &row);
	partial->images[number] = image;
	if (past > low)
		late_image_extend(late, image, low, past);
	names = bytes_take_count(in, 3);
	for (uint32_t i = 0; i < names; i++) {
		uint64_t offset = bytes_take_number(in), bytes = bytes_take_number(in);
		const char *name = bytes_take_text(partial->run, in);

		if (!name || !name[0] || bytes > UINT64_MAX - offset)
			in->has_failed = true;
		if (in->has_failed)
			return;
		late_image_name(partial->run, late, image, offset, bytes, name);
	}
}

/* Those of the settings are the same here, in the same order. */
static bool
is_sound(const struct partial *partial, const struct partial_range *range, uint32_t number)
{
	const struct symbols *symbols = partial->profile->image_symbols;

	if (range->past <= range->first ||
	    (number > 0 && range->first < partial->ranges[number - 1].past))
		return false;
	return range->is_object ? range->image > 0 && range->image < symbols->image_count
	                        : range->image < partial->image_count;
}

void
partial_images(struct partial *partial)
{
	struct symbols *symbols = partial->profile->image_symbols;
	struct codec *codec = &partial->codec;
	struct late_images *late = NULL;

	partial->others_first = symbols->others_first;
	partial->others_bytes = symbols->others_bytes;
	codec_u64(codec, &partial->others_first);
	codec_u64(codec, &partial->others_bytes);
	if (codec->writes) {
		write_images(codec, symbols);
		return;
	}
	if (bytes_take_up_to(&codec->in, 1) == 1)
		late = profile_late_images(partial->run, partial->profile, symbols);
	partial->image_count = bytes_take_count(&codec->in, 7);
	memory_array(partial->run, partial->images, (size_t)partial->image_count + 1);
	if (partial->image_count > 0 && !late)
		codec_fail(codec);
	for (uint32_t i = 0; i < partial->image_count && !codec->in.has_failed; i++)
		read_image(partial, late, i);
	codec_count(codec, &partial->range_count, 5);
	memory_array(partial->run, partial->ranges, (size_t)partial->range_count + 1);
	for (uint32_t i = 0; i < partial->range_count && !codec->in.has_failed; i++) {
		struct partial_range *range = &partial->ranges[i];

		code_range(codec, range);
		if (!is_sound(partial, range, i)) {
			codec_fail(codec);
			return;
		}
		/* Images get their places in the order in which they had them. */
		if (!range->is_object && !codec->in.has_failed)
			late_location(partial->run, late, partial->images[range->image],
			              range->first - range->base, false);
	}
}

static const struct partial_range *
range_at(const struct partial *partial, uint64_t location)
{
	uint32_t low = 0, high = partial->range_count;

	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;

		if (partial->ranges[middle].first <= location)
			low = middle;
		else
			high = middle;
	}
	if (high == 0 || location < partial->ranges[low].first ||
	    location >= partial->ranges[low].past)
		return NULL;
	return &partial->ranges[low];
}

uint64_t
partial_location(const struct partial *partial, uint64_t location)
{
	const struct symbols *symbols = partial->profile->image_symbols;
	const struct partial_range *range = range_at(partial, location);

	if (range && range->is_object)
		return location - range->base + symbols->images[range->image].base;
	if (range)
		return late_location(partial->run, symbols->late, partial->images[range->image],
		                     location - range->base, false);
	if (symbols->others_bytes == 0)
		return location;
	/* What was nowhere is nowhere here. */
	if (partial->others_bytes > 0 &&
	    location - partial->others_first < UINT64_C(1) << LAYOUT_UNIT_BITS)
		return symbols_nowhere(symbols, location - partial->others_first);
	return symbols_location(symbols, NULL, location);
}
