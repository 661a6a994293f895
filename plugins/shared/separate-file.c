/* SPDX-License-Identifier: Apache-2.0 */
#include "separate-file.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

uint32_t
separate_checksum(const uint8_t *bytes, size_t count)
{
	uint32_t table[8][256];
	uint32_t sum = 0xffffffff;

	for (uint32_t i = 0; i < 256; i++) {
		uint32_t value = i;

		for (int bit = 0; bit < 8; bit++)
			value = value >> 1 ^ (value & 1 ? 0xedb88320 : 0);
		table[0][i] = value;
	}
	for (uint32_t i = 0; i < 256; i++)
		for (int k = 1; k < 8; k++)
			table[k][i] = table[k - 1][i] >> 8 ^ table[0][table[k - 1][i] & 0xff];
	for (; count >= 8; bytes += 8, count -= 8)
		sum = table[7][bytes[0] ^ (sum & 0xff)] ^ table[6][bytes[1] ^ (sum >> 8 & 0xff)] ^
		      table[5][bytes[2] ^ (sum >> 16 & 0xff)] ^ table[4][bytes[3] ^ sum >> 24] ^
		      table[3][bytes[4]] ^ table[2][bytes[5]] ^ table[1][bytes[6]] ^
		      table[0][bytes[7]];
	for (; count > 0; bytes++, count--)
		sum = sum >> 8 ^ table[0][(sum ^ *bytes) & 0xff];
	return ~sum;
}

/* Opens parts[0]parts[1]… if it is the right file; parts end with NULL. */
static bool
try_file(struct separate_finder *finder, const char *const *parts)
{
	struct gprofx *gx = finder->gx;
	struct separate_file file = {0};
	size_t length = 1;
	char *path;
	bool found;

	for (size_t i = 0; parts[i]; i++)
		length += strlen(parts[i]);
	path = gprofx_alloc(gx, length);
	for (size_t i = 0, at = 0; parts[i]; i++) {
		size_t part = strlen(parts[i]);

		memcpy(path + at, parts[i], part);
		at += part;
	}
	file.path = path;
	if (!finder->take) {
		found = access(path, R_OK) == 0;
		gx->host->release(gx, path);
		return found;
	}
	file.bytes = gx->host->map_file(gx, path, &file.length);
	if (file.bytes && finder->take(finder, &file))
		return true;
	separate_close(gx, &file);
	return false;
}

void
separate_close(struct gprofx *gx, struct separate_file *file)
{
	if (file->bytes)
		gx->host->unmap_file(gx, file->bytes);
	gx->host->release(gx, (void *)file->path);
	*file = (struct separate_file){0};
}

/* Tries every debug folder, with the rest of the path in one piece. */
static bool
try_debug_folders(struct separate_finder *finder, const char *folder, const char *name)
{
	const char *list = finder->folders;

	while (*list) {
		size_t length = strcspn(list, ":");
		char *debug_folder = gprofx_alloc(finder->gx, length + 1);
		const char *parts[] = {debug_folder, folder, name, NULL};
		bool found;

		memcpy(debug_folder, list, length);
		found = length > 0 && try_file(finder, parts);
		finder->gx->host->release(finder->gx, debug_folder);
		if (found)
			return true;
		list += length + (list[length] == ':');
	}
	return false;
}

bool
separate_find_by_build_id(struct separate_finder *finder, const uint8_t *build_id, size_t bytes)
{
	static const char start[] = ".build-id/", end[] = ".debug", digits[] = "0123456789abcdef";
	char *name = gprofx_alloc(finder->gx, sizeof start + 2 * bytes + sizeof end);
	const char *here[] = {name, NULL}, *below[] = {".debug/", name, NULL};
	char *at = name + sizeof start - 1;
	bool found;

	memcpy(name, start, sizeof start);
	for (size_t i = 0; i < bytes; i++) {
		if (i == 1)
			*at++ = '/';
		*at++ = digits[build_id[i] >> 4];
		*at++ = digits[build_id[i] & 15];
	}
	if (bytes == 1)
		*at++ = '/';
	memcpy(at, end, sizeof end);
	finder->proof = (struct separate_proof){.build_id = build_id, .build_id_bytes = bytes};
	found = try_file(finder, here) || try_file(finder, below) ||
	        try_debug_folders(finder, "/", name);
	finder->gx->host->release(finder->gx, name);
	return found;
}

/* How long the folders of a path are, with the slash. */
static size_t
folders_length(const char *path)
{
	size_t length = strlen(path);

	while (length > 0 && path[length - 1] != '/')
		length--;
	return length;
}

bool
separate_find_by_name(struct separate_finder *finder, const char *name, const char *other)
{
	size_t length = folders_length(other);
	char *folder = gprofx_alloc(finder->gx, length + 1), real[PATH_MAX];
	const char *beside[] = {folder, name, NULL}, *below[] = {folder, ".debug/", name, NULL};
	bool found;

	memcpy(folder, other, length);
	found = try_file(finder, beside) || try_file(finder, below);
	finder->gx->host->release(finder->gx, folder);
	if (found || !realpath(other, real))
		return found;
	real[folders_length(real)] = '\0';
	return try_debug_folders(finder, real, name);
}

bool
separate_is_id(const struct separate_proof *proof, const uint8_t *build_id, size_t bytes)
{
	size_t same = 0;

	if (!build_id || bytes != proof->build_id_bytes)
		return false;
	while (same < bytes && build_id[same] == proof->build_id[same])
		same++;
	return same == bytes;
}

bool
separate_find_path(struct separate_finder *finder, const char *path)
{
	const char *parts[] = {path, NULL};

	return try_file(finder, parts);
}
