/* SPDX-License-Identifier: Apache-2.0 */
/* The build ID, which says that two files were made by the same link. */
#include "object.h"

#include <elf.h>
#include <string.h>

#include <gprofx/symbols.h>

const uint8_t *
symelf_build_id(const struct object *object, uint32_t *count)
{
	bool big_endian = object->target.big_endian;
	const struct section *note = NULL;
	uint64_t name_bytes, id_bytes;
	const uint8_t *bytes;

	for (uint32_t i = 1; i < object->section_count; i++)
		if (object->sections[i].type == SHT_NOTE &&
		    strcmp(object->sections[i].name, ".note.gnu.build-id") == 0)
			note = &object->sections[i];
	if (!note || !note->in_file || note->bytes < 16)
		return NULL;
	bytes = object->image->bytes + note->offset;
	name_bytes = gprofx_number_at(bytes, 4, big_endian);
	id_bytes = gprofx_number_at(bytes + 4, 4, big_endian);
	if (name_bytes != sizeof ELF_NOTE_GNU ||
	    memcmp(bytes + 12, ELF_NOTE_GNU, name_bytes) != 0 ||
	    gprofx_number_at(bytes + 8, 4, big_endian) != NT_GNU_BUILD_ID || id_bytes < 2 ||
	    id_bytes > 64 || id_bytes > note->bytes - 16)
		return NULL;
	*count = (uint32_t)id_bytes;
	return bytes + 16;
}
