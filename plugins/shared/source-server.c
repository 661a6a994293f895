/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libdebuginfod is opened when a server is really asked: it brings a dozen libraries along, which
 * would cost every other run more than all its work.
 */
#include "source-server.h"

#include <dlfcn.h>
#include <stdlib.h>

#ifdef GPROFX_DEBUGINFOD

#include <elfutils/debuginfod.h>
#include <unistd.h>

#include "late-library.h"

/* The part of the library that is needed. */
struct library {
	void *handle;
	debuginfod_client *(*begin)(void);
	void (*end)(debuginfod_client *client);
	int (*find_source)(debuginfod_client *client, const unsigned char *build_id,
	                   int build_id_bytes, const char *name, char **path);
};

static bool
open_library(struct library *library)
{
	library->handle = dlopen(GPROFX_DEBUGINFOD, RTLD_NOW | RTLD_LOCAL);
	if (!library->handle)
		return false;
	late_library_function(library->handle, "debuginfod_begin", &library->begin);
	late_library_function(library->handle, "debuginfod_end", &library->end);
	late_library_function(library->handle, "debuginfod_find_source", &library->find_source);
	return library->begin && library->end && library->find_source;
}

static int
ask(const struct library *library, const struct gprofx_report *report, const char *name)
{
	debuginfod_client *client = library->begin();
	int descriptor;

	if (!client)
		return -1;
	descriptor = library->find_source(client, report->origin->build_id,
	                                  (int)report->origin->build_id_bytes, name, NULL);
	library->end(client);
	/* What was just fetched has been written through the same descriptor. */
	if (descriptor >= 0 && lseek(descriptor, 0, SEEK_SET) != 0) {
		close(descriptor);
		descriptor = -1;
	}
	return descriptor;
}

int
server_open(const struct gprofx_report *report, const char *name, const char **why)
{
	const char *servers = secure_getenv("DEBUGINFOD_URLS");
	struct library library = {.handle = NULL};
	int descriptor = -1;

	*why = NULL;
	if (!servers || servers[0] == '\0')
		return -1;
	if (!report->origin->build_id || report->origin->build_id_bytes == 0) {
		*why = "the image has no build ID";
	} else if (name[0] != '/') {
		*why = "the name has no root";
	} else if (!open_library(&library)) {
		*why = "libdebuginfod is not installed";
	} else {
		descriptor = ask(&library, report, name);
		if (descriptor < 0)
			*why = "no server has it";
	}
	/* Stays open: libraries that it brought along cannot be closed. */
	return descriptor;
}

#else

int
server_open(const struct gprofx_report *report, const char *name, const char **why)
{
	const char *servers = secure_getenv("DEBUGINFOD_URLS");

	(void)report;
	(void)name;
	*why = servers && servers[0] != '\0' ? "gprofx was built without libdebuginfod" : NULL;
	return -1;
}

#endif
