/* SPDX-License-Identifier: Apache-2.0 */
#include "frames.h"

#include <string.h>

#include "../shared/rest-name.h"
#include "../shared/text-lines.h"
#include "../shared/text-table.h"

static const char unknown[] = "[unknown]";

static char *
copy_of(const struct frames *frames, struct text_span text)
{
	char *copy = gprofx_alloc(frames->gx, text.length + 1);

	script_span_copy(text, copy, text.length + 1);
	return copy;
}

static uint32_t
add_place(const struct frames *frames, const struct frame_line *frame, struct text_span object)
{
	char *path = copy_of(frames, object), *name;
	bool has_object = *path != '\0' && strcmp(path, unknown) != 0;
	struct gprofx_raw_place place = {.flags = frame->is_inlined ? GPROFX_PLACE_INLINED : 0};
	const struct gprofx_profile_builder *builder = frames->profile->builder;
	size_t bytes = object.length + sizeof unknown;
	uint32_t number;

	if (frame->name.length > 0 && !text_span_is(frame->name, unknown)) {
		name = copy_of(frames, frame->name);
	} else {
		name = gprofx_alloc(frames->gx, bytes);
		rest_name(name, bytes, path);
	}
	place.function = name;
	if (has_object)
		builder->places_in(frames->gx, frames->profile, path, &place, 1, &number);
	else
		builder->places(frames->gx, frames->profile, &place, 1, &number);
	frames->gx->host->release(frames->gx, name);
	frames->gx->host->release(frames->gx, path);
	return number;
}

/* Inlined functions stand there without an object: their key is made. */
static uint32_t
place_of_inlined(struct frames *frames, const struct frame_line *frame, struct text_span object)
{
	size_t length = frame->name.length + 1 + object.length;
	char *key = gprofx_alloc(frames->gx, length);
	uint32_t *number;
	bool is_new;

	memcpy(key, frame->name.text, frame->name.length);
	key[frame->name.length] = '\n';
	if (object.length > 0)
		memcpy(key + frame->name.length + 1, object.text, object.length);
	number = text_table_find(&frames->inlined, key, length, &is_new);
	/* The table can keep the key. */
	if (is_new)
		*number = add_place(frames, frame, object) + 1;
	else
		frames->gx->host->release(frames->gx, key);
	return *number - 1;
}

uint32_t
script_place(struct frames *frames, const struct frame_line *frame, struct text_span object)
{
	uint32_t *number;
	bool is_new;

	if (frame->is_inlined)
		return place_of_inlined(frames, frame, object);
	number = text_table_find(&frames->places, frame->key.text, frame->key.length, &is_new);
	if (is_new)
		*number = add_place(frames, frame, object) + 1;
	return *number - 1;
}

void
script_forget_frames(struct frames *frames)
{
	text_table_release(&frames->places);
	text_table_release(&frames->inlined);
}
