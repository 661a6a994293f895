/* SPDX-License-Identifier: Apache-2.0 */
/* A writer that keeps what it is given.  Its services are those that put text and numbers. */
#ifndef PLUGINS_SHARED_KEPT_H
#define PLUGINS_SHARED_KEPT_H

#include <gprofx/emitter.h>

struct kept {
	struct gprofx_writer writer; /* first */
	struct gprofx *gx;
	char *text; /* up to writer.at */
	size_t room;
};

struct gprofx_writer *kept_begin(struct kept *kept, struct gprofx *gx);
void kept_release(struct kept *kept);

#endif
