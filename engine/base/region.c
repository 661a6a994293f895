/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Blocks stand side by side, each in the lowest gap that has room for it, so that few pages are
 * ever written to.  Large arrays are read all over, and with small pages half of each access would
 * go into finding where its page is.
 */
#include "base/region.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { REGION = 64 << 20, LARGE_PAGE = 2 << 20, GRAIN = 64 };

/* Free memory, which begins with this; gaps of a region ascend, and do not touch. */
struct gap {
	struct gap *next;
	size_t bytes;
};

struct region {
	struct region *next;
	struct gap *gaps;
	unsigned char *mapped, *begin, *end;
	unsigned char *fresh; /* from here on nothing was ever written */
};

static size_t
rounded(size_t bytes, size_t grain)
{
	return (bytes + grain - 1) / grain * grain;
}

static size_t
grains(size_t bytes)
{
	return bytes > 0 ? rounded(bytes, GRAIN) : GRAIN;
}

static struct gap *
put_gap(struct region *region, unsigned char *at, size_t bytes, struct gap *next)
{
	struct gap *gap = (struct gap *)(void *)at;

	*gap = (struct gap){next, bytes};
	if (region->fresh < at + sizeof *gap)
		region->fresh = at + sizeof *gap;
	return gap;
}

static struct region *
region_new(struct region **regions, size_t bytes)
{
	struct region *region = calloc(1, sizeof *region);
	size_t mapped_bytes = bytes + LARGE_PAGE;
	uintptr_t odd;
	void *mapped;

	if (!region)
		return NULL;
	mapped = mmap(NULL, mapped_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
	              0);
	if (mapped == MAP_FAILED) {
		free(region);
		return NULL;
	}
	odd = (uintptr_t)mapped % LARGE_PAGE;
	region->mapped = mapped;
	region->begin = region->mapped + (odd > 0 ? LARGE_PAGE - odd : 0);
	region->end = region->begin + bytes;
#ifdef MADV_HUGEPAGE
	/* A wish only: where the system does not know it, all stays as it is. */
	(void)madvise(region->begin, bytes, MADV_HUGEPAGE);
#endif
	region->fresh = region->begin;
	region->gaps = put_gap(region, region->begin, bytes, NULL);
	while (*regions)
		regions = &(*regions)->next;
	*regions = region;
	return region;
}

/* Takes bytes from the start of the gap that a link leads to. */
static unsigned char *
cut(struct region *region, struct gap **link, size_t bytes)
{
	struct gap *gap = *link;
	unsigned char *block = (unsigned char *)(void *)gap;

	*link = gap->bytes > bytes ? put_gap(region, block + bytes, gap->bytes - bytes, gap->next)
	                           : gap->next;
	return block;
}

/* Notes that a block is going to be written to; returns up to where it was before. */
static unsigned char *
wear(struct region *region, unsigned char *end)
{
	unsigned char *before = region->fresh;

	if (region->fresh < end)
		region->fresh = end;
	return before < end ? before : end;
}

void *
region_take(struct region **regions, size_t bytes, struct region **of)
{
	if (bytes > SIZE_MAX / 2)
		return NULL;
	bytes = grains(bytes);
	for (;;) {
		for (struct region *region = *regions; region; region = region->next) {
			struct gap **link = &region->gaps;
			unsigned char *block, *worn;

			while (*link && (*link)->bytes < bytes)
				link = &(*link)->next;
			if (!*link)
				continue;
			block = cut(region, link, bytes);
			worn = wear(region, block + bytes);
			if (worn > block)
				memset(block, 0, (size_t)(worn - block));
			*of = region;
			return block;
		}
		if (!(bytes < REGION && region_new(regions, REGION)) &&
		    !region_new(regions, rounded(bytes, LARGE_PAGE)))
			return NULL;
	}
}

void
region_give(struct region *region, void *block, size_t bytes)
{
	unsigned char *begin = block, *end = begin + grains(bytes);
	struct gap **link = &region->gaps, *before = NULL, *next;

	while (*link && (unsigned char *)(void *)*link < begin) {
		before = *link;
		link = &before->next;
	}
	next = *link;
	if (next && (unsigned char *)(void *)next == end) {
		end += next->bytes;
		next = next->next;
	}
	if (before && (unsigned char *)(void *)before + before->bytes == begin)
		*before = (struct gap){next, before->bytes + (size_t)(end - begin)};
	else
		*link = put_gap(region, begin, (size_t)(end - begin), next);
}

bool
region_resize(struct region *region, void *block, size_t old_bytes, size_t new_bytes)
{
	unsigned char *old_end = (unsigned char *)block + grains(old_bytes);
	struct gap **link = &region->gaps;
	size_t more;

	if (new_bytes > SIZE_MAX / 2)
		return false;
	if (grains(new_bytes) <= grains(old_bytes)) {
		unsigned char *end = (unsigned char *)block + grains(new_bytes);

		if (end < old_end)
			region_give(region, end, (size_t)(old_end - end));
		return true;
	}
	more = grains(new_bytes) - grains(old_bytes);
	while (*link && (unsigned char *)(void *)*link < old_end)
		link = &(*link)->next;
	if ((unsigned char *)(void *)*link != old_end || (*link)->bytes < more)
		return false;
	cut(region, link, more);
	(void)wear(region, old_end + more);
	return true;
}

void
region_free_all(struct region **regions)
{
	while (*regions) {
		struct region *region = *regions;

		*regions = region->next;
		munmap(region->mapped, (size_t)(region->end - region->mapped));
		free(region);
	}
}
