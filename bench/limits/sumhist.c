/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The limit for adding up profiles: sumhist THREADS mmap|read FILE...
 *
 * Adds the first histogram of every file to counters of 32 bits; arcs are not read.  Each thread
 * has its share of the files and sums of its own.
 */
#include "common.h"

#include <pthread.h>

enum { BINS_AT = 61, COUNT_AT = 37 };

struct share {
	pthread_t thread;
	char **files;
	int count;
	int is_mapped;
	uint32_t bins;
	uint32_t *sums;
};

static unsigned char *
take_file(const struct share *share, const char *name, unsigned char **room, size_t *length)
{
	struct stat st;
	int fd = open(name, O_RDONLY);
	unsigned char *bytes = *room;

	if (fd < 0 || fstat(fd, &st))
		fail(name);
	if (share->is_mapped) {
		bytes = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, fd,
		             0);
		if (bytes == MAP_FAILED)
			fail(name);
	} else {
		if ((size_t)st.st_size > *length)
			*room = bytes = realloc(*room, (size_t)st.st_size);
		for (size_t at = 0; at < (size_t)st.st_size;) {
			ssize_t got = read(fd, bytes + at, (size_t)st.st_size - at);

			if (got <= 0)
				fail(name);
			at += (size_t)got;
		}
	}
	*length = (size_t)st.st_size;
	close(fd);
	return bytes;
}

static void *
add_files(void *argument)
{
	const struct share *share = argument;
	unsigned char *room = NULL;
	size_t length = 0;

	for (int i = 0; i < share->count; i++) {
		unsigned char *bytes = take_file(share, share->files[i], &room, &length);

		if (length < BINS_AT || get32(bytes + COUNT_AT) != share->bins)
			fail("another histogram");
		for (uint32_t k = 0; k < share->bins; k++)
			share->sums[k] += get16(bytes + BINS_AT + 2 * (size_t)k);
		if (share->is_mapped)
			munmap(bytes, length);
	}
	free(room);
	return NULL;
}

int
main(int argc, char **argv)
{
	int threads = argc > 3 ? atoi(argv[1]) : 0, files = argc - 3;
	size_t length;

	if (threads < 1)
		return 2;
	struct share *shares = need((size_t)threads, sizeof *shares);
	uint32_t bins = get32(map_file(argv[3], &length) + COUNT_AT);
	for (int t = 0; t < threads; t++) {
		int begin = (int)((long)files * t / threads);

		shares[t] = (struct share){
			.files = argv + 3 + begin,
			.count = (int)((long)files * (t + 1) / threads) - begin,
			.is_mapped = strcmp(argv[2], "mmap") == 0,
			.bins = bins,
			.sums = need(bins, sizeof(uint32_t)),
		};
		if (pthread_create(&shares[t].thread, NULL, add_files, &shares[t]))
			fail("thread");
	}
	uint64_t total = 0;
	for (int t = 0; t < threads; t++) {
		pthread_join(shares[t].thread, NULL);
		for (uint32_t k = 0; k < bins; k++)
			total += shares[t].sums[k];
	}
	printf("%d files of %u bins, %llu samples, %.1f ms\n", files, bins,
	       (unsigned long long)total, milliseconds());
	return 0;
}
