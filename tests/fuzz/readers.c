/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Damaged profiles for every reader: all beginnings of some sound files, and a number of seeded
 * changes of them.
 *
 *     fuzz.readers PLUGIN-FOLDER COUNT FILE...
 *
 * The name of a FILE begins with the format, the size of addresses in bits and the byte order:
 * "magic,64,l,any-name".  Nothing may crash, go on for ever (the caller of this has a clock), or
 * take memory out of proportion to the file.  Each input is read as its maker's machine has it, and
 * as another one would.
 */
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "input/input.h"
#include "plugin/plugins.h"
#include "symbols/symbols.h"

#ifdef GPROFX_BUILTIN
extern const struct gprofx_plugin *const gprofx_builtin_plugins[];
#else
static const struct gprofx_plugin *const *const gprofx_builtin_plugins = NULL;
#endif

enum {
	MOST_PREFIXES = 6000,
	INPUTS_OF_RUN = 64,
	BYTES_FOR_EACH = 48, /* memory that may be used for a byte of the file */
	BYTES_FOR_NONE = 256 << 10
};

/* Where a sanitizer is linked in, it counts; else the allocator does. */
extern size_t __sanitizer_get_current_allocated_bytes(void) __attribute__((weak));

static size_t
allocated(void)
{
	struct mallinfo2 info;

	if (__sanitizer_get_current_allocated_bytes)
		return __sanitizer_get_current_allocated_bytes();
	info = mallinfo2();
	return info.uordblks + info.hblkhd;
}

struct seed {
	char format[32];
	struct gprofx_target target;
	uint8_t *bytes;
	size_t length;
	const char *name;
};

struct fuzzing {
	struct engine_settings settings;
	const struct seed *seed;
	uint64_t random;
	uint32_t prefixes, changes; /* still to do */
	size_t next_prefix;
	uint32_t read, refused;
};

static uint32_t
below(struct fuzzing *fuzzing, size_t limit)
{
	fuzzing->random = fuzzing->random * 6364136223846793005u + 1442695040888963407u;
	return limit == 0 ? 0 : (uint32_t)((fuzzing->random >> 33) % limit);
}

static void
quiet_diagnose(void *opaque, enum engine_severity severity,
               const struct gprofx_diagnostic *diagnostic, const char *message, const char *doing)
{
	(void)opaque;
	(void)severity;
	(void)doing;
	if (!diagnostic->id || !message || message[0] == '\0') {
		fprintf(stderr, "a diagnostic without an id or words\n");
		abort();
	}
}

static void
quiet_trace(void *opaque, const char *line)
{
	(void)opaque;
	(void)line;
}

static int
quiet_write(void *opaque, const void *bytes, size_t count)
{
	(void)opaque;
	(void)bytes;
	(void)count;
	return 0;
}

/* Changes bytes in place; returns the new length, which is at most twice the old one. */
static size_t
change(struct fuzzing *fuzzing, uint8_t *bytes, size_t length)
{
	static const uint64_t extremes[] = {0,
	                                    1,
	                                    0x7f,
	                                    0x80,
	                                    0xff,
	                                    0x7fff,
	                                    0xffff,
	                                    0x7fffffff,
	                                    0x80000000,
	                                    0xfffffff0,
	                                    0xffffffff,
	                                    0x7fffffffffffffff,
	                                    0x8000000000000000,
	                                    0xffffffffffffffff};
	size_t at = below(fuzzing, length), width = (size_t)1 << below(fuzzing, 4), many;
	uint64_t value = extremes[below(fuzzing, sizeof extremes / sizeof extremes[0])];

	if (length == 0)
		return 0;
	switch (below(fuzzing, 8)) {
	case 0: /* a number that is extreme */
	case 1:
		for (size_t i = 0; i < width && at + i < length; i++)
			bytes[at + i] = (uint8_t)(value >>
			                          8 * (below(fuzzing, 2) ? i : width - 1 - i));
		return length;
	case 2: /* a number that is a little off */
		bytes[at] = (uint8_t)(bytes[at] + (below(fuzzing, 2) ? 1 : -1));
		return length;
	case 3:
		return at;
	case 4: /* a piece twice */
		many = 1 + below(fuzzing, length - at);
		memmove(bytes + at + many, bytes + at, length - at);
		return length + many;
	case 5: /* a piece left out */
		many = 1 + below(fuzzing, length - at);
		memmove(bytes + at, bytes + at + many, length - at - many);
		return length - many;
	default:
		bytes[at] ^= (uint8_t)(1 << below(fuzzing, 8));
		return length;
	}
}

/* The next input, in memory that ends where it does; NULL: all are done. */
static uint8_t *
next_input(struct fuzzing *fuzzing, size_t *length)
{
	const struct seed *seed = fuzzing->seed;
	uint8_t *room, *exact;

	if (fuzzing->prefixes > 0) {
		fuzzing->prefixes--;
		*length = fuzzing->next_prefix++;
		exact = malloc(*length + !*length);
		if (exact)
			memcpy(exact, seed->bytes, *length);
		return exact;
	}
	if (fuzzing->changes == 0)
		return NULL;
	fuzzing->changes--;
	room = malloc((seed->length + 1) << 3);
	if (!room)
		return NULL;
	memcpy(room, seed->bytes, seed->length);
	*length = seed->length;
	/* Each of the changes can double what there is. */
	for (uint32_t i = 0; i <= below(fuzzing, 3); i++)
		if (*length <= seed->length << 2)
			*length = change(fuzzing, room, *length);
	exact = malloc(*length + !*length);
	if (exact)
		memcpy(exact, room, *length);
	free(room);
	return exact;
}

static void
check_memory(const struct fuzzing *fuzzing, size_t before, size_t length)
{
	size_t now = allocated(), most = BYTES_FOR_NONE + BYTES_FOR_EACH * length;

	if (now <= before || now - before <= most)
		return;
	fprintf(stderr, "%s: %zu bytes of memory for a file of %zu\n", fuzzing->seed->name,
	        now - before, length);
	abort();
}

static void
read_input(struct run *run, struct fuzzing *fuzzing, struct plugin *reader, const uint8_t *bytes,
           size_t length)
{
	const struct gprofx_file file = {
		.size = sizeof file,
		.name = "damaged",
		.bytes = bytes,
		.length = length,
		.strict = below(fuzzing, 4) == 0,
	};
	struct gprofx_target target = fuzzing->seed->target;
	struct profile *profile = profile_new(run);
	size_t before;

	/* For readers that bring images. */
	profile->image_symbols = symbols_without_image(run);
	before = allocated();
	if (below(fuzzing, 4) == 0)
		target.big_endian = !target.big_endian;
	if (below(fuzzing, 4) == 0)
		target.pointer_bytes = 12 - target.pointer_bytes;
	if (reader->reader.weigh)
		reader->reader.weigh(&file, &target);
	if (reader->reader.probe)
		reader->reader.probe(bytes, length < 4096 ? length : 4096);
	profile_begin_file(run, profile, file.name, 0, below(fuzzing, 4) != 0);
	if (reader->reader.read(&run->gx, &file, &target, &profile->public, reader->options) ==
	            GPROFX_OK &&
	    profile_commit_file(run, profile, &file) == GPROFX_OK)
		fuzzing->read++;
	else
		fuzzing->refused++;
	profile_add_up(run, profile);
	check_memory(fuzzing, before, length);
	profile_merge_repeats(run, profile);
	/* The next profile has ranges of its own. */
	profile_begin_file(run, profile, file.name, 0, true);
	profile->mark = (struct profile_mark){0};
	for (uint32_t i = 0; i < profile->other_count; i++)
		profile->others[i]->mark = (struct profile_mark){0};
	profile_drop_file(run, profile);
	memory_release(run, profile->arcs);
	memory_release(run, profile->blocks);
	memory_release(run, profile->source_counts);
	memory_release(run, profile->source_functions);
	memory_release(run, profile->files);
	profile_finish(run, profile);
	memory_release(run, profile->stacks.places);
	memory_release(run, profile->stacks.past);
	memory_release(run, profile->stacks.above);
	memory_release(run, profile->stacks.above_stack);
	memory_release(run, profile->stacks.place);
	memory_release(run, profile->stacks.weight);
}

static enum gprofx_result
read_some(struct run *run, void *argument)
{
	struct fuzzing *fuzzing = argument;
	bool broken = false;
	struct plugin *reader = plugin_by_format(run, PLUGIN_READER, fuzzing->seed->format,
	                                         &broken);

	if (!reader) {
		fprintf(stderr, "%s: no such reader\n", fuzzing->seed->name);
		abort();
	}
	for (int i = 0; i < INPUTS_OF_RUN; i++) {
		size_t length = 0;
		uint8_t *bytes = next_input(fuzzing, &length);

		if (!bytes)
			break;
		read_input(run, fuzzing, reader, bytes, length);
		free(bytes);
	}
	return GPROFX_OK;
}

/* "FORMAT,BITS,ORDER,…" */
static bool
take_seed(struct seed *seed, const char *path)
{
	const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
	unsigned bits;
	char order;
	FILE *file = fopen(path, "rb");
	long length;

	if (!file || sscanf(name, "%31[^,],%u,%c,", seed->format, &bits, &order) != 3)
		return false;
	seed->name = name;
	seed->target = (struct gprofx_target){
		.size = sizeof seed->target,
		.pointer_bytes = bits / 8,
		.big_endian = order == 'b',
	};
	if (fseek(file, 0, SEEK_END) != 0 || (length = ftell(file)) < 0)
		return false;
	rewind(file);
	seed->length = (size_t)length;
	seed->bytes = malloc(seed->length + 1);
	if (!seed->bytes || fread(seed->bytes, 1, seed->length, file) != seed->length)
		return false;
	fclose(file);
	return true;
}

/* Each reader that is installed must have a seed. */
struct covered {
	const struct seed *seeds;
	uint32_t count;
	bool all;
};

static void
look_at_plugin(void *opaque, const struct engine_plugin_info *info)
{
	struct covered *covered = opaque;
	bool found = strcmp(info->kind, "reader") != 0;

	for (uint32_t i = 0; i < covered->count && !found; i++)
		found = strcmp(covered->seeds[i].format, info->detail) == 0;
	if (!found)
		fprintf(stderr, "no file for the reader %s\n", info->name);
	covered->all = covered->all && found;
}

int
main(int argc, char **argv)
{
	const char *folders[] = {argc > 1 ? argv[1] : ""};
	const struct engine_frontend frontend = {.diagnose = quiet_diagnose,
	                                         .trace = quiet_trace,
	                                         .write = quiet_write};
	struct engine_frontend listing = frontend;
	struct fuzzing fuzzing = {.settings = {.image = "",
	                                       .plugin_folders = folders,
	                                       .plugin_folder_count = 1,
	                                       .installed_folder_count = 1,
	                                       .builtin = gprofx_builtin_plugins}};
	uint32_t count = argc > 3 ? (uint32_t)(argc - 3) : 0, total = 0;
	struct seed *seeds = calloc(count + 1, sizeof *seeds);
	struct covered covered = {seeds, count, true};

	listing.opaque = &covered;
	for (uint32_t i = 0; i < count; i++)
		if (!seeds || !take_seed(&seeds[i], argv[i + 3])) {
			fprintf(stderr, "%s: not a seed\n", argv[i + 3]);
			return 2;
		}
	engine_list_plugins(&fuzzing.settings, &listing, look_at_plugin);
	if (count == 0 || !covered.all)
		return 2;
	for (uint32_t i = 0; i < count; i++) {
		size_t prefixes = seeds[i].length + 1;

		fuzzing.seed = &seeds[i];
		fuzzing.random = i + 1;
		fuzzing.next_prefix = 0;
		fuzzing.prefixes = prefixes < MOST_PREFIXES ? (uint32_t)prefixes : MOST_PREFIXES;
		fuzzing.changes = (uint32_t)atoi(argv[2]) / count + 1;
		total += fuzzing.prefixes + fuzzing.changes;
		while (fuzzing.prefixes + fuzzing.changes > 0)
			run_whole(&fuzzing.settings, &frontend, read_some, &fuzzing);
		free(seeds[i].bytes);
	}
	free(seeds);
	printf("%u inputs: %u read, %u refused\n", total, fuzzing.read, fuzzing.refused);
	return fuzzing.read > 0 && fuzzing.refused > 0 ? 0 : 1;
}
