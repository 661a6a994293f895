/* SPDX-License-Identifier: Apache-2.0 */
/* Frames that readers know by the names of a function and of the object that has it. */
#include <string.h>

#include "base/memory.h"
#include "base/name-table.h"
#include "base/run.h"
#include "base/text.h"
#include "profile/parts.h"
#include "profile/profile.h"
#include "profile/stack-places.h"
#include "symbols/late.h"
#include "symbols/symbols.h"

enum { NAME_BYTES = 16 }; /* of made-up code for a name */

/* Objects and their functions, by the order in which they appear. */
struct objects {
	struct late_images *late;
	struct name_table paths, names;
	uint32_t *image, image_room; /* of a path */
	uint32_t *count, count_room; /* of functions of a path */
	uint64_t *offset;            /* of a name, in its image */
	uint32_t offset_room;
};

/* The image of an object, which is made for its first function. */
static uint32_t
object_number(struct run *run, struct objects *objects, const char *path)
{
	uint32_t known = objects->paths.count;
	uint32_t number = name_table_add_kept(run, &objects->paths, path);

	if (number < known)
		return number;
	objects->image = memory_room(run, objects->image, sizeof *objects->image, known,
	                             &objects->image_room, 1);
	objects->count = memory_room(run, objects->count, sizeof *objects->count, known,
	                             &objects->count_room, 1);
	objects->image[number] = late_image_of_names(run, objects->late, path);
	objects->count[number] = 0;
	return number;
}

/* Functions of one name in several files of source are several. */
static void
name_place(struct run *run, struct objects *objects, struct stack_place *place)
{
	uint32_t object = object_number(run, objects, place->object), known = objects->names.count;
	const char *key = text_format(run, "%u %zu %s%s", (unsigned int)object,
	                              strlen(place->function), place->function,
	                              place->file ? place->file : "");
	uint32_t name = name_table_add_kept(run, &objects->names, key);

	if (name == known) {
		objects->offset = memory_room(run, objects->offset, sizeof *objects->offset, known,
		                              &objects->offset_room, 1);
		objects->offset[name] = (uint64_t)objects->count[object]++ * NAME_BYTES;
		late_image_name(run, objects->late, objects->image[object], objects->offset[name],
		                NAME_BYTES, place->function);
	}
	/* The place of the name, until all names of the object are known. */
	place->address = name;
	place->line = object;
}

static bool
is_of_object(const struct symbols *symbols, const struct stack_place *place)
{
	if (!place->function || !place->object)
		return false;
	return !symbols_have_image(symbols) ||
	       strcmp(text_last_name(place->object), text_last_name(symbols->image.name)) != 0;
}

static void
place_all(struct run *run, const struct objects *objects, struct stacks *stacks)
{
	for (uint32_t i = 0; stacks->is_there && i < stacks->place_count; i++) {
		struct stack_place *place = &stacks->places[i];

		if (place->object)
			*place = (struct stack_place){
				.address = late_location(run, objects->late,
			                                 objects->image[place->line],
			                                 objects->offset[place->address], false),
				.flags = place->flags | PLACE_IS_PLACED};
	}
}

void
stacks_place_objects(struct run *run, struct profile *first, struct symbols *symbols)
{
	struct objects objects = {0};

	for (struct profile *i = first; i; i = i->next_run)
		for (uint32_t k = 0; i->stacks.is_there && k < i->stacks.place_count; k++) {
			struct stack_place *place = &i->stacks.places[k];

			if (!is_of_object(symbols, place)) {
				place->object = NULL;
				continue;
			}
			if (!objects.late)
				objects.late = profile_late_images(run, first, symbols);
			name_place(run, &objects, place);
		}
	for (struct profile *i = first; i && objects.late; i = i->next_run)
		place_all(run, &objects, &i->stacks);
	name_table_release(run, &objects.paths);
	name_table_release(run, &objects.names);
	memory_release(run, objects.image);
	memory_release(run, objects.count);
	memory_release(run, objects.offset);
}
