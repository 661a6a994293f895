/* SPDX-License-Identifier: Apache-2.0 */
/* Objects become images and mappings. */
#include <string.h>

#include "reading.h"

enum { BUILD_ID_BYTES = 20 };

static bool
has_build_id(const uint8_t *bytes)
{
	for (int i = 0; i < BUILD_ID_BYTES; i++)
		if (bytes[i] != 0)
			return true;
	return false;
}

void
objects_add(struct reading *r, const struct gxc_view *chunk)
{
	size_t room = sizeof *r->objects;

	if (chunk->count > UINT32_MAX / 2 - r->object_count)
		return;
	r->objects = r->gx->host->grow(r->gx, r->objects, r->object_count * room,
	                               (r->object_count + chunk->count) * room);
	for (uint64_t i = 0; i < chunk->count; i++) {
		uint64_t at = chunk->at + i * chunk->entry_bytes;
		struct object *object = &r->objects[r->object_count++];

		object->low = gxc_u64(&r->walk, at + offsetof(struct gxc_object, low));
		object->high = gxc_u64(&r->walk, at + offsetof(struct gxc_object, high));
		object->bias = gxc_u64(&r->walk, at + offsetof(struct gxc_object, bias));
		object->build_id = r->file->bytes + at + offsetof(struct gxc_object, build_id);
		if (!has_build_id(object->build_id))
			object->build_id = NULL;
		object->path = reading_text(
			r, gxc_u32(&r->walk, at + offsetof(struct gxc_object, path)));
	}
}

/* The collector itself, as a library. */
static bool
is_collector(const struct object *object)
{
	static const char name[] = "libgprofx-collect.so";
	const char *slash = object->path ? strrchr(object->path, '/') : NULL;

	return slash && strncmp(slash + 1, name, sizeof name - 1) == 0;
}

/* The kind of an image, by its path. */
static uint32_t
kind_of(const struct reading *r, const struct object *object)
{
	if (!object->path || object->path[0] == '\0')
		return GPROFX_IMAGE_GENERATED;
	if (strcmp(object->path, "[vdso]") == 0)
		return GPROFX_IMAGE_VDSO;
	if (object->path[0] != '/')
		return GPROFX_IMAGE_GENERATED;
	if (r->program && strcmp(object->path, r->program) == 0)
		return GPROFX_IMAGE_PROGRAM;
	return GPROFX_IMAGE_LIBRARY;
}

static uint32_t
declare(const struct reading *r, const struct object *object)
{
	struct gprofx_raw_image image = {
		.size = sizeof image,
		.kind = kind_of(r, object),
		.path = object->path && object->path[0] != '\0' ? object->path : "generated code",
		.build_id = object->build_id,
		.build_id_bytes = object->build_id ? BUILD_ID_BYTES : 0,
	};

	/* What it takes is one thing for who reads the report, and not of the program. */
	if (is_collector(object)) {
		image.kind = GPROFX_IMAGE_NAMES;
		image.path = GXC_OVERHEAD;
		image.build_id = NULL;
		image.build_id_bytes = 0;
	}
	return r->profile->builder->image(r->gx, r->profile, r->file, &image);
}

enum gprofx_result
objects_map(struct reading *r)
{
	for (uint32_t i = 0; i < r->object_count; i++) {
		const struct object *object = &r->objects[i];
		struct gprofx_raw_mapping mapping = {
			.size = sizeof mapping,
			.process = r->process,
			.address = object->low,
			.bytes = object->high - object->low,
			.offset = object->low - object->bias,
		};

		if (object->low >= object->high)
			continue;
		mapping.image = declare(r, object);
		if (mapping.image == 0 ||
		    r->profile->builder->mapping(r->gx, r->profile, r->file, &mapping) != GPROFX_OK)
			return GPROFX_FAILED;
	}
	return GPROFX_OK;
}
