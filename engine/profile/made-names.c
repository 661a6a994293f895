/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/made-names.h"

#include <string.h>

#include "base/memory.h"
#include "profile/parts.h"
#include "symbols/late.h"
#include "symbols/symbols.h"

enum { NAME_BYTES = 16 }; /* of made-up code for a name */

/* The number of an object, whose image is made for its first function. */
static uint32_t
object_number(struct run *run, struct made_names *made, const char *path)
{
	uint32_t known = made->paths.count;
	uint32_t number = name_table_add_kept(run, &made->paths, path ? path : "");

	if (number < known)
		return number;
	made->objects = memory_room(run, made->objects, sizeof *made->objects, known,
	                            &made->object_room, 1);
	made->objects[number] = (struct made_object){
		late_image_of_names(run, profile_late_images(run, made->first, made->symbols),
	                            path),
		0};
	return number;
}

uint32_t
made_names_add(struct run *run, struct made_names *made, const char *object, const char *function,
               const char *file)
{
	uint32_t of = object_number(run, made, object), known = made->keys.count, number;
	struct made_object *row = &made->objects[of];

	number = name_table_add_kept(run, &made->keys,
	                             text_format(run, "%u %zu %s%s", (unsigned int)of,
	                                         strlen(function), function, file ? file : ""));
	if (number < known)
		return number;
	made->functions = memory_room(run, made->functions, sizeof *made->functions, known,
	                              &made->function_room, 1);
	made->functions[number] = (struct made_function){row->image,
	                                                 (uint64_t)row->count++ * NAME_BYTES};
	late_image_name(run, made->symbols->late, row->image, made->functions[number].offset,
	                NAME_BYTES, function);
	return number;
}

uint64_t
made_names_location(struct run *run, const struct made_names *made, uint32_t number)
{
	const struct made_function *function = &made->functions[number];

	return late_location(run, made->symbols->late, function->image, function->offset, false);
}

void
made_names_release(struct run *run, struct made_names *made)
{
	name_table_release(run, &made->paths);
	name_table_release(run, &made->keys);
	memory_release(run, made->objects);
	memory_release(run, made->functions);
}
